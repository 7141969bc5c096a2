"""Wishes for the tests, made through the service."""

from datetime import timedelta

from games.clock.time_control import per_turn
from games.models import Wish
from games.services.wishes import make_wish

THREE_DAYS = per_turn(timedelta(days=3))


def wish_for(user, *, now, slug="morpion", pace=THREE_DAYS, via=Wish.Via.WEB, **choices):
    """Let a user wish for opponents; return the wish."""
    choices = {"options": {}} | choices
    return make_wish(user=user, rules_slug=slug, pace=pace, via=via, now=now, **choices)


def stored(wish):
    """Return a wish as it is stored now."""
    return Wish.objects.get(pk=wish.pk)
