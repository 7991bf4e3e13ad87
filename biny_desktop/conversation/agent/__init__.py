"""The agent: answers the last message of the active path, with tools, until an answer needs none (spec 05 §8).

In: a session's log, the chat model, the toolbox, compaction. Out: committed events of each step, a checkpoint after it,
`TurnFinished`. It touches nothing else; what tools touch is theirs. `prompt` makes the request, `run` is the loop.
"""
