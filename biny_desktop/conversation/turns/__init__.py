"""Execution checkpoints of turns, and what becomes of a turn that was interrupted (spec 05 §7)."""
