"""The page Today: one day at a glance, its segments and its report."""
