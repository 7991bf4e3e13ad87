"""Biny Desktop: a tray app that keeps understanding one person, on that person's own machine."""

__version__ = "0.1.0"
