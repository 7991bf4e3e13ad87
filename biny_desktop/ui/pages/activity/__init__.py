"""The page Activity: what was recorded, when, why, and why not. Start with `page`."""
