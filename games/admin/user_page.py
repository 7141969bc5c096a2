"""What the page of a person shows to moderators."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from accounts.models import User
from games.admin.details import labelled
from games.admin.shared_accounts import same_mailbox, signed_in_together
from games.models import Act, Game, Report, Seat
from games.services.moderation.action_names import action_label

SHOWN = 20
"""How many games, reports and acts the page lists, newest first."""


def user_page_context(
    person: User, viewer: User, *, shows_address: bool, now: datetime
) -> dict[str, Any]:
    """Return the context of admin/games/person/page.html.

    Nobody reads there what is reported about themselves.
    """
    reports = _reports(person)
    return {
        "person": person,
        "barred": person.is_barred(now),
        "muted": person.is_muted(now),
        "facts": _facts(person, shows_address=shows_address),
        "sanctions": [
            {"row": one, "stands": one.is_in_force(now)} for one in person.sanctions.all()
        ],
        "games": _games(person),
        "about": [one for one in reports if one.person_id == person.pk != viewer.pk],
        "theirs": [one for one in reports if one.reporter_id == person.pk],
        "acts": _acts(person),
        "mailboxes": same_mailbox(person),
        "overlaps": signed_in_together(person),
    }


def _facts(person: User, *, shows_address: bool) -> list[tuple[str, object]]:
    facts: list[tuple[str, object]] = [
        (_("user name"), person.username),
        (_("display name"), person.display_name),
        (_("language"), person.get_language_display()),
        (_("time zone"), person.time_zone),
        (_("here since"), person.date_joined),
        (_("last sign-in"), person.last_login),
    ]
    if shows_address:
        facts.append((_("address"), person.email))
    return [(label, value) for label, value in facts if value]


def _games(person: User) -> list[dict[str, Any]]:
    """Return the newest games at which a person sits, each with the others: one question."""
    newest = Seat.objects.filter(user=person).order_by("-game_id").values("game_id")[:SHOWN]
    seats = Seat.objects.filter(game_id__in=newest).select_related("game", "user")
    tables: dict[int, list[Seat]] = {}
    for seat in seats.order_by("-game_id", "number"):
        tables.setdefault(seat.game_id, []).append(seat)
    return [_game_row(sitting, person) for sitting in tables.values()]


def _game_row(seats: Sequence[Seat], person: User) -> dict[str, Any]:
    game: Game = seats[0].game
    others = [str(seat.user or "—") for seat in seats if seat.user_id != person.pk]
    return {
        "game": game,
        "others": ", ".join(others),
        "place": next(seat.place for seat in seats if seat.user_id == person.pk),
    }


def _reports(person: User) -> list[Report]:
    """Return the newest reports by and about a person."""
    concerned = Report.objects.filter(Q(person=person) | Q(reporter=person))
    named = concerned.select_related("reporter", "person", "game", "message")
    return list(named.order_by("-pk")[: 2 * SHOWN])


def _acts(person: User) -> list[dict[str, Any]]:
    acts = Act.objects.filter(person=person).select_related("by").order_by("-number")[:SHOWN]
    return [
        {"row": act, "words": labelled(action_label(act.what), Truncator(act.why).chars(120))}
        for act in acts
    ]
