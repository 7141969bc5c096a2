"""The details of events and log entries, in words for a moderator."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import TextChoices
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from accounts.models import Sanction, User
from games.clock.clock import StopReason
from games.clock.durations import span_in_words
from games.models import Ending, Game, Offer
from games.moderation.action_names import Running
from games.moderation.admin.large_tables import short_moment
from games.moderation.roles import Role
from games.templatetags.boards import ENDINGS

PEOPLE = ("player", "substitute", "former", "stand_in", "user", "to")
"""The details that hold a user's key (`former` may be a name, too)."""


def labelled(label: object, words: object) -> str:
    """Return "label: words", with the active language's colon."""
    return _("%(label)s: %(words)s") % {"label": label, "words": words}


def details_in_words(
    details: Mapping[str, Any], name_of: Callable[[int], str], *, left_out: tuple[str, ...] = ()
) -> str:
    """Return details in words, always in the same order (databases keep none).

    `name_of` returns a user's name by their key.
    """
    words = []
    for key, describe in DESCRIBE.items():
        value = details.get(key)
        if key in left_out or value is None or value is False or value in ("", []):
            continue
        if key in PEOPLE and isinstance(value, int):
            value = name_of(value)
        elif key == "former" and "role" in details:
            value = _choice_label(Role)(value)
        words.append(describe(value))
    return " · ".join(words)


def _choice_label(*choices: type[TextChoices]) -> Callable[[str], str]:
    """Return a function that labels a value of these choices; other values stay."""
    return lambda value: next(
        (str(each(value).label) for each in choices if value in each.values), value
    )


def _ending(value: str) -> str:
    """Return why a game is over, or a player has left it; the rules' own reasons stay."""
    return str(ENDINGS[Ending(value)]).rstrip(".") if value in ENDINGS else value


def _moment(value: str) -> str:
    moment = parse_datetime(value)
    return short_moment(moment) if isinstance(moment, datetime) else value


def _list(value: list[Any]) -> str:
    return ", ".join(str(one) for one in value)


def _fields(value: dict[str, Any]) -> str:
    fields: Any = User._meta.fields
    names = {field.name: field.verbose_name for field in fields}
    return ", ".join(labelled(names.get(key, key), new) for key, new in value.items())


DESCRIBE: Mapping[str, Callable[[Any], str]] = {
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
    "role": lambda value: _("now %(name)s") % {"name": _choice_label(Role)(value)},
    "turn": lambda value: _("back to turn %(number)s") % {"number": value},
    "found": lambda value: _("found: %(faults)s") % {"faults": "; ".join(value)},
    "left": lambda value: _("still wrong: %(faults)s") % {"faults": "; ".join(value)},
    "was": lambda value: (
        _("its clock was already stopped: %(why)s") % {"why": _choice_label(StopReason)(value)}
    ),
    "ending": _ending,
    "because": _ending,
    "why": _choice_label(StopReason),
    "status": _choice_label(Game.Status),
    "kind": _choice_label(Offer.Kind, Sanction.Kind),
    "running": lambda value: _("running games: %(fate)s") % {"fate": _choice_label(Running)(value)},
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
