"""What a player's time does: runs, stands, is given, runs out."""
