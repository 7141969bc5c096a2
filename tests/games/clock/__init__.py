"""Clocks, absences, stops and what happens when time runs out."""
