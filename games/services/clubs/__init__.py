"""Clubs: their members, tables, announcements, and matches of two clubs."""
