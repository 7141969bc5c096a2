"""Taking a person in hand: the lock of their row, under which what is theirs changes."""

from accounts.models import User


def locked_person(key: int) -> User:
    """Return somebody with their row locked until the transaction ends.

    Rows that name them can still be written meanwhile. Raises User.DoesNotExist.
    """
    return User.objects.select_for_update(no_key=True).get(pk=key)
