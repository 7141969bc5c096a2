"""What fills the blanks of addresses in the table of permissions, made where the site has none."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.clock.time_control import per_turn
from games.models import (
    Club,
    ClubMatch,
    Division,
    Entrant,
    Ladder,
    LadderChallenge,
    League,
    LeagueGame,
    Rating,
    Round,
    Season,
    SeasonEntry,
    TableLink,
    Terms,
    Tournament,
    TournamentGame,
    Wish,
)
from games.services.clubs.clubs import open_club
from games.services.clubs.matches import MatchPlan, challenge_club
from games.services.ladders.challenges import challenge_player
from games.services.ladders.places import join_ladder
from games.services.leagues.entries import open_league
from games.services.puzzles import make_puzzles
from games.services.tables import token_of_link
from games.services.tournaments.entries import Plan, open_tournament
from games.services.wishes import make_wish
from notifications.models import Webhook
from notifications.services.unsubscribe import club_letters_url
from tests.sample_site import SampleSite


def puzzle_day(site: SampleSite) -> list[str]:
    """Return today, which has a puzzle."""
    now = timezone.now()
    make_puzzles(now=now)
    return [now.date().isoformat()]


def webhook_of(user: User) -> int:
    """Return the number of the user's webhook."""
    webhook, _ = Webhook.objects.get_or_create(
        user=user,
        owner=user,
        url="https://program.example.org/hook",
        defaults={"created_at": timezone.now()},
    )
    return webhook.pk


def wish_of_ann(site: SampleSite) -> list[Any]:
    """Return the key of a wish of ann's, which is made at the first call."""
    wish = Wish.objects.filter(user=site.ann).first()
    days = {"pace": per_turn(timedelta(days=3)), "via": Wish.Via.WEB, "now": timezone.now()}
    made = wish or make_wish(user=site.ann, rules_slug="morpion", options={}, **days)
    return [made.pk]


def league_of_morpion(site: SampleSite) -> list[Any]:
    """Return the slug of a league, which is opened at the first call."""
    if not League.objects.exists():
        terms = {"months": 1, "division_size": 8, "legs": 1, "now": timezone.now()}
        days = Terms(per_turn(timedelta(days=3)))
        open_league(rules_slug="morpion", options={}, terms=days, **terms)
    return ["morpion"]


def league_of_teams(site: SampleSite) -> list[Any]:
    """Return the slug of a league of teams, which is opened at the first call."""
    terms = {"months": 1, "division_size": 8, "legs": 1, "now": timezone.now()}
    teams, days = {"variant": "teams"}, Terms(per_turn(timedelta(days=3)))
    if not League.objects.filter(rules_slug="superpion").exists():
        open_league(rules_slug="superpion", options=teams, terms=days, **terms)
    return ["superpion"]


def ladder_of_morpion(_site: SampleSite) -> list[Any]:
    """Return the slug of a ladder, which each game of two has."""
    return ["morpion"]


def first_season(site: SampleSite) -> list[Any]:
    """Return the slug of a league and the number of its first season."""
    return [*league_of_morpion(site), 1]


def entry_of_ann(site: SampleSite) -> int:
    """Return the key of ann's entry in a season that is being played."""
    pair = LeagueGame.objects.get(pk=pair_of_a_season(site))
    return pair.first_id


def pair_of_a_season(site: SampleSite) -> int:
    """Return the key of a league game of ann and bob, the public game, in a season that runs."""
    if not LeagueGame.objects.exists():
        league_of_morpion(site)
        season, now = Season.objects.get(), timezone.now()
        Season.objects.update(started_at=now)
        division = Division.objects.create(season=season, number=1)
        ann, bob = (
            SeasonEntry.objects.create(
                season=season, user=user, joined_at=now, division=division, order=order
            )
            for order, user in enumerate((site.ann, site.bob), 1)
        )
        LeagueGame.objects.create(division=division, first=ann, second=bob, leg=1, game=site.public)
    return LeagueGame.objects.get().pk


def rating_of_ann(site: SampleSite) -> int:
    """Return the key of a rating of ann's."""
    rating, _made = Rating.objects.get_or_create(
        player=site.ann,
        rules_slug="morpion",
        table_kind="2",
        defaults={
            "mu": 1550,
            "sigma": 40,
            "games": 9,
            "of_program": False,
            "changed_at": timezone.now(),
        },
    )
    return rating.pk


