"""Tournaments: who plays (`entries`), and their start, rounds and end (`rounds`)."""
