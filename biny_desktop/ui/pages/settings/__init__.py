"""The page Settings: every declared setting, by group, searchable."""
