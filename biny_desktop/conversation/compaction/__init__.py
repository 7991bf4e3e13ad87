"""Compaction: the older part of a path as a summary whose every item names its sources (spec 05 §3).

In: a session's log and its active path, the model in the slot `compaction.slot`. Out: a `checkpoint` event, or why
there is none with the history unchanged; the block that stands for it in a prompt; the tool that reads an item's
sources. `budget` and `cut` say how much stays raw, `material` what the model reads, `answer` checks it, `merge` and
`shrink` make the ten fields of it. It touches nothing but the log. A summary is a record: no code reads a permission
out of it.
"""
