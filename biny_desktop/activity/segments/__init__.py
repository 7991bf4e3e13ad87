"""The day cut into activities: rows in, segments and gaps out, by rule and without a model (spec 03 §1, §2).

`rules` and its neighbours are pure; `keeper` keeps the table in step with the rows; `reader` answers questions;
`edits` are what the user changes. Start with `model`.
"""
