"""The page Reports: a calendar of days and weeks, and the report of the chosen one."""
