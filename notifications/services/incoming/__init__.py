"""Mail that comes in: taken, kept, and read one after the other."""
