"""Finding frames and segments by meaning: passages in, vectors beside the rows, hits out (spec 03 §7).

In: redacted frame text and segment summaries. Out: `MeaningPage`s. A question never fills the index; the sweep does,
while nobody needs the machine.
"""
