"""Dialogs that several pages open."""
