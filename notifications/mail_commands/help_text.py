"""The list of what can be answered, with the commands that fit the moment."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain

from django.utils.translation import gettext as _

from accounts.models import User, Vacation
from games.clock.clock import StopReason
from games.models import Game
from games.queries.seats import is_mover, seat_of
from games.services.endings import can_abort
from notifications.emails.formatting import example_turns


def list_commands(game: Game | None, user: User, now: datetime) -> str:
    """Return what a user can answer about a game now, and at any time, a line each.

    `game` is None for a mail that is about no game.
    """
    sections: list[tuple[str, Iterator[tuple[str, str]]]] = []
    if game is not None and seat_of(game, user) is not None:
        if game.is_over:
            again = (_("rematch"), _("asks for another game"))
            sections.append((_("At this game, which is over:"), chain([again], _about_game())))
        elif game.started_at is not None:
            sections.append((_("At this game:"), _while_running(game, user, now)))
    elif game is not None and game.started_at is None and seat_of(game, user) is not None:
        leave = (_("leave"), _("leaves the table or cancels it, after you have confirmed it"))
        sections.append((_("At this table:"), iter([leave])))
    elif game is not None and game.started_at is None:
        answer = (_("accept, decline"), _("answers the invitation"))
        sections.append((_("At this table:"), iter([answer])))
    sections.append((_("At any time:"), _at_any_time(user, now)))
    return "\n\n".join(
        "\n".join([title, *(f"{word} – {meaning}" for word, meaning in lines)])
        for title, lines in sections
    )


def _while_running(game: Game, user: User, now: datetime) -> Iterator[tuple[str, str]]:
    """Yield what can be answered about a running game."""
    if is_mover(game, user):
        examples = _(" or ").join(example_turns(game))
        turn = _("a turn, such as %(examples)s") if examples else _("a turn")
        yield turn % {"examples": examples}, _("plays it; text below it is sent to your opponents")
        yield _("legal"), _("sends you the turns that are legal")
        yield _("later 8h"), _("reminds you in eight hours")
    else:
        yield (
            _("if … then …"),
            _("plays the second turn at once if the first is played; nobody else sees it"),
        )
        yield _("more time"), _("gives the opponent whose turn it is more time")
    yield _("plans, drop plans"), _("sends you what you have planned, drops it")
    if game.may_undo(user.pk, now=now):
        yield _("undo"), _("undoes your turn: nobody else has seen it yet")
    offers = list(game.offers.open().values_list("seat__user", flat=True))
    if any(by != user.pk for by in offers):
        yield _("accept, decline"), _("answers the offer")
    if user.pk in offers:
        yield _("withdraw"), _("withdraws your offer")
    yield _("offer"), _("offers to end the game by agreement")
    yield _("takeback"), _("offers to take back your newest turn")
    if game.stop_reason == StopReason.PAUSED:
        yield _("resume"), _("ends the pause")
    else:
        yield _("pause 7"), _("offers a pause of 3, 7, 14 or 30 days")
    yield _("resign"), _("resigns the game, after you have confirmed it")
    if can_abort(game):
        yield _("abort"), _("ends the game without a result, after you have confirmed it")
    if game.stop_reason == StopReason.UNDELIVERED:
        yield (
            _("win, abort"),
            _("ends your wait for an opponent whom no mail reaches, after you have confirmed it"),
        )
    yield from _about_game()
    yield _("clock"), _("sends you why the deadline is when it is")


def _about_game() -> Iterator[tuple[str, str]]:
    """Yield what can be answered about a game that has begun, running or not."""
    yield _("say …"), _("says something to your opponents")
    yield _("note …, notes"), _("keeps a note that only you can read; sends you your notes")
    yield _("board, history, rules"), _("sends you the board, the turns so far or the rules")
    yield _("mute, unmute"), _("hides what your opponent says in this game; shows it again")
    yield _("report …"), _("tells the moderators what happened, after you have confirmed it")


def _at_any_time(user: User, now: datetime) -> Iterator[tuple[str, str]]:
    """Yield what can be answered to every mail."""
    yield _("games"), _("sends you the list of your games")
    yield _("game 12, record 12"), _("sends you the board, or the record, of that game")
    yield _("tables"), _("sends you the open tables")
    yield _("join 12"), _("sits down at that table, after you have confirmed it")
    yield _("leave 12"), _("leaves that table or cancels it, after you have confirmed it")
    yield _("new"), _("opens a table, after you have confirmed it; “new” explains more")
    yield (
        _("find opponent"),
        _("joins the table that has waited longest; with a game, looks until one is found"),
    )
    yield _("wishes, withdraw wish 12"), _("sends you what you look for; ends a search")
    yield _("leagues"), _("sends you the leagues")
    yield (
        _("join league, skip season, leave league"),
        _("plays the next season of a league, skips it, leaves; after you have confirmed it"),
    )
    yield (
        _("join league with bob"),
        _("asks bob to be your partner in a league of teams, or accepts what bob has asked"),
    )
    yield _("ladders"), _("sends you the ladders, with your places")
    yield (
        _("join ladder, challenge bob on ladder, leave ladder"),
        _("plays on the ladder of the game that you name last; after you have confirmed it"),
    )
    yield _("tournaments"), _("sends you the tournaments, with their numbers")
    yield (
        _("join tournament 12, leave tournament 12"),
        _("plays in that tournament, leaves it; after you have confirmed it"),
    )
    yield _("puzzle, puzzle off"), _("sends you the puzzle of each day, or no more puzzles")
    yield _("profile bob"), _("sends you what you may know about that player")
    yield _("block bob"), _("ends their challenges and messages to you; “unblock bob” allows them")
    if Vacation.objects.filter(user=user, ends_at__gt=now).exists():
        yield _("vacation end"), _("ends your vacation")
    else:
        away = _("stops your clocks for ten days; or from 2026-12-20 2027-01-03")
        yield _("vacation 10"), away
    yield (
        _("settings"),
        _("sends you your settings (language, time zone, digest …) and how to change them"),
    )
    yield _("quiet, loud"), _("fewer mails, all mails")
    yield _("yes, no"), _("answers what we asked you before doing it")
    yield _("help"), _("sends you this list")
