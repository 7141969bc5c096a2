"""Pairings, standings and promotion, computed from their arguments without the database."""
