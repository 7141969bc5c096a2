"""Seasons of a league for the tests: one that has just begun, and any turn in its games."""

from datetime import timedelta

from games.clock.time_control import per_turn
from games.models import Terms, Turn
from games.services.leagues.entries import join_season, open_league
from games.services.leagues.seasons import run_leagues
from games.services.turns import play_turn


def open_morpion(now, **changed):
    """Open a league of Morpion, three days a turn."""
    terms = {
        "terms": Terms(per_turn(timedelta(days=3))),
        "months": 1,
        "division_size": 6,
        "legs": 1,
        "options": {},
    } | changed
    return open_league(rules_slug="morpion", now=now, **terms)


def join_all(people, now):
    for person in people:
        join_season(rules_slug="morpion", user=person, now=now)


def started(people, now, **changed):
    """Return a season of these people that has just begun, and when."""
    league = open_morpion(now, **changed)
    join_all(people, now)
    season = league.seasons.get()
    run_leagues(now=season.starts_at)
    return league.seasons.get(pk=season.pk), season.starts_at


def play_one(game, chance, now):
    """Play any legal turn."""
    rules = game.rules
    position = rules.load(game.position)
    seat = game.seats.select_related("user").get(number=game.seat_to_move)
    action = chance.choice(list(rules.legal_actions(position)))
    play_turn(
        game_id=game.pk,
        user=seat.user,
        text=rules.format_turn(position, [action]),
        expected_turn=game.turn_number,
        via=Turn.Via.WEB,
        now=now,
    )
