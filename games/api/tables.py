"""Routes about tables, challenges, rematches and messages."""

from typing import Annotated, Any

from django.utils.translation import gettext
from ninja import Router
from pydantic import Field

from accounts.models import Scope
from accounts.server_time import server_now
from games import errors, models
from games.api import requests
from games.api import schemas as api
from games.api.access import acting, reading
from games.api.acting import pace_given
from games.api.auth import ApiRequest
from games.api.errors import NoSuchChallenge
from games.api.games import ON_A_PAGE, page_of_games
from games.api.once import answer_once
from games.api.output import challenges_as_data, game_as_data, key_of, visible_game
from games.queries.conversations import said_at
from games.queries.lists import lobby
from games.queries.seats import invitations_to, seat_of
from games.services import invitations, tables
from games.services.conduct.messages import say
from games.services.invitations import Opponent

router = Router(tags=["tables"])
talk = Router(tags=["messages"])

MESSAGES_AT_ONCE = 100


def _game(request: ApiRequest, id: int) -> api.Game:
    return game_as_data(visible_game(request, id), request.user)


@router.get("/tables", url_name="tables", **reading(Scope.GAMES_READ, api.Games))
def list_tables(
    request: ApiRequest, cursor: Annotated[str, Field(max_length=100)] = ""
) -> api.Games:
    """Return a part of the open tables that you could join, the newest first.

    Every account may ask. A `cursor` that this route did not give is 422 BadCursor.
    """
    found = lobby(request.user).order_by("-pk")
    if cursor:
        found = found.filter(pk__lt=key_of(cursor))
    return page_of_games(list(found[: ON_A_PAGE + 1]), request)


@router.post("/tables", url_name="tables", **acting(Scope.TABLES, api.Game, takes_key=True))
def open_table(request: ApiRequest, given: requests.NewTable) -> Any:
    """Open a table for anybody, for a player whom you challenge, or for programs of this site.

    Takes an Idempotency-Key.
    """

    def act() -> api.Game:
        opponent = Opponent("anybody")
        if given.opponent is not None:
            opponent = Opponent("player", given.opponent)
        elif given.level is not None:
            opponent = Opponent("partner", level=given.level)
        game = invitations.propose(
            creator=request.user,
            rules_slug=given.game,
            options=dict(given.options),
            terms=models.Terms(
                pace_given(given.pace),
                given.allows_vacations,
                given.allows_days_off,
                given.on_timeout,
                is_rated=given.is_rated,
            ),
            opponent=opponent,
            is_public=given.is_public,
            creator_seat=given.your_seat,
            now=server_now(),
        )
        return _game(request, game.pk)

    return answer_once(request, act)


@router.post("/tables/{int:id}/join", url_name="join", **acting(Scope.TABLES, api.Game))
def join(request: ApiRequest, id: int) -> api.Game:
    """Take a seat at an open table, and return the game: it begins when every seat is taken.

    Every account that may play there. A table that is full, or at which you sit, is a 409.
    """
    visible_game(request, id)
    tables.join_table(game_id=id, user=request.user, now=server_now())
    return _game(request, id)


@router.post("/tables/{int:id}/leave", url_name="leave", **acting(Scope.TABLES, api.Left))
def leave(request: ApiRequest, id: int) -> api.Left:
    """Leave an open table that somebody else opened, and return its number.

    Only for who sits there, else a 403. You may not be able to see the table any more.
    """
    visible_game(request, id)
    tables.leave_table(game_id=id, user=request.user, now=server_now())
    return api.Left(game=id)


@router.post("/tables/{int:id}/withdraw", url_name="withdraw", **acting(Scope.TABLES, api.Game))
def withdraw(request: ApiRequest, id: int) -> api.Game:
    """Close an open table that you opened, and return it. Others are answered with 403."""
    visible_game(request, id)
    tables.withdraw_table(game_id=id, user=request.user, now=server_now())
    return _game(request, id)


@router.post(
    "/tables/{int:id}/challenges",
    url_name="challenge",
    **acting(Scope.TABLES, api.Invitations, takes_key=True),
)
def challenge(request: ApiRequest, id: int, given: requests.NewChallenge) -> Any:
    """Invite a player to one's own open table. Takes an Idempotency-Key.

    Programs challenge other programs, and their owner.
    """
    visible_game(request, id)

    def act() -> api.Invitations:
        opponent = Opponent("player", given.username)
        invitations.ask(game_id=id, by=request.user, opponent=opponent, now=server_now())
        return _invitations(id)

    return answer_once(request, act)


