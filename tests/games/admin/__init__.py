"""Games in the admin: lists, pages, acts, who may what."""
