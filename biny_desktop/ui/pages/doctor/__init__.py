"""The page Doctor: how the app is, why, and a report to hand on."""
