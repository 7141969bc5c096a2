"""From what happened to a mail on its way: who is told of what, when, and how it went."""
