"""Ladders: places, challenges, and what the periodic task does to both."""
