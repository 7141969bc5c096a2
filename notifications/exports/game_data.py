"""What an export has of a user's games: the list, records, conversations, plans, analyses."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef

from accounts.models import User
from accounts.server_time import server_now
from games.models import (
    AnalysisNode,
    Event,
    Game,
    GamePresence,
    Message,
    Offer,
    OfferAnswer,
    PlannedTurn,
    RatingChange,
    Seat,
    Substitution,
    Turn,
)
from games.models.undo import showing_ends_undo
from games.queries.conversations import visible_messages
from games.queries.record_files import record_file
from games.services.undo_window import end_undo
from notifications.exports.archive import CHUNK, Archive, in_chunks

Data = dict[str, Any]


def add_games(archive: Archive, user: User) -> None:
    """Add the files about a user's games."""
    listed = (describe_game(game, user) for games in _games_in_chunks(user) for game in games)
    archive.add_list("games.json", listed)
    for games in _games_in_chunks(user):
        turns = _turns_of(games)
        for game in games:
            if game.started_at is not None:
                archive.add_data(_record_name(game), record_file(game, turns[game.pk]))
    archive.add_list("messages.json", own_messages(user))
    archive.add_list("conversations.json", messages_of_others(user))
    archive.add_list("plans.json", plans_of(user))
    archive.add_list("analyses.json", analyses_of(user))
    archive.add_list("offers.json", offers_of(user))
    archive.add_list("activity.json", activity_of(user))
    archive.add_list("visits.json", visits_of(user))
    archive.add_list("ratings.json", ratings_of(user))


def _own_keys(user: User, after: int) -> list[int]:
    """Return the next keys of games and tables in which the user plays, played or which they made.

    Of each kind as many are read as are returned, by an index.
    """
    found: set[int] = set()
    for rows, column in (
        (Seat.objects.filter(user=user), "game_id"),
        (Seat.objects.filter(played_by_partner=user), "game_id"),
        (Substitution.objects.filter(former=user), "seat__game_id"),
        (Substitution.objects.filter(by=user), "seat__game_id"),
        (Game.objects.filter(creator=user), "pk"),
    ):
        later = rows.filter(**{f"{column}__gt": after}).order_by(column)
        found.update(later.values_list(column, flat=True)[:CHUNK])
    return sorted(found)[:CHUNK]


def _games_in_chunks(user: User) -> Iterator[list[Game]]:
    """Yield the user's games, some at once. The others' newest turns in them are final then."""
    last = 0
    while keys := _own_keys(user, last):
        games = _shown_games(user, keys)
        yield games
        last = keys[-1]


def _shown_games(user: User, keys: list[int]) -> list[Game]:
    rows = Game.objects.filter(pk__in=keys).with_players().order_by("pk")
    while True:
        games = list(rows.defer("position", "previous_position"))
        now = server_now()
        unseen = [
            game.pk
            for game in games
            if showing_ends_undo(game.undo_until, game.undo_by_id, user.pk, now=now)
        ]
        if not unseen:
            return games
        end_undo(unseen)  # and read again: what was undone just before is not shown


def _turns_of(games: list[Game]) -> dict[int, list[Turn]]:
    """Return the turns of each game, by its key, up to the turn with which it was read."""
    turns: dict[int, list[Turn]] = {game.pk: [] for game in games}
    known = {game.pk: game.turn_number for game in games}
    for turn in Turn.objects.filter(game__in=games).order_by("game", "number"):
        if turn.number <= known[turn.game_id]:
            turns[turn.game_id].append(turn)
    return turns


def _record_name(game: Game) -> str:
    return f"games/{game.rules_slug}-{game.pk}.json"


