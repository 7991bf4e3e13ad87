"""What a model may add to a segment: a title, a summary, what is worth keeping; all of it checked (spec 03 §3, §4).

In: closed segments with the redacted text of their frames. Out: checked fields on the segment, offers for facts and
terms for crystals, which wait in tables until somebody takes them. Without a model nothing happens here but a status.
"""
