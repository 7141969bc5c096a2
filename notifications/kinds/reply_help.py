"""How a mail is answered, said in the mail: its reader may never have seen the website."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.models import Game
from notifications.services.emails.legal_moves import format_legal_moves


def turn_help(context: Mapping[str, Any], game: Game | None) -> str:
    """Return how to play by a reply; empty where it is not the reader's turn."""
    if game is None or not context["my_turn"]:
        return ""
    example = "".join(format_legal_moves(game)[-1:])
    said = _("To play, reply to this mail with your turn on the first line.")
    if example:
        said = _(
            "To play, reply to this mail with your turn, such as “%(turn)s”, on the first line."
        )
    below = _("What you write right below it is said to the other players.")
    return " ".join([said % {"turn": example}, below, command_help()])


def command_help() -> str:
    """Return how to learn of everything that can be answered."""
    return _("“help” gets you everything that you can answer.")


def accept_help() -> str:
    """Return how to accept or decline by a reply."""
    return _("Reply to this mail with “accept” or “decline”.")
