"""Matches between the accounts of people's programs: real games, which they play by the API."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import program_errors
from games.clock.time_control import per_turn
from games.models import Game, Terms
from games.models.game import GameQuerySet
from games.rules.base import Options, Outcome
from games.rules.matches import Score
from games.services.tables import join_table, open_table


@transaction.atomic
def start_match_game(
    *,
    programs: Sequence[User],
    rules_slug: str,
    options: dict[str, object],
    number: int,
    allowance: timedelta,
    now: datetime,
) -> Game:
    """Start game `number`, from 0, between two programs: the first one begins every other game.

    `allowance` is the time for each turn. Who begins has opened the table, so that both share what
    a player may open in a day.
    Raises NotAProgram, and as `open_table` and `join_table` do.
    """
    if any(program.owner_id is None for program in programs):
        raise program_errors.NotAProgram
    begins, answers = programs if number % 2 == 0 else programs[::-1]
    game = open_table(
        creator=begins,
        rules_slug=rules_slug,
        options=options,
        terms=Terms(per_turn(allowance)),
        creator_seat=0,
        now=now,
    )
    return join_table(game_id=game.pk, user=answers, now=now)


def match_games(
    programs: Sequence[User], rules_slug: str, options: Options, since: int | None
) -> GameQuerySet:
    """Return the games of a match that were not aborted, the first one first.

    `since` is the number of its first game, None while it has none: what these two have begun
    later is part of it.
    """
    if since is None:
        return Game.objects.none()
    first, second = programs
    kept = (Game.Status.ACTIVE, Game.Status.FINISHED)
    games = Game.objects.filter(seats__user=first, rules_slug=rules_slug, options=dict(options))
    games = games.filter(pk__in=second.seats.values("game"), pk__gte=since, status__in=kept)
    return games.order_by("pk")


def score_of(games: GameQuerySet, program: User) -> Score:
    """Return a program's score in the finished ones of these games."""
    score = Score()
    for game in games.filter(status=Game.Status.FINISHED).prefetch_related("seats"):
        seats = sorted(game.seats.all(), key=lambda seat: seat.number)
        places = tuple(seat.place or 0 for seat in seats)
        own = [seat.number for seat in seats if seat.user_id == program.pk]
        score.add(Outcome(places, None, game.ending), own)
    return score
