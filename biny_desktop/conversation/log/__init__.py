"""The session log: append-only events with their projections, in the database or, incognito, in memory only."""
