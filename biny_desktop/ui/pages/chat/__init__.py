"""The page Chat."""
