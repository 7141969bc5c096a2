"""Previews of links to games, and the pictures of positions and results that they show."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, ngettext, override
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.paths import page_path
from games import errors
from games.clock.durations import pace_in_words
from games.models import Game, Turn
from games.queries.positions import Moment, moment_at, words_of_moment
from games.queries.seats import game_for
from games.queries.site_cards import card_digest, draw_card, draw_preview, drawn_name, site_host
from games.render.card import Card, CardPlayer, CardShape, Postmark
from games.rules.registry import UnknownGame
from games.templatetags.boards import ending_words, result_words, winning_seats
from games.views.boards import HEADERS

NameOf = Callable[[User], str]


@dataclass(frozen=True)
class LinkPreview:
    """What a page that links to a game shows of it; `image` is an address of this site."""

    title: str
    description: str
    image: str
    alt: str
    address: str


def preview_of(game: Game, number: int, turn: Turn | None, words: str) -> LinkPreview | None:
    """Return the preview of a game after `number` turns, or of a table; None if it is private.

    `turn` is the newest of these, and `words` say what it did ("Ann marks 5"); it reads nothing.
    """
    if not game.is_public:
        return None
    card = _card(game, number, turn, words, name_of=str)
    names = " – ".join(player.name for player in card.players)
    sentences = [names + "." if names else "", *card.lines]
    if game.is_over and number == game.turn_number:
        sentences.insert(1, card.title)
    whole = number == game.turn_number
    return LinkPreview(
        title=f"{gettext(game.rules.name)} #{game.pk}" + (f": {names}" if names else ""),
        description=" ".join(filter(None, sentences)),
        image=_picture_address(game, number, turn, card),
        alt=gettext("The board after turn %(shown)s") % {"shown": number}
        if number
        else gettext("The board at the start"),
        address=game.get_absolute_url() if whole else page_path("game_turn", game.pk, number),
    )


def _card(game: Game, number: int, turn: Turn | None, words: str, *, name_of: NameOf) -> Card:
    """Return the words of a card, in the active language; `name_of` writes the names."""
    name = f"{gettext(game.rules.name)} #{game.pk}"
    if game.is_over and number == game.turn_number and game.started_at is not None:
        return _final_card(game, name, name_of)
    if game.started_at is None:
        free = sum(seat.user is None for seat in game.all_seats)
        seats = ngettext("%(free)s seat is free.", "%(free)s seats are free.", free)
        pace = gettext("Pace: %(pace)s.") % {"pace": pace_in_words(game.terms.pace)}
        is_open = game.status == Game.Status.OPEN
        return Card(
            label=gettext("An open table") if is_open else name,
            title=gettext(game.rules.name) if is_open else gettext("This table is closed."),
            players=_players(game, name_of),
            lines=(seats % {"free": free}, pace) if is_open else (),
            site=settings.SITE_NAME,
        )
    label = gettext("Turn %(number)s") % {"number": number} if turn else gettext("The start")
    return Card(
        label=f"#{game.pk} · {label}",
        title=gettext(game.rules.name),
        players=_players(game, name_of),
        lines=(f"{words}.",) if words else (),
        site=settings.SITE_NAME,
    )


def _final_card(game: Game, name: str, name_of: NameOf) -> Card:
    begun, ended = (
        (moment or game.created_at).astimezone(UTC) for moment in (game.started_at, game.ended_at)
    )
    until = date_format(ended, "DATE_FORMAT")
    when = gettext("On %(ended)s.") % {"ended": until}
    if begun.date() != ended.date():
        kind = "j F" if begun.year == ended.year else "DATE_FORMAT"
        days = {"begun": date_format(begun, kind), "ended": until}
        when = gettext("From %(begun)s to %(ended)s.") % days
    turns = ngettext("%(count)s turn.", "%(count)s turns.", game.turn_number)
    return Card(
        label=name,
        title=result_words(game, AnonymousUser(), name_of),
        players=_players(game, name_of),
        lines=(ending_words(game), turns % {"count": game.turn_number}, when),
        site=settings.SITE_NAME,
        postmark=Postmark(site_host(), date_format(ended, "j M"), date_format(ended, "Y")),
    )


def _players(game: Game, name_of: NameOf) -> tuple[CardPlayer, ...]:
    winners = winning_seats(game)
    return tuple(
        CardPlayer(
            number=seat.number + 1,
            side=game.rules.seat_colour(game.options, seat.number),
            name=name_of(seat.user),
            won=seat in winners,
            note="" if seat.points is None else str(seat.points),
        )
        for seat in game.all_seats
        if seat.user is not None
    )


def _picture_address(game: Game, number: int, turn: Turn | None, card: Card) -> str:
    played = turn.hash if turn else (game.rules_slug, game.options)
    digest = card_digest(card, played)
    return reverse("game_picture", args=[game.pk, number, get_language(), digest])


# Pictures -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CardPosition:
    """A position of a game with the turn that led to it, if any, to be drawn on a card."""

    game: Game
    turn: Turn | None
    moment: Moment

    def card(self, name_of: NameOf) -> Card:
        """Return the words of the card, in the active language; `name_of` writes the names."""
        said = ""
        if self.turn is not None:
            words = words_of_moment(self.game, self.moment)
            values = {"player": name_of(self.turn.player), "words": words}
            said = gettext("%(player)s %(words)s") % values
        number = self.turn.number if self.turn else 0
        return _card(self.game, number, self.turn, said, name_of=name_of)

    def draw(self, shape: CardShape) -> HttpResponse:
        """Answer the card as PNG."""
        board = self.game.rules.board(self.moment.position, None, self.moment.actions)
        drawn = draw_card(self.card(drawn_name), board, shape, get_language() or "en")
        return HttpResponse(drawn, content_type="image/png")


def card_position(game: Game, number: int) -> CardPosition:
    """Return the position of a game after `number` turns; of a table its start."""
    turn = game.turns.select_related("player").filter(number=number).first()
    if game.started_at is None:
        start = game.rules.initial(game.options)
        return CardPosition(game, None, Moment(start, start))
    return CardPosition(game, turn, moment_at(game, number))


@require_safe
def game_picture(
    request: HttpRequest, pk: int, turn: int, language: str, digest: str
) -> HttpResponse:
    """Return the picture of a public game after `turn` turns, as anybody may see it.

    An address whose words are no longer right (a name changed, the game ended) leads to the new
    one. This view is called without session: `EarlyAnswersMiddleware`.
    """
    if language not in dict(settings.LANGUAGES):
        return HttpResponseNotFound()
    try:
        with override(language):
            game = game_for(pk, AnonymousUser())
            if not game.is_public or turn > game.turn_number:
                return HttpResponseNotFound()
            shown = card_position(game, turn)
            address = _picture_address(game, turn, shown.turn, shown.card(str))
            if not address.endswith(f"-{digest}.png"):
                return HttpResponseRedirect(address)
            if request.headers.get("If-None-Match") == f'"{digest}"':
                return kept_for_good(HttpResponse(status=HTTPStatus.NOT_MODIFIED), digest)
            return kept_for_good(shown.draw("wide"), digest)
    except (errors.NoSuchGame, UnknownGame):
        return HttpResponseNotFound()


@require_safe
def preview_picture(request: HttpRequest, slug: str, language: str, digest: str) -> HttpResponse:
    """Return the picture of a rulebook or of the site; 404 for an address that was not made."""
    drawn = draw_preview(slug=slug, language=language, digest=digest)
    if drawn is None:
        return HttpResponseNotFound()
    return kept_for_good(HttpResponse(drawn, content_type="image/png"), digest)


def kept_for_good(answer: HttpResponse, digest: str) -> HttpResponse:
    """Let everybody keep an answer for good."""
    for name, value in HEADERS.items():
        answer[name] = value
    answer["ETag"] = f'"{digest}"'
    return answer
