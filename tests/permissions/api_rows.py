"""The table of permissions of the API: one line for each route and method, or kind of game.

    ApiRow("name", "GET", "scope", (cat, ann, mona), BLANKS, body)

What a token of each is answered that has every scope: a status. cat is a stranger to the games, ann
their player, mona a moderator. Without the scope it is always 403, without a token 401.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.permissions.blanks import (
    above_everybody,
    challenge_to_ann,
    first_season,
    ladder_of_morpion,
    league_of_morpion,
    league_of_teams,
    open_tournament_of,
    puzzle_day,
    tournament_by_link,
    wish_of_ann,
)
from tests.sample_site import SampleSite

WHO = ("cat", "ann", "mona")

ALL = (200, 200, 200)
HIDDEN = (404, 200, 200)
"""Staff see private games, which is logged, as on pages."""


@dataclass(frozen=True)
class ApiRow:
    """One route with a method, and what everybody is answered."""

    name: str
    method: str
    scope: str
    statuses: tuple[int, int, int]
    blanks: Callable[[SampleSite], list[Any]] = lambda site: []
    body: dict[str, Any] = field(default_factory=dict)
    kind: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.method} {self.kind}".strip()


def today_made(site: SampleSite) -> list[Any]:
    """Return no blank; today has a puzzle."""
    puzzle_day(site)
    return []


NEW_TOURNAMENT = {
    "game": "morpion",
    "form": "swiss",
    "pace": {"allowance": 86400},
    "most_players": 8,
    "starts_at": (timezone.now() + timedelta(days=9)).isoformat(),
}


def act_in(blanks: Callable[[SampleSite], list[Any]], action: str) -> Any:
    """Return the blanks of a route with the action behind them."""
    return lambda site: [*blanks(site), action]


def public(site: SampleSite) -> list[Any]:
    return [site.public.pk]


def private(site: SampleSite) -> list[Any]:
    return [site.private.pk]


def reads(name: str, scope: str, at_public: tuple, at_private: tuple) -> list[ApiRow]:
    """Return the rows of a route that reads, at a public game and at a private one."""
    return [
        ApiRow(name, "GET", scope, at_public, public, kind="public"),
        ApiRow(name, "GET", scope, at_private, private, kind="private"),
    ]


def acts(name: str, scope: str, player: int, others: int = 403, **body: Any) -> list[ApiRow]:
    """Return the rows of something to do at a public game, and at a private one."""
    return [
        ApiRow(name, "POST", scope, (others, player, others), public, body, "public"),
        ApiRow(name, "POST", scope, (404, player, others), private, body, "private"),
    ]


def at_tables(name: str, creator: int, others: int, **body: Any) -> list[ApiRow]:
    """Return the row of something to do at the public open table of ann."""
    statuses = (others, creator, others)
    return [ApiRow(name, "POST", "tables", statuses, lambda site: [site.open_table.pk], body)]


PLAYERS = (403, 200, 403)
PLAYERS_HIDDEN = (404, 200, 403)

ROWS = [
    ApiRow("me", "GET", "account:read", ALL),
    ApiRow("me_turns", "GET", "games:read", ALL),
    ApiRow("me_accepts", "POST", "tables", (403, 403, 403)),
    ApiRow("games", "GET", "games:read", ALL),
    ApiRow("tables", "GET", "games:read", ALL),
    ApiRow("tables", "POST", "tables", ALL, body={"game": "morpion", "pace": {"allowance": 86400}}),
    ApiRow("rules", "GET", "games:read", ALL),
    ApiRow("challenges", "GET", "games:read", ALL),
    ApiRow("puzzle_today", "GET", "games:read", ALL, today_made),
    ApiRow("puzzle_answer", "POST", "play", (422, 422, 422), puzzle_day, {"text": "z9"}),
    *reads("game", "games:read", ALL, HIDDEN),
    *reads("position", "games:read", ALL, HIDDEN),
    *reads("entries", "games:read", ALL, HIDDEN),
    *reads("record", "games:read", ALL, HIDDEN),
    *reads("offers", "games:read", PLAYERS, PLAYERS_HIDDEN),
    *reads("messages", "messages", PLAYERS, PLAYERS_HIDDEN),
    *reads("plans", "play", PLAYERS, PLAYERS_HIDDEN),
    *reads("notes", "play", PLAYERS, (404, 200, 404)),
    # In the games it is ann's turn, and two turns are played.
    *acts("turns", "play", 200, turn=3, text="9"),
    *acts("check", "play", 200, 409, turn=3, text="9"),
    *acts("undo", "play", 409),
    *acts("resign", "play", 200),
    *acts("abort", "play", 409),
    *acts("offers", "play", 200, kind="pause", days=7),
    *acts("plans", "play", 422, turn=3, lines=["9"]),
    *acts("drop_plan", "play", 404),
    ApiRow("notes", "POST", "play", PLAYERS, public, {"after": 0, "text": "x"}, "public"),
    ApiRow("notes", "POST", "play", (404, 200, 404), private, {"after": 0, "text": "x"}, "private"),
    *acts("messages", "messages", 200, text="hello"),
    *acts("rematch", "tables", 409),
    ApiRow(
        "offer_answer",
        "POST",
        "play",
        PLAYERS,
        lambda site: [site.public.pk, site.public.offers.get(state="open").pk],
        {"answer": "accept"},
    ),
    *at_tables("join", 409, 200),
    *at_tables("leave", 409, 403),
    *at_tables("withdraw", 200, 403),
    *at_tables("challenge", 200, 403, username="cat"),
    ApiRow("challenge", "GET", "games:read", (403, 200, 403), lambda site: [site.open_table.pk]),
    ApiRow("accept", "POST", "tables", (404, 404, 404), lambda site: [site.challenge.pk]),
    ApiRow("wishes", "GET", "games:read", ALL),
    ApiRow("wishes", "POST", "tables", ALL, body={"game": "taquet", "pace": {"allowance": 86400}}),
    ApiRow("withdraw_wish", "POST", "tables", (404, 200, 404), wish_of_ann),
    ApiRow("ratings", "GET", "games:read", ALL, lambda site: ["taquet"]),
    ApiRow("player_ratings", "GET", "games:read", ALL, lambda site: ["ann"]),
    ApiRow("player_rating_history", "GET", "games:read", ALL, lambda site: ["ann", "taquet"]),
    ApiRow("leagues", "GET", "games:read", ALL),
    ApiRow("season", "GET", "games:read", ALL, first_season),
    ApiRow("act_in_league", "POST", "tables", ALL, lambda site: [*league_of_morpion(site), "join"]),
    ApiRow("league_partner", "POST", "tables", ALL, league_of_teams, {"username": "dan"}),
    ApiRow("ladders", "GET", "games:read", ALL),
    ApiRow("ladder", "GET", "games:read", ALL, ladder_of_morpion),
    ApiRow("act_on_ladder", "POST", "tables", ALL, act_in(ladder_of_morpion, "join")),
    ApiRow("challenge_on_ladder", "POST", "tables", ALL, above_everybody, body={"username": "bob"}),
    ApiRow("ladder_challenges", "GET", "games:read", ALL),
    ApiRow("answer_ladder_challenge", "POST", "tables", (404, 200, 404), challenge_to_ann),
    ApiRow("tournaments", "GET", "games:read", ALL),
    ApiRow("tournaments", "POST", "tables", ALL, body=NEW_TOURNAMENT),
    ApiRow("tournament", "GET", "games:read", ALL, open_tournament_of, kind="open to all"),
    ApiRow("tournament", "GET", "games:read", HIDDEN, tournament_by_link, kind="by link"),
    ApiRow("act_in_tournament", "POST", "tables", ALL, act_in(open_tournament_of, "join")),
    ApiRow(
        "act_in_tournament",
        "POST",
        "tables",
        (404, 200, 404),
        act_in(tournament_by_link, "join"),
        kind="by link",
    ),
    ApiRow(
        "act_in_tournament",
        "POST",
        "tables",
        (403, 200, 403),
        act_in(open_tournament_of, "cancel"),
        kind="cancel",
    ),
    ApiRow("decline", "POST", "tables", (404, 404, 404), lambda site: [site.challenge.pk]),
]
