"""Picture to text: one OCR child process and changed-line reading.

In: pictures (numpy arrays) from a `ReadQueue`. Out: `Reading` values, raw text that only the queue's redactor may keep.
It touches no database and no screen. Start with `ports`, then `reader`.
"""
