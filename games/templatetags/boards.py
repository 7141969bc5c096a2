"""Boards and games in templates."""

from collections.abc import Callable
from functools import lru_cache

from django import template
from django.template import Context
from django.utils.html import format_html_join, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext

from accounts.models import User
from accounts.server_time import server_now
from games.models import ClubMatch, Ending, Game, Seat, Tournament, Turn, Wish
from games.models.game import name_of_game
from games.queries.board_images import board_image_url, example_image_address
from games.queries.page_stamp import page_stamp
from games.queries.positions import Choice, choices_for_script
from games.queries.seats import Viewer, seat_of
from games.queries.site_cards import preview_address
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
    Ending.FINAL_DAY: gettext_lazy("Its last possible day decided this game."),
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
@lru_cache(KEPT)
def as_options(choices: tuple[Choice, ...]) -> SafeString:
    """Return the options of a list of choices."""
    rows = [(text, f"{text} – {words}" if squares else words) for text, squares, words in choices]
    return format_html_join("", '<option value="{}">{}</option>', rows)


@register.filter
@lru_cache(KEPT)
def as_script(choices: tuple[Choice, ...], are_more_hidden: bool) -> SafeString:
    """Return the data of the board's page module: choices, and whether there are hidden ones."""
    return json_script({"actions": choices_for_script(choices), "hidden": are_more_hidden})


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


@register.simple_tag
def preview_image() -> str:
    """Return the address of the picture of links to pages without a picture of their own."""
    return preview_address()


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
def game_of(slug: str) -> str:
    """Return the name of the game with this slug, in the active language."""
    return name_of_game(slug)


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


def winning_seats(game: Game) -> list[Seat]:
    """Return the seats in the first place; none in a draw, and in a game without a result."""
    seats = game.all_seats
    winners = [seat for seat in seats if seat.place == 1]
    return winners if len(winners) < len(seats) else []


def result_words(game: Game, viewer: Viewer, name_of: Callable[[User], str] = str) -> str:
    """Return how the game ended, as `viewer` is told; empty while it is running.

    `name_of` writes the names.
    """
    if game.status == Game.Status.ABORTED:
        return gettext("Aborted: this game does not count.")
    if game.status != Game.Status.FINISHED:
        return ""
    winners = winning_seats(game)
    if not winners:
        return gettext("A draw.")
    seat = seat_of(game, viewer)
    named = [name_of(one.user) for one in winners if one != seat and one.user is not None]
    names = {"names": gettext(" and ").join(named)}
    if seat not in winners:
        if seat is None:
            return ngettext("%(names)s won.", "%(names)s won.", len(named)) % names
        lost = ngettext("You lost: %(names)s won.", "You lost: %(names)s won.", len(named))
        return lost % names
    return gettext("You and %(names)s won.") % names if named else gettext("You won.")


@register.filter
def at(counts: dict[int, int], key: int) -> int:
    """Return how many there are at `key`, 0 where nothing is counted."""
    return counts.get(key, 0) if counts else 0


@register.simple_tag
def options_of(game: Game | Wish | Tournament | ClubMatch) -> list[tuple[str, str]]:
    """Return the chosen options of a table, wish, tournament or match that apply, in words."""

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
