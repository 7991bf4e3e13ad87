"""Start at login: one entry of this user, written in the system's own way, its real state read back each time.

In: the command that starts the app. Out: an XDG autostart file (Linux), a LaunchAgent (macOS) or a value below the Run
key (Windows). Touches nothing else; entries of others are left alone and told. `pick` chooses and says why.
"""