def describe_game(game: Game, user: User) -> Data:
    """Return what the list says of a game; what is the player's own only of their own seat."""
    return {
        "game": game.pk,
        "rules": game.rules_slug,
        "options": game.options,
        "status": game.status,
        "ending": game.ending,
        "is_public": game.is_public,
        "is_rated": game.is_rated,
        "created_by_me": game.creator_id == user.pk,
        "created_at": game.created_at,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
        "pace": game.pace,
        "allowance": game.allowance,
        "record": _record_name(game) if game.started_at else None,
        "seats": [
            {
                "seat": seat.number,
                "player": str(seat.user or ""),
                "place": seat.place,
                "points": seat.points,
                "left_at": seat.left_at,
                "is_mine": seat.user_id == user.pk,
                "played_by_me_as_partner": seat.played_by_partner_id == user.pk,
            }
            | ({"snoozed_until": seat.snoozed_until} if seat.user_id == user.pk else {})
            for seat in game.all_seats
        ],
    }


def own_messages(user: User) -> Iterator[Data]:
    """Yield what the user wrote."""
    for said in in_chunks(Message.objects.filter(author=user)):
        yield {
            "game": said.game_id,
            "turns_played": said.turn_number,
            "at": said.said_at,
            "how": said.via,
            "text": said.text,
            "hidden_by_moderators_at": said.hidden_at,
        }


def messages_of_others(user: User) -> Iterator[Data]:
    """Yield what others said at the user's games, as far as their pages show it."""
    sits = Exists(Seat.objects.filter(user=user, game=OuterRef("game")))
    last = 0
    while keys := _own_keys(user, last):
        said = Message.objects.filter(sits, game__in=keys, hidden_at=None).exclude(author=user)
        for message in in_chunks(visible_messages(user, said).select_related("author")):
            yield {
                "game": message.game_id,
                "turns_played": message.turn_number,
                "at": message.said_at,
                "author": str(message.author),
                "text": message.text,
            }
        last = keys[-1]


def plans_of(user: User) -> Iterator[Data]:
    """Yield the user's planned turns."""
    for planned in in_chunks(PlannedTurn.objects.filter(user=user)):
        yield {
            "game": planned.game_id,
            "after_turns": planned.begins_after,
            "if": planned.line,
            "then": planned.notation,
            "planned_at": planned.planned_at,
        }


def analyses_of(user: User) -> Iterator[Data]:
    """Yield the positions that the user analysed: the game's own, and those after their turns."""
    for node in in_chunks(AnalysisNode.objects.filter(user=user)):
        yield {
            "position": node.pk,
            "game": node.game_id,
            "after_turns": node.turn,
            "follows_position": node.parent_id,
            "turn": node.notation,
            "note": node.note,
            "made_at": node.created_at,
        }


def offers_of(user: User) -> Iterator[Data]:
    """Yield what the user offered, and what they agreed to."""
    for offer in in_chunks(Offer.objects.filter(seat__user=user)):
        yield {
            "offered": offer.kind,
            "game": offer.game_id,
            "at": offer.made_at,
            "details": offer.details,
            "state": offer.state,
        }
    accepted = OfferAnswer.objects.filter(seat__user=user).select_related("offer")
    for answer in in_chunks(accepted):
        offer = answer.offer
        yield {"accepted": offer.kind, "game": offer.game_id, "at": answer.answered_at}


def activity_of(user: User) -> Iterator[Data]:
    """Yield what the user did in games."""
    for event in in_chunks(Event.objects.filter(actor=user)):
        yield {
            "what": event.kind,
            "game": event.game_id,
            "turns_played": event.turn_number,
            "at": event.at,
        }


def visits_of(user: User) -> Iterator[Data]:
    """Yield when the user last had the page of each game open."""
    for presence in in_chunks(GamePresence.objects.filter(user=user)):
        yield {"game": presence.game_id, "last_open_at": presence.seen_at}


def ratings_of(user: User) -> Iterator[Data]:
    """Yield what each rated game made of the user's ratings; the newest of each is the rating."""
    columns = ("rules_slug", "table_kind", "ended_at", "mu_before", "sigma_before", "mu", "sigma")
    for change in in_chunks(RatingChange.objects.filter(player=user)):
        named = {name: getattr(change, name) for name in (*columns, "weight", "games")}
        yield {"game": change.game_id, **named}
