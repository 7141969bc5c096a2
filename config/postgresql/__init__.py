"""Django's PostgreSQL backend, which notices a closed connection without asking a statement."""
