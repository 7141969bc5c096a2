"""Boards and games in templates."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext

from accounts.models import User
from accounts.server_time import server_now
from games.models import Ending, Game, Seat, Turn
from games.queries import lists
from games.queries.board_images import board_image_url, example_image_address
from games.queries.page_stamp import page_stamp
from games.render.svg import board_svg
from games.render.text import board_text
from games.rules.base import AnyRules, Option
from games.rules.board import Board
from games.rules.entries import taken_back_to

register = template.Library()

KEPT = 200
"""How many drawings, and boards as text, a process remembers."""

ENDINGS = {
    Ending.AGREED: gettext_lazy("The players agreed to stop."),
    Ending.RESIGNED: gettext_lazy("A player resigned."),
    Ending.TIMEOUT: gettext_lazy("A player ran out of time."),
    Ending.ABORTED: gettext_lazy("A player aborted the game."),
    Ending.NEVER_BEGUN: gettext_lazy("A player never played a turn."),
    Ending.WITHDRAWN: gettext_lazy("The table was cancelled."),
    Ending.DECLINED: gettext_lazy("The invitation was declined."),
    Ending.EXPIRED: gettext_lazy("Nobody answered in time."),
    Ending.UNREACHABLE: gettext_lazy("A player could not be reached by mail."),
    Ending.ADJUDICATED: gettext_lazy("A moderator decided this game."),
    Ending.BROKEN_OFF: gettext_lazy("A moderator aborted this game."),
    Ending.REMOVED: gettext_lazy("A moderator removed a player from the game."),
}


def page_svg(board: Board, *, title: str, description: str) -> SafeString:
    """Return a board's drawing for a page, in the active language."""
    return _drawn(board, title, description, get_language())


@lru_cache(KEPT)
def _drawn(board: Board, title: str, description: str, language: str | None) -> SafeString:
    """Return a board's drawing in the active `language`; the renderer escapes all."""
    drawn = board_svg(board, title=title, description=description, translate=gettext)
    return SafeString(drawn)


@register.simple_tag
def draw(board: Board, title: str, description: str = "") -> SafeString:
    """Draw a board."""
    return page_svg(board, title=title, description=description)


@register.filter
def as_options(choices: Iterable[Mapping[str, Any]]) -> SafeString:
    """Return the options of a list of turns, which a loop in a template takes longer to write."""
    rows = []
    for choice in choices:
        text, words = choice["text"], choice["words"]
        rows.append((text, f"{text} – {words}" if choice["squares"] else words))
    return format_html_join("", '<option value="{}">{}</option>', rows)


@register.filter
def as_text(board: Board) -> str:
    """Return the board as text."""
    return _written(board, get_language())


@lru_cache(KEPT)
def _written(board: Board, language: str | None) -> str:
    """Return a board as text in the active `language`."""
    return board_text(board, translate=gettext)


@register.simple_tag(takes_context=True)
def image_url(context: Context, game: Game) -> str:
    """Return the address of the drawing of a game's newest position."""
    return board_image_url(game, context["user"])


@register.filter
def example_image(rules: AnyRules) -> str:
    """Return the address of a drawing that shows what a game looks like."""
    return example_image_address(rules.slug)


@register.simple_tag(takes_context=True)
def stamp_of(context: Context, game: Game) -> str:
    """Return the stamp of a game's page for its reader."""
    request = context["request"]
    session = request.session.session_key or ""
    return page_stamp(game, request.user.pk or 0, session, now=server_now())


@register.filter
def entry(turn: Turn) -> str:
    """Return an entry of the record for a list of turns; a takeback in words."""
    back = taken_back_to(turn.notation)
    return turn.notation if back is None else gettext("back to %(number)s") % {"number": back}


@register.filter
def game_name(rules: AnyRules) -> str:
    """Return a game's name in the active language."""
    return gettext(rules.name)


@register.filter
def game_summary(rules: AnyRules) -> str:
    """Return a game's one sentence in the active language."""
    return gettext(rules.summary)


@register.simple_tag
def players(game: Game) -> list[User]:
    """Return everybody at a game, in the order of the seats."""
    return [seat.user for seat in game.all_seats if seat.user]


@register.filter
def ending_words(game: Game) -> str:
    """Return why a game is over, in the words of its rules or ours."""
    if game.ending in game.rules.reasons or game.ending not in Ending.values:
        return game.rules.reason(game.ending).translated(gettext)
    return str(ENDINGS[Ending(game.ending)])


@register.filter
def points_words(game: Game) -> str:
    """Return each side's points in a sentence, and what decided where the points did not."""
    sides, teams = game.rules.sides(game.options), dict[int, list[Seat]]()
    for seat in game.all_seats:
        teams.setdefault(sides[seat.number], []).append(seat)
    ranked: list[tuple[int, int, list[str]]] = []
    for team in teams.values():
        points = [seat.points for seat in team if seat.points is not None]
        if len(points) < len(team):
            return ""
        ranked.append((team[0].place or 0, sum(points), [str(seat.user) for seat in team]))
    ranked.sort(key=lambda one: one[0])
    (_place, most, first), *others = ranked
    has = ngettext("%(name)s has %(points)s point", "%(name)s has %(points)s points", most)
    if len(first) > 1:
        has = ngettext("%(name)s have %(points)s point", "%(name)s have %(points)s points", most)
    together = gettext(" and ")
    said = [has % {"name": together.join(first), "points": most}]
    said += [f"{together.join(names)} {points}" for _place, points, names in others]
    sentences = [f"{', '.join(said)}."]
    by_points = (1 + sum(other > points for _, other, _ in ranked) for _, points, _ in ranked)
    if tuple(by_points) != tuple(place for place, _, _ in ranked):
        if game.ending in game.rules.decisive:
            sentences.append(gettext(game.rules.decisive[game.ending]))
        elif any(seat.left_at for seat in game.all_seats):
            sentences.append(gettext("Who leaves a game comes behind those who stay."))
    return " ".join(sentences)


@register.filter
def at(counts: dict[int, int], key: int) -> int:
    """Return how many there are at `key`, 0 where nothing is counted."""
    return counts.get(key, 0) if counts else 0


@register.simple_tag
def options_of(game: Game) -> list[tuple[str, str]]:
    """Return the chosen options of a table that apply, in words."""

    def words(option: Option, value: object) -> str:
        if value is None:
            return gettext("off")
        if isinstance(value, bool):
            return gettext("yes") if value else gettext("no")
        return gettext(dict[object, str](option.choices).get(value, str(value)))

    return [
        (gettext(option.label), words(option, game.options.get(option.key)))
        for option in game.rules.options()
        if option.applies(game.options)
    ]


@register.inclusion_tag("games/_profile_games.html", takes_context=True)
def games_of(context: Context, person: User) -> dict[str, object]:
    """List a person's games that the reader may see."""
    games = lists.games_of(person, context["user"])
    return {"person": person, "games": games, "user": context["user"]}
