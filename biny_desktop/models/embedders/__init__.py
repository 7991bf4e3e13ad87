"""The embedders of this machine, one module each; none of them ever uses the network.

In: redacted texts. Out: raw unit vectors with the fingerprint of what made them. Which one is used:
`models.embedder_choice`.
"""
