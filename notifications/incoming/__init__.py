"""Mail that comes in: kept (`receiving`), classified, and processed one after the other."""
