"""What pages show and take, and to whom."""
