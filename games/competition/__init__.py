"""Competitions as values: who plays whom, how tables are ordered, who moves up. No database."""
