"""The command line `biny`: thin commands over `service.Product`, with `--json` on every one.

In: arguments. Out: text or exactly one JSON object on stdout, errors on stderr (or as JSON), exit status 0, 1 or 2. It
holds no rule of the product. Start with `main`.
"""