def open_tournament_of(site: SampleSite) -> list[Any]:
    """Return the key of a tournament that can be joined, which is opened at the first call."""
    found = Tournament.objects.first()
    if found is None:
        now = timezone.now()
        plan = Plan("swiss", 64, now + timedelta(days=3))
        days = Terms(per_turn(timedelta(days=3)))
        what = {"rules_slug": "morpion", "options": {}, "terms": days, "plan": plan}
        found = open_tournament(user=site.ann, now=now, **what)
    return [found.pk]


def tournament_by_link(site: SampleSite) -> list[Any]:
    """Return the key of a tournament of ann's that is only for who has its link."""
    open_tournament_of(site)
    Tournament.objects.update(key="secret")
    return [Tournament.objects.get().pk]


def played_challenge(site: SampleSite) -> LadderChallenge:
    """Return a challenge of bob's to ann on a ladder."""
    challenge_to_ann(site)
    return LadderChallenge.objects.select_related("ladder").get()


def game_of_a_tournament(site: SampleSite) -> TournamentGame:
    """Return a pair of ann and bob in a round of a tournament."""
    found = TournamentGame.objects.first()
    if found is None:
        (tournament,), now = open_tournament_of(site), timezone.now()
        made = Round.objects.create(
            tournament_id=tournament, number=1, is_knockout=False, started_at=now, final_at=now
        )
        ann, bob = (
            Entrant.objects.create(
                tournament_id=tournament, user=user, joined_at=now, joined_as=number, number=number
            )
            for number, user in enumerate((site.ann, site.bob), 1)
        )
        found = TournamentGame.objects.create(round=made, board=1, first=ann, second=bob)
    return found


def challenge_to_ann(site: SampleSite) -> list[Any]:
    """Return the key of a challenge of bob's to ann on a ladder that waits, and an answer."""
    if not LadderChallenge.objects.exists():
        now = timezone.now()
        for user in (site.ann, site.bob):
            join_ladder(rules_slug="taquet", user=user, now=now)
        challenge_player(rules_slug="taquet", user=site.bob, opponent=site.ann, now=now)
    return [LadderChallenge.objects.get().pk, "accept"]


def above_everybody(site: SampleSite) -> list[Any]:
    """Return the slug of a ladder that bob leads, and cat, ann and mona follow."""
    if not Ladder.objects.exists():
        for user in (site.bob, site.cat, site.ann, site.mona):
            join_ladder(rules_slug="morpion", user=user, now=timezone.now())
    return ["morpion"]


def club_of_ann(site: SampleSite) -> Club:
    """Return a club that ann owns, which is opened at the first call."""
    found = Club.objects.filter(name="Ann’s club").first()
    return found or open_club(user=site.ann, name="Ann’s club", now=timezone.now())


def club_letters_token(site: SampleSite) -> str:
    """Return the token of the link that switches the letters of ann's club off for her."""
    return club_letters_url(site.ann, club_of_ann(site).pk).split("/")[-2]


def slug_of_ann_s_club(site: SampleSite) -> list[Any]:
    """Return the address of ann's club."""
    return [club_of_ann(site).slug]


def ladder_of_ann_s_club(site: SampleSite) -> list[Any]:
    """Return the address of ann's club and the slug of one of its ladders."""
    return [club_of_ann(site).slug, "morpion"]


def match_of_ann(site: SampleSite) -> list[Any]:
    """Return the key of a match of two clubs of ann's, which begins in three days."""
    found, now = ClubMatch.objects.first(), timezone.now()
    if found is None:
        other = open_club(user=site.ann, name="Ann’s other club", now=now)
        found = challenge_club(
            club_id=club_of_ann(site).pk,
            opponent_id=other.pk,
            user=site.ann,
            rules_slug="morpion",
            options={},
            terms=Terms(per_turn(timedelta(days=3))),
            plan=MatchPlan(4, now + timedelta(days=3)),
            now=now,
        )
    return [found.pk]


def public_game(site: SampleSite) -> list[Any]:
    """Return the key of the public game."""
    return [site.public.pk]


def table_link_of(site: SampleSite) -> list[Any]:
    """Return the token of the link to the open table."""
    return [token_of_link(TableLink.objects.get(game=site.open_table))]
