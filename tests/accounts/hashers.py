"""A password hasher whose work can be counted."""

from django.contrib.auth.hashers import MD5PasswordHasher


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is hashed, to be kept or to be compared."""

    calls = 0

    def encode(self, password, salt):
        CountingHasher.calls += 1
        return super().encode(password, salt)


class OlderHasher(MD5PasswordHasher):
    """A hasher that was preferred once: what it made is hashed anew at the next sign-in."""

    algorithm = "older"
