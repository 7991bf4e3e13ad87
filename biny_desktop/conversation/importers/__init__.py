"""Chats of other tools, brought in: what is there, what is new, then one transaction each (spec 05 §10).

In: a file, folder or zip that a person chose. Out: sessions whose messages carry the key of their source, so that a
second import adds only what is new, and batches that can be rolled back. A module a format makes `SourceConversation`s
of it; `tidy` makes trees of those, `matching` tells new from known, `importing` writes. Nothing is ever executed, no
member of an archive is written to disk, and an import feeds no memory by itself.
"""
