"""Where bytes rest: the encrypted database, its migrations, sealed pictures, keys, leases and atomic files.

In: SQL with named parameters and bytes from the domain packages' `*_store.py` modules. Out: typed rows and bytes. It
may touch the data, config and log folders and the system keyring, nothing else; it knows no domain word. Start with
`database`, then `folders`, `keys`, `pictures`, `text_index`.
"""
