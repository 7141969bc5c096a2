"""What a mail says and looks like."""