@router.get(
    "/tables/{int:id}/challenges",
    url_name="challenge",
    **reading(Scope.GAMES_READ, api.Invitations),
)
def list_invitations(request: ApiRequest, id: int) -> api.Invitations:
    """Tell what became of the invitations to one's own table, with the reasons of who declined."""
    game = visible_game(request, id)
    if game.creator_id != request.user.pk:
        raise errors.NotTheMaker
    return _invitations(id)


def _invitations(id: int) -> api.Invitations:
    declined = models.Event.objects.filter(game=id, kind=models.Event.Kind.DECLINED)
    reasons = {event.invitation_id: event.details.get("reason", "") for event in declined}
    sent = models.Invitation.objects.filter(game=id).select_related("user").order_by("pk")
    return api.Invitations(
        invitations=[
            api.Answered(
                player=one.user.username if one.user else gettext("somebody, by mail"),
                state=one.state,
                reason=reasons.get(one.pk, ""),
            )
            for one in sent
        ]
    )


@router.get("/challenges", url_name="challenges", **reading(Scope.GAMES_READ, api.Challenges))
def list_challenges(request: ApiRequest) -> api.Challenges:
    """Return the open challenges to you. Every account may ask."""
    return api.Challenges(challenges=challenges_as_data(invitations_to(request.user)))


@router.post("/challenges/{int:id}/accept", url_name="accept", **acting(Scope.TABLES, api.Game))
def accept(request: ApiRequest, id: int) -> api.Game:
    """Accept a challenge: take the seat that is kept, and return the game.

    Only for who is challenged: for all others it is 404 NoSuchChallenge.
    """
    _challenge(request, id)
    game = invitations.accept(invitation_id=id, user=request.user, now=server_now())
    return _game(request, game.pk)


@router.post(
    "/challenges/{int:id}/decline", url_name="decline", **acting(Scope.TABLES, api.Answered)
)
def decline(request: ApiRequest, id: int, given: requests.Decline) -> api.Answered:
    """Decline a challenge, say why, and return what its sender is told.

    Only for who is challenged: for all others it is 404 NoSuchChallenge.
    """
    _challenge(request, id)
    invitations.decline(invitation_id=id, user=request.user, reason=given.reason, now=server_now())
    return api.Answered(
        player=request.user.username,
        state=models.Invitation.State.DECLINED.value,
        reason=given.reason,
    )


def _challenge(request: ApiRequest, id: int) -> models.Invitation:
    """Return a challenge to the user, answered or not. Raises NoSuchChallenge."""
    found = invitations_to(request.user).filter(pk=id).first()
    found = found or models.Invitation.objects.filter(pk=id, user=request.user).first()
    if found is None:
        raise NoSuchChallenge
    return found


@router.post("/games/{int:id}/rematch", url_name="rematch", **acting(Scope.TABLES, api.Game))
def rematch(request: ApiRequest, id: int) -> api.Game:
    """Ask for a rematch, or accept the one that was asked for. Asking twice changes nothing."""
    visible_game(request, id)
    game = invitations.ask_rematch(game_id=id, user=request.user, now=server_now())
    return _game(request, game.pk)


# Messages ----------------------------------------------------------------------------------------


@talk.get("/games/{int:id}/messages", url_name="messages", **reading(Scope.MESSAGES, api.Messages))
def list_messages(
    request: ApiRequest, id: int, after: Annotated[int, Field(ge=0, le=2**62)] = 0
) -> api.Messages:
    """Return the messages at a game after message number `after`, oldest first.

    Only for players, else 403 NotAPlayer.
    """
    game = visible_game(request, id)
    if seat_of(game, request.user) is None:
        raise errors.NotAPlayer
    rows = list(said_at(game, request.user).filter(pk__gt=after)[: MESSAGES_AT_ONCE + 1])
    shown = rows[:MESSAGES_AT_ONCE]
    return api.Messages(
        messages=[_message(one) for one in shown],
        next=shown[-1].pk if len(rows) > len(shown) else None,
    )


@talk.post(
    "/games/{int:id}/messages",
    url_name="messages",
    **acting(Scope.MESSAGES, api.Message, takes_key=True),
)
def send_message(request: ApiRequest, id: int, given: requests.NewMessage) -> Any:
    """Send a message to everybody at the game. Takes an Idempotency-Key."""
    visible_game(request, id)

    def act() -> api.Message:
        via = models.Message.Via.WEB
        said = say(game_id=id, user=request.user, text=given.text, via=via, now=server_now())
        return _message(said)

    return answer_once(request, act)


def _message(said: models.Message) -> api.Message:
    return api.Message(
        id=said.pk,
        author=said.author.username,
        text="" if said.hidden_at else said.text,
        said_at=said.said_at,
        turns_played=said.turn_number,
    )
