"""The window: tray, main window, pages, widgets; the only package that knows Qt.

In: one `service.product.Product`, whose methods are called on pool threads (`calls`), and the events of the core, which
`bridge` turns into Qt signals. Out: what a person sees and does. No query and no file work happens in the GUI thread.
Start with `application`, then `main_window`, `pages.base`, `theme`.
"""
