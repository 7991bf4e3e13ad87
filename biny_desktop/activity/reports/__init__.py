"""A day and a week in Markdown: statistics always, a checked narrative when a model is set (spec 03 §5).

In: segments, gaps and rows of a day. Out: a row of `reports`, and the same text for sinks. Start with `model`.
"""
