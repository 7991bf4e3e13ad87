"""Tools of the agent in a chat: files of opened folders, the to-do list, the text of the screen.

In: raw JSON arguments of a model, the session's log, settings, folders on disk. Out: redacted answers, events that are
committed with them, files inside opened folders after a person approved the exact change. Bad arguments and faults of
the world are answers that say `failed`, never exceptions.
"""
