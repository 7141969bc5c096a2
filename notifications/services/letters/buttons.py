"""The one button of a letter: what it says and where it leads."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.models import Event
from notifications.models import Kind

Facts = Mapping[str, Any]
Button = tuple[str, str]


def button_of(kind: str, facts: Facts) -> Button:
    """Return label and address of the button of a letter of this kind."""
    return _BUTTONS.get(kind, _game)(facts)


def _game(facts: Facts) -> Button:
    label = _("Play your turn") if facts["my_turn"] else _("Look at the game")
    return label, facts["url"]


def _over(facts: Facts) -> Button:
    return _("Replay the game"), facts["url"]


def _message(facts: Facts) -> Button:
    return (_("Answer"), facts["url"] + "#conversation") if not facts["my_turn"] else _game(facts)


def _challenge(facts: Facts) -> Button:
    return _("Answer the challenge"), facts["invitation_url"]


def _invitation(facts: Facts) -> Button:
    return _("Look at the invitation"), facts["invitation_url"]


def _offer(facts: Facts) -> Button:
    made = facts["event"] == Event.Kind.OFFER_MADE
    return (_("Answer the offer"), facts["url"]) if made else _game(facts)


def _table(facts: Facts) -> Button:
    if facts["closed"]:
        return _("Make a new table"), facts["new_table_url"]
    return _("Look at the table"), facts["url"]


def _vacation(facts: Facts) -> Button:
    return _("Look at your vacations"), facts["your_time_url"]


_BUTTONS: Mapping[str, Callable[[Facts], Button]] = {
    Kind.CHALLENGE: _challenge,
    Kind.GAME_OVER: _over,
    Kind.MESSAGE: _message,
    Kind.INVITATION: _invitation,
    Kind.OFFER: _offer,
    Kind.TABLE_NEWS: _table,
    Kind.VACATION: _vacation,
}
