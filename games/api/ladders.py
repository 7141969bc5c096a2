"""Routes about ladders: their places, joining and leaving, and challenges."""

from datetime import datetime
from typing import Annotated, Any, Literal, cast

from ninja import Router
from pydantic import Field

from accounts.models import Scope, User
from accounts.server_time import server_now
from games import ladder_errors, models
from games.api import requests
from games.api import schemas as api
from games.api.access import acting, reading
from games.api.auth import ApiRequest
from games.api.once import answer_once
from games.api.output import cursor_of, key_of, pace, person
from games.api.ratings import Slug
from games.queries.ladders import (
    has_ladder,
    ladder_cards,
    ladder_page,
    own_challenges,
)
from games.queries.people import player_named
from games.services.ladders import challenges, places

router = Router(tags=["ladders"])

ANSWERS = {
    "accept": challenges.accept_challenge,
    "decline": challenges.decline_challenge,
    "withdraw": challenges.withdraw_challenge,
}


class Ladder(api.Out):
    """The ladder of a game: how many players it has, and your place; null: you are not on it."""

    game: str
    name: str
    size: int
    your_place: int | None


class Ladders(api.Out):
    """The ladders of all games for two."""

    ladders: list[Ladder]


class LadderChallenge(api.Out):
    """A challenge on a ladder. It waits for the answer of `challenged` until `answer_by`.

    `answer_by` is null once it is answered; `rules` is the game of the ladder, `game` the number
    of the one that it led to.
    `outcome`, once it is over: of the game for the challenger (`won`, `drawn`, `lost`, or `void`
    without a result); `spared` and `declined` (the free decline, and another); `unanswered`,
    `withdrawn`, or `left` (one of them has left the ladder).
    """

    id: int
    rules: str
    challenger: api.Player
    challenged: api.Player
    made_at: datetime
    answer_by: datetime | None
    state: Literal["waiting", "playing", "over"]
    outcome: str
    game: int | None
    ended_at: datetime | None


class LadderChallenges(api.Out):
    """Challenges that you have been sent and that you have made, on all ladders."""

    received: list[LadderChallenge]
    made: list[LadderChallenge]


class LadderPlace(api.Out):
    """A place with its player. `can_challenge`: you can challenge them now."""

    place: int
    player: api.Player
    is_away: bool
    can_challenge: bool


class LadderPlaces(api.Out):
    """A page of a ladder.

    Its challenges that go on are those to players of this page, and yours. `newest` are those of
    anybody that were over last. `free_decline`: you can decline a challenge and keep your place.
    """

    ladder: Ladder
    pace: api.Pace
    free_decline: bool
    places: list[LadderPlace]
    challenges: list[LadderChallenge]
    newest: list[LadderChallenge]
    next: str | None


@router.get("/ladders", url_name="ladders", **reading(Scope.GAMES_READ, Ladders))
def list_ladders(request: ApiRequest) -> Ladders:
    """List the ladders of all games, also those that nobody has joined, with your places."""
    return Ladders(ladders=_ladders(request.user))


@router.get("/ladders/{slug}", url_name="ladder", **reading(Scope.GAMES_READ, LadderPlaces))
def places_of_a_ladder(
    request: ApiRequest, slug: Slug, cursor: Annotated[str, Field(max_length=100)] = ""
) -> LadderPlaces:
    """Return the places of a ladder from the first on, fifty at a time, with their challenges.

    A game without a ladder is 404 NoSuchLadder, a `cursor` that is none 422 BadCursor. Places can
    change between two pages.
    """
    if not has_ladder(slug):
        raise ladder_errors.NoSuchLadder
    number = key_of(cursor) if cursor else 1
    page = ladder_page(slug, request.user, number, now=server_now())
    own = page.own if page.is_on_it else None
    rows = page.rows if page.number == number else ()  # not the last page once more
    going_on = {one.pk: one for row in rows for one in row.challenges}
    going_on |= {one.pk: one for one in (*page.received, *page.made)}
    return LadderPlaces(
        ladder=Ladder(
            game=slug,
            name=page.ladder.name,
            size=page.size,
            your_place=own.place if own is not None else None,
        ),
        pace=pace(page.ladder.terms.pace),
        free_decline=own is not None and not own.has_declined,
        places=[
            LadderPlace(
                place=row.own.rank,
                player=person(row.own.user),
                is_away=row.is_away,
                can_challenge=row.can_challenge,
            )
            for row in rows
        ],
        challenges=[_challenge(going_on[pk], slug) for pk in sorted(going_on)],
        newest=[_challenge(one, slug) for one in page.newest],
        next=cursor_of(page.number + 1) if page.number < page.pages else None,
    )


