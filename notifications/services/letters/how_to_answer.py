"""How a letter is answered, said in the letter: its reader may never have seen the website."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.models import Event, Game
from notifications.models import Kind
from notifications.services.letters.legal import shown_legal

Facts = Mapping[str, Any]


def how_to_answer(kind: str, facts: Facts, game: Game | None) -> str:
    """Return what a reply to a letter of this kind may say, in the active language; or nothing."""
    return _OF_KIND.get(kind, _any)(facts, game) if facts["can_reply"] else ""


def _any(facts: Facts, game: Game | None) -> str:
    return _play(game) if game is not None and facts["my_turn"] else ""


def _play(game: Game) -> str:
    example = "".join(shown_legal(game)[-1:])
    said = _("To play, reply to this mail with your turn on the first line.")
    if example:
        said = _(
            "To play, reply to this mail with your turn, such as “%(turn)s”, on the first line."
        )
    below = _("What you write right below it is said to the other players.")
    return " ".join([said % {"turn": example}, below, _help()])


def _help() -> str:
    return _("“help” gets you everything that you can answer.")


def _begun(facts: Facts, game: Game | None) -> str:
    return _any(facts, game) or _("Each of these mails can be replied to.") + " " + _help()


def _asked(facts: Facts, game: Game | None) -> str:
    return _("Reply to this mail with “accept” or “decline”.")


def _invited(facts: Facts, game: Game | None) -> str:
    said = _("Or reply to this mail: “accept” or “decline” on the first line is enough.")
    rules = _("“rules” sends you the rules first.")
    by_mail = _("You can play the whole game by mail then, without a password.")
    return " ".join([said, by_mail, rules])


def _offer(facts: Facts, game: Game | None) -> str:
    made = facts["event"] == Event.Kind.OFFER_MADE
    return _asked(facts, game) if made else _any(facts, game)


def _over(facts: Facts, game: Game | None) -> str:
    return _(
        "Reply to this mail with “rematch” to play again, "
        "or with “say” and some words to talk to the others."
    )


def _answered(facts: Facts, game: Game | None) -> str:
    if facts["asked"]:
        return _asked(facts, game)
    again = _("You can reply to this mail too: the numbers mean the same games.")
    return again if facts["numbered"] else _any(facts, game)


def _message(facts: Facts, game: Game | None) -> str:
    say = _("To answer, reply to this mail with “say” and your words on the first line.")
    return " ".join(filter(None, [say, _any(facts, game)]))


_OF_KIND: Mapping[str, Callable[[Facts, Game | None], str]] = {
    Kind.GAME_BEGUN: _begun,
    Kind.CHALLENGE: _asked,
    Kind.INVITATION: _invited,
    Kind.OFFER: _offer,
    Kind.GAME_OVER: _over,
    Kind.MESSAGE: _message,
    Kind.ANSWER: _answered,
}
