"""The shared kernel: pure types and rules that every other package may use.

In: plain values, an injected clock, injected ids. Out: frozen values. It touches no database, no network and no screen.
Modules: `errors`, `text`, `clock`, `ids`, `days`, `anchors`, `events`, `settings`, `geometry`, `resources`.
"""
