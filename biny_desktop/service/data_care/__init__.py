"""Care for a home as a whole: opening it after an accident, encryption, recovery key, backup and restore, notices.

In: the folders of a home, a keyring, a `Watch` for progress and cancel. Out: frozen receipts. What changes the whole
home needs it closed (`closed.closed_home`); a backup is made beside a running app.
"""
