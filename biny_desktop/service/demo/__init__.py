"""The demo: a few real windows, used with real input for half a minute, and an account of what was recorded.

In: a product whose home belongs to the demo. Out: an account (frames, reasons, texts, redactions, one search). It
starts child processes (windows, and a virtual display where there is none). Start with `play`, then `account`.
"""
