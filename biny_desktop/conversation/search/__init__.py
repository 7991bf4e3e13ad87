"""Finding messages: by words, by meaning and by both; never mixed with facts or screens."""
