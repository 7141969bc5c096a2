"""Everything that moderators and administrators do. Each action has a reason, in the log."""
