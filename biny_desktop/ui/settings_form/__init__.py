"""Settings as rows of a form: words, values as they are now, and an editor by kind; Settings and Privacy show them."""
