"""What events and acts keep as data, in words for a moderator."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import TextChoices
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from accounts.models import Sanction, User
from games.admin.base import short
from games.clock.clock import StopReason
from games.clock.durations import span_in_words
from games.models import Game, Offer
from games.services.moderation.people import Running
from games.services.moderation.roles import Role
from games.templatetags.boards import ENDINGS

PEOPLE = ("player", "substitute", "former", "stand_in", "user", "to")
"""The details that hold somebody's key (`former` may be a name, too)."""


def labelled(label: object, words: object) -> str:
    """Return words after what they are about, with the active language's colon."""
    return _("%(label)s: %(words)s") % {"label": label, "words": words}


def details_in_words(
    details: Mapping[str, Any], name_of: Callable[[int], str], *, said: tuple[str, ...] = ()
) -> str:
    """Return what details say, in one order: databases keep none.

    `name_of` returns the name of somebody by their key; what is `said` elsewhere is left out.
    """
    kept = {key: value for key, value in details.items() if key not in said}
    return " · ".join(_said(kept, name_of))


def _said(details: Mapping[str, Any], name_of: Callable[[int], str]) -> Iterator[str]:
    for key in _WORDS:
        value = details.get(key)
        if value is None or value is False or value in ("", []):
            continue
        if key in PEOPLE and isinstance(value, int):
            value = name_of(value)
        elif key == "former" and "role" in details:
            value = _called(Role)(value)
        yield _WORDS[key](value)


def _called(*lists: type[TextChoices]) -> Callable[[str], str]:
    """Return what finds the name of a choice in one of our lists; anything else stays."""
    return lambda value: next(
        (str(choices(value).label) for choices in lists if value in choices.values), value
    )


def _ending(value: str) -> str:
    """Return why a game is over, or a player has left it; the rules' own reasons stay."""
    return str(ENDINGS[Game.Ending(value)]).rstrip(".") if value in ENDINGS else value


def _moment(value: str) -> str:
    moment = parse_datetime(value)
    return short(moment) if isinstance(moment, datetime) else value


def _list(value: list[Any]) -> str:
    return ", ".join(str(one) for one in value)


def _fields(value: dict[str, Any]) -> str:
    fields: Any = User._meta.fields
    names = {field.name: field.verbose_name for field in fields}
    return ", ".join(labelled(names.get(key, key), new) for key, new in value.items())


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "report": lambda value: _("report #%(number)s") % {"number": value},
    "seconds": lambda value: span_in_words(timedelta(seconds=value)),
    "seat": lambda value: _("seat %(number)s") % {"number": value},
    "places": lambda value: _("places %(places)s") % {"places": _list(value)},
    "player": str,
    "substitute": lambda value: _("now %(name)s") % {"name": value},
    "stand_in": lambda value: _("%(name)s plays on for them") % {"name": value},
    "user": str,
    "to": lambda value: _("to %(name)s") % {"name": value},
    "former": lambda value: _("formerly %(name)s") % {"name": value},
    "name": lambda value: _("now %(name)s") % {"name": value},
    "role": lambda value: _("now %(name)s") % {"name": _called(Role)(value)},
    "turn": lambda value: _("back to turn %(number)s") % {"number": value},
    "found": lambda value: _("found: %(faults)s") % {"faults": "; ".join(value)},
    "left": lambda value: _("still wrong: %(faults)s") % {"faults": "; ".join(value)},
    "was": lambda value: (
        _("its clock was already stopped: %(why)s") % {"why": _called(StopReason)(value)}
    ),
    "ending": _ending,
    "because": _ending,
    "why": _called(StopReason),
    "status": _called(Game.Status),
    "kind": _called(Offer.Kind, Sanction.Kind),
    "running": lambda value: _("running games: %(fate)s") % {"fate": _called(Running)(value)},
    "closed": lambda value: _("the table is closed"),
    "message": lambda value: _("message #%(number)s") % {"number": value},
    "mails": _list,
    "notices": _list,
    "addresses": _list,
    "changed": _fields,
    "group": lambda value: _("group %(name)s") % {"name": value},
    "renamed": lambda value: _("now %(name)s") % {"name": value},
    "granted": lambda value: _("granted: %(permissions)s") % {"permissions": _list(value)},
    "revoked": lambda value: _("taken away: %(permissions)s") % {"permissions": _list(value)},
    "english": str,
    "french": str,
    "note": str,
    "from": lambda value: _("from %(when)s") % {"when": _moment(value)},
    "began": lambda value: _("from %(when)s") % {"when": _moment(value)},
    "until": lambda value: _("until %(when)s") % {"when": _moment(value)},
    "ended": lambda value: _("until %(when)s") % {"when": _moment(value)},
}
