"""Whose messages a reader does not want to read."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Block, User
from games.models import Message, Mute


def visible_messages(reader: User, said: QuerySet[Message]) -> QuerySet[Message]:
    """Keep what a reader wants to read: nothing of whom they blocked, or muted at that game.

    A muted seat is muted with whoever sat there before. One's own words are always heard.
    """
    blocked = Block.objects.filter(by=reader, of=OuterRef("author"))
    sits = Q(seat__user=OuterRef("author")) | Q(seat__takeovers__former=OuterRef("author"))
    muted = Mute.objects.filter(sits, user=reader, seat__game=OuterRef("game"))
    return said.filter(Q(author=reader) | ~(Exists(blocked) | Exists(muted)))
