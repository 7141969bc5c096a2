"""What moderators do to games: a file a noun. Every act is an event and an entry of the log."""
