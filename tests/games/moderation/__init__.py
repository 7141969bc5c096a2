"""What moderators and administrators do, through the services."""
