"""Widgets that more than one page uses, and the parts that paint themselves."""
