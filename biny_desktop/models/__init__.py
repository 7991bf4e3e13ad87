"""Language models and embeddings for every memory kind: questions to a model, vectors of texts, search among them.

In: `RedactedText`, a task with its prompt file, rows that want vectors (`IndexedRows`). Out: a checked value or a typed
`Failure`, vectors, hits with both similarities. It talks to the servers the user named and to the database, to nothing
else. Start with `model`, then `client`, `embedder`, `vector_index`, `ranking`.
"""
