"""The lock of a person's row: what is theirs, and what they may do so often, changes under it.

A transaction that locks games as well locks them first.
"""

from accounts.models import User


def lock_user(key: int) -> User:
    """Return somebody with their row locked until the transaction ends.

    Rows that name them can still be written meanwhile. Raises User.DoesNotExist.
    """
    return User.objects.select_for_update(no_key=True).get(pk=key)
