"""Mail that comes in: its doors, its reading one after the other, what becomes of it."""
