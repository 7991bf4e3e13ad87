"""The page Privacy & storage: what is never recorded, what is hidden, how much is kept, and how it is kept safe."""
