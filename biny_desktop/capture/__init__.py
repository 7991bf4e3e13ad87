"""From an input event to a kept picture, or to a row that says why nothing was kept.

In: windows, input counts, presence and pixels through the protocols in `ports` (real ones in `platforms`). Out:
`NewFrame` and `Note` values handed to a `FrameSink`; this package writes no frame row and reads no text. Start with
`ports`, then `recorder`.
"""
