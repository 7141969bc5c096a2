"""Leagues: who plays in a season (`entries`), and its start, its games and its end (`seasons`)."""
