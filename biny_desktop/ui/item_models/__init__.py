"""Rows for views: item models that fetch pages through `Calls` and know no widget (tested without a window)."""
