"""Mail that comes in: received, classified, processed."""
