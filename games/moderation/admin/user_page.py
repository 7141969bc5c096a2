"""What the page of a person shows to moderators."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.db.models import Q, Value
from django.db.models.functions import Replace
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import ModerationLogEntry, Report, Seat
from games.moderation.action_names import action_label
from games.moderation.admin.details import labelled

SHOWN = 20
"""How many games, reports and log entries the page lists, newest first."""

MOST_COMPARED = 50
"""How many addresses, and how many sessions, are compared with the person's."""


def user_page_context(
    person: User, viewer: User, *, shows_address: bool, now: datetime
) -> dict[str, Any]:
    """Return the context of admin/games/person/page.html.

    Reports about the viewer are not among them.
    """
    facts: list[tuple[str, object]] = [
        (_("user name"), person.username),
        (_("display name"), person.display_name),
        (_("language"), person.get_language_display()),
        (_("time zone"), person.time_zone),
        (_("here since"), person.date_joined),
        (_("last sign-in"), person.last_login),
        (_("address"), person.email if shows_address else ""),
    ]
    reports = list(
        Report.objects.filter(Q(person=person) | Q(reporter=person))
        .select_related("reporter", "person", "game", "message")
        .order_by("-pk")[: 2 * SHOWN]
    )
    entries = (
        ModerationLogEntry.objects.filter(person=person)
        .select_related("by")
        .order_by("-number")[:SHOWN]
    )
    return {
        "person": person,
        "suspended": person.is_barred(now),
        "muted": person.is_muted(now),
        "facts": [(label, value) for label, value in facts if value],
        "sanctions": [
            {"row": one, "is_in_force": one.is_in_force(now)} for one in person.sanctions.all()
        ],
        "games": _newest_games(person),
        "about": [one for one in reports if one.person_id == person.pk != viewer.pk],
        "theirs": [one for one in reports if one.reporter_id == person.pk],
        "entries": [
            {
                "row": one,
                "words": labelled(action_label(one.what), Truncator(one.why).chars(120)),
            }
            for one in entries
        ],
        "same_mailbox": users_with_same_mailbox(person),
        "signed_in_together": users_signed_in_together(person),
    }


def _newest_games(person: User) -> list[dict[str, Any]]:
    """Return the newest games at which a person sits, each with the others, by one query."""
    newest = Seat.objects.filter(user=person).order_by("-game_id").values("game_id")[:SHOWN]
    seats = Seat.objects.filter(game_id__in=newest).select_related("game", "user")
    tables: dict[int, list[Seat]] = {}
    for seat in seats.order_by("-game_id", "number"):
        tables.setdefault(seat.game_id, []).append(seat)
    return [
        {
            "game": table[0].game,
            "others": ", ".join(str(seat.user or "—") for seat in table if seat.user != person),
            "place": next(seat.place for seat in table if seat.user_id == person.pk),
        }
        for table in tables.values()
    ]


# Hints that two accounts may be one person's. They prove nothing: families share a line. ----------


def mailbox(address: str) -> str:
    """Return an address without dots before the @ and without its +tag."""
    local, _at, domain = address.rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"


def users_with_same_mailbox(person: User) -> list[User]:
    """Return other users whose address differs from the person's only by dots and +tags."""
    if not person.email:
        return []
    wanted = mailbox(person.email)
    base, _at, domain = wanted.partition("@")
    # Dots are removed from the whole address here, because there is an index of that.
    dotless = EmailAddress.objects.alias(key=Replace("email", Value("."), Value("")))
    near = dotless.filter(
        Q(key=f"{base}@{domain.replace('.', '')}") | Q(key__startswith=f"{base}+")
    )
    found = near.exclude(user=person).select_related("user").order_by()[:MOST_COMPARED]
    return list({one.user.pk: one.user for one in found if mailbox(one.email) == wanted}.values())


def users_signed_in_together(person: User) -> list[tuple[User, datetime]]:
    """Return other users with a session at an IP address of the person's, and when it was used.

    The most recent first. Only sessions that have not ended are known.
    """
    places = UserSession.objects.filter(user=person).values("ip")
    others = UserSession.objects.filter(ip__in=places).exclude(user=person)
    newest: dict[int, tuple[User, datetime]] = {}
    for session in others.select_related("user").order_by("-last_seen_at")[:MOST_COMPARED]:
        newest.setdefault(session.user.pk, (session.user, session.last_seen_at))
    return list(newest.values())
