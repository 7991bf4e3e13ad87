"""The page Approvals."""
