"""What happened on the screen, as rows: frames, non-frames with their reasons, text, search, deletes.

In: `NewFrame` and `Note` values from capture, `Reading` values from reading. Out: the frozen values of `model`. Every
text passes the redactor here, before it is written; this package alone writes the rows of spec 02 §9. Start with
`model`, then `frames`, `read_queue`, `search`, `timeline`, `deletes`.
"""
