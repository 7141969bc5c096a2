"""What moderators and hosts do, through the services."""
