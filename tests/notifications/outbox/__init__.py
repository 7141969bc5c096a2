"""Who is told of what, when, and how the mail fares."""
