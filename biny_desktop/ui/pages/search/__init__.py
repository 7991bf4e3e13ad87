"""The page Search: one box, three tabs that never mix their ranking."""
