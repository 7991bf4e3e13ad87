"""The page Models: what is connected, how search by meaning stands, what waits for a model, and every call."""