@router.post(
    "/ladders/{slug}/challenges",
    url_name="challenge_on_ladder",
    **acting(Scope.TABLES, LadderChallenge, takes_key=True),
)
def challenge_on_ladder(request: ApiRequest, slug: Slug, given: requests.NewChallenge) -> Any:
    """Challenge one of the nearest players above you. Takes an Idempotency-Key.

    Who stands too far away is 409 OutOfReach, a name that nobody has 422 NoSuchPlayer. While you
    two have a challenge, another one is 409 AlreadyMeeting.
    """

    def act() -> LadderChallenge:
        opponent = player_named(given.username)
        made = challenges.challenge_player(
            rules_slug=slug, user=request.user, opponent=opponent, now=server_now()
        )
        return _challenge(made, slug)

    return answer_once(request, act)


@router.post("/ladders/{slug}/{action}", url_name="act_on_ladder", **acting(Scope.TABLES, Ladder))
def act_on_ladder(request: ApiRequest, slug: Slug, action: Literal["join", "leave"]) -> Ladder:
    """Join a ladder as its last player, or leave it: challengers of yours take your place then.

    Games that have begun go on. For people only: a program is 403 ProgramsJoinNoLadder.
    """
    act = places.join_ladder if action == "join" else places.leave_ladder
    act(rules_slug=slug, user=request.user, now=server_now())
    return next(one for one in _ladders(request.user) if one.game == slug)


@router.get(
    "/me/ladder-challenges",
    url_name="ladder_challenges",
    **reading(Scope.GAMES_READ, LadderChallenges),
)
def my_ladder_challenges(request: ApiRequest) -> LadderChallenges:
    """Return your challenges on all ladders that wait or are being played, the oldest first."""
    found = own_challenges(request.user)
    own = request.user.pk
    return LadderChallenges(
        received=[_challenge(one) for one in found if one.challenged_id == own],
        made=[_challenge(one) for one in found if one.challenger_id == own],
    )


@router.post(
    "/ladder-challenges/{int:id}/{answer}",
    url_name="answer_ladder_challenge",
    **acting(Scope.TABLES, LadderChallenge),
)
def answer_ladder_challenge(
    request: ApiRequest, id: int, answer: Literal["accept", "decline", "withdraw"]
) -> LadderChallenge:
    """Accept or decline a challenge to you, or withdraw one of yours, and return it.

    Accepting begins `game`. Declining is free once, then the challenger takes your
    place. Of others it is 404 NoSuchLadderChallenge, and twice 409 ChallengeIsAnswered.
    """
    done = ANSWERS[answer](challenge_id=id, user=request.user, now=server_now())
    return _challenge(done)


def _ladders(user: User) -> list[Ladder]:
    return [
        Ladder(game=card.rules_slug, name=card.name, size=card.size, your_place=card.own_place)
        for card in ladder_cards(user)
    ]


def _challenge(one: models.LadderChallenge, slug: str = "") -> LadderChallenge:
    """Return a challenge; `slug` is the game of its ladder, if that is not loaded."""
    waits = one.state == models.LadderChallenge.State.WAITING
    return LadderChallenge(
        id=one.pk,
        rules=slug or one.ladder.rules_slug,
        challenger=person(one.challenger),
        challenged=person(one.challenged),
        made_at=one.made_at,
        answer_by=one.due_at if waits else None,
        state=cast(Any, one.state),
        outcome=one.outcome,
        game=one.game_id,
        ended_at=one.ended_at,
    )
