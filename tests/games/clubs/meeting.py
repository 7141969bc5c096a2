"""Clubs and their matches, made through the services."""

from datetime import timedelta

from games.clock.time_control import per_turn
from games.models import Club, Terms
from games.services.clubs.clubs import open_club
from games.services.clubs.matches import (
    MatchPlan,
    accept_match,
    challenge_club,
    enter_match,
)
from games.services.clubs.members import admit, ask_for_membership
from tests.factories import PersonFactory

DAY = timedelta(days=1)
DAYS = Terms(per_turn(3 * DAY))


def club_of(owner, *others, now, name="Round Table"):
    """Return a club that `owner` opened, with these members, a minute apart."""
    club = open_club(user=owner, name=name, now=now)
    for minutes, person in enumerate(others, 1):
        ask_for_membership(club_id=club.pk, user=person, now=now)
        later = now + timedelta(minutes=minutes)
        admit(club_id=club.pk, person=person, by=owner, now=later)
    return club


def challenge(home, away, by, now, **changed):
    """Let `home` challenge `away` to a match of Morpion that begins in two days."""
    plan = {"most_boards": 4, "starts_at": now + 2 * DAY, "game_days": 20} | changed
    return challenge_club(
        club_id=home.pk,
        opponent_id=away.pk,
        user=by,
        rules_slug="morpion",
        options={},
        terms=DAYS,
        plan=MatchPlan(**plan),
        now=now,
    )


def two_clubs(now, size=3):
    """Return two clubs with so many members each, and these: h0, h1 … and a0, a1 …."""
    clubs, people = [], []
    for letter, name in (("h", "Home Club"), ("a", "Away Club")):
        team = [PersonFactory(username=f"{letter}{number}") for number in range(size)]
        clubs.append(club_of(*team, now=now, name=name))
        people.append(team)
    return clubs, people


def agreed_match(now, size=3, **changed):
    """Return a match that is accepted, in which everybody of two clubs wants to play."""
    (home, away), (hosts, guests) = two_clubs(now, size)
    match = challenge(home, away, hosts[0], now, **changed)
    accept_match(match_id=match.pk, user=guests[0], now=now)
    for club, team in ((home, hosts), (away, guests)):
        for minutes, person in enumerate(team):
            later = now + timedelta(minutes=minutes)
            enter_match(match_id=match.pk, club_id=club.pk, user=person, now=later)
    return match, hosts, guests


def roles(club):
    """Return the members' roles by their names."""
    return dict(Club.objects.get(pk=club.pk).members.values_list("user__username", "role"))
