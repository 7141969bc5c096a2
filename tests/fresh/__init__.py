"""Tries the README's two commands on a bare Debian: `make fresh`.

Uses the standard library alone: nothing is installed yet when it runs.
"""
