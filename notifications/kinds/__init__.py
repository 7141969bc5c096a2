"""The kinds of mail: a line each in `registry.py`, and a folder with all that is said of it."""
