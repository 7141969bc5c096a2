"""What stands in a row of a table: one person, or two who play as a team."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from accounts.models import User

TEAM_SIZES = (1, 2)
"""How many people an entry of a league can have."""


class TableEntry:
    """An entry of a league or tournament: `user` plays, and left it at `left_at`; None: not.

    What a table says of it is about all who play for it.
    """

    user: "User"
    left_at: datetime | None

    @property
    def members(self) -> Sequence[Self]:
        """The entries of those who play for it."""
        return [self]

    @property
    def people(self) -> "list[User]":
        """Those who play for it, in the order of their seats."""
        return [one.user for one in self.members]

    @property
    def staying(self) -> "list[User]":
        """Those who play for it and have not left."""
        return [one.user for one in self.members if one.left_at is None]

    @property
    def name(self) -> str:
        """The names of those who play for it."""
        return " & ".join(map(str, self.people))

    @property
    def gone_at(self) -> datetime | None:
        """When nobody was left who plays for it; None: somebody is."""
        left = [one.left_at for one in self.members]
        return max((at for at in left if at is not None), default=None) if all(left) else None
