"""How players treat each other: what they say, do not want to read, and report."""
