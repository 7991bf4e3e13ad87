"""Conversations: an append-only log a session, its message tree, the agent that answers, and what keeps both safe.

In: what a person types, answers of a model, results of tools, chats of other tools; all redacted before it is kept.
Out: the active path of a session, hits of a search, events when a turn ends. It touches the database, `turns/`
(execution checkpoints) and the folders that the person opened to the agent. Only the active path reaches a model.
"""
