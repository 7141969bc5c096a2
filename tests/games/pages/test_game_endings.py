"""The end of a game on its page: who won, why, by what points, and what to play next."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils import timezone, translation

from games.models import Seat
from games.queries.seats import game_for
from games.rules.base import Outcome
from games.rules.registry import rules_for
from games.services.endings import abort, resign
from games.services.offers import offer_end
from games.services.turns import finish_game
from games.templatetags.boards import points_words
from games.views.page import game_context, result_words
from tests.factories import PersonFactory
from tests.games.browsing import html_of
from tests.games.multiplayer import gather
from tests.games.play import begin, fresh, play, play_all
from tests.journeys.taquet_line import LINE

pytestmark = pytest.mark.django_db

MORPION = ["1", "4", "2", "5", "3"]


@pytest.fixture
def people(ann, bob, cat):
    return [ann, bob, cat, PersonFactory(username="dan")]


def finish(game, places, points, ending="no-captures"):
    """End a game with this result; return it."""
    outcome = Outcome(places, points, ending)
    finish_game(game, ending, now=timezone.now(), actor=None, outcome=outcome)
    return fresh(game)


def said_to(game, *viewers):
    """Return what each of the viewers reads, in English and in French."""
    told = []
    for language in ("en", "fr"):
        with translation.override(language):
            told.append([result_words(fresh(game), viewer) for viewer in viewers])
    return told


def test_the_winner_the_loser_and_a_stranger_read_who_won(game, ann, bob, cat):
    play_all(game, MORPION, now=timezone.now())
    assert said_to(game, ann, bob, cat, AnonymousUser()) == [
        ["You won.", "You lost: ann won.", "ann won.", "ann won."],
        ["Vous avez gagné.", "Vous avez perdu\N{NO-BREAK SPACE}: ann a gagné."]
        + ["ann a gagné."] * 2,
    ]


def test_partners_have_won_together(people):
    game = gather(people, now=timezone.now(), variant="teams")
    finish(game, (1, 2, 1, 2), (7, 6, 5, 3))
    ann, bob, cat, _dan = people
    assert said_to(game, ann, cat, bob, AnonymousUser()) == [
        ["You and cat won.", "You and ann won.", "You lost: ann and cat won.", "ann and cat won."],
        [
            "Vous et cat avez gagné.",
            "Vous et ann avez gagné.",
            "Vous avez perdu\N{NO-BREAK SPACE}: ann et cat ont gagné.",
            "ann et cat ont gagné.",
        ],
    ]
    assert points_words(fresh(game)) == "ann and cat have 12 points, bob and dan 9."


def test_three_share_the_first_place(people):
    game = finish(gather(people, now=timezone.now()), (1, 1, 4, 1), (4, 4, 1, 4))
    assert said_to(game, people[0])[0] == ["You and bob and dan won."]
    assert points_words(game) == "ann has 4 points, bob 4, dan 4, cat 1."


def test_a_draw_and_an_aborted_game_are_told_alike_to_everybody(game, ann, bob, cat):
    aborted = begin(ann, bob, now=timezone.now())
    abort(game_id=aborted.pk, user=ann, now=timezone.now())
    finish(game, (1, 1), None, "full")
    viewers = [ann, bob, cat]
    assert said_to(game, *viewers) == [["A draw."] * 3, ["Partie nulle."] * 3]
    assert said_to(aborted, *viewers) == [
        ["Aborted: this game does not count."] * 3,
        ["Annulée\N{NO-BREAK SPACE}: cette partie ne compte pas."] * 3,
    ]


def test_a_game_that_runs_has_no_result(game, ann):
    assert said_to(game, ann) == [[""], [""]]


# Points --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "places", "points", "ending", "said"),
    [
        ("morpiae", (1, 2), (7, 5), "no-line", "ann has 7 points, bob 5."),
        ("morpiae", (2, 1), (0, 1), "passes", "bob has 1 point, ann 0."),
        ("morpiae", (1, 1), (3, 3), "agreed", "ann has 3 points, bob 3."),
        ("super-morpion", (1, 2), (4, 3), "line", "ann has 4 points, bob 3."),
        (
            "super-morpion",
            (2, 1),
            (4, 4),
            "line",
            "bob has 4 points, ann 4. The line wins, whatever the points.",
        ),
        (
            "super-morpion",
            (2, 1),
            (5, 3),
            "line",
            "bob has 3 points, ann 5. The line wins, whatever the points.",
        ),
        ("super-morpion", (1, 1), (4, 4), "boards", "ann has 4 points, bob 4."),
        ("morpion", (1, 2), None, "line", ""),
    ],
)
def test_points_are_told_and_what_decided_instead(ann, bob, slug, places, points, ending, said):
    game = begin(ann, bob, now=timezone.now(), slug=slug)
    assert points_words(finish(game, places, points, ending)) == said


def test_who_left_comes_behind_whatever_the_points(people):
    now = timezone.now()
    game = gather(people[:3], now=now, variant="three")
    Seat.objects.filter(game=game, number=2).update(left_at=now)
    told = "ann has 5 points, bob 4, cat 9. Who leaves a game comes behind those who stay."
    assert points_words(finish(fresh(game), (1, 2, 3), (5, 4, 9))) == told


def test_points_in_french(ann, bob):
    game = begin(ann, bob, now=timezone.now(), slug="super-morpion")
    with translation.override("fr"):
        assert points_words(finish(game, (2, 1), (4, 4), "line")) == (
            "bob a 4 points, ann 4. L’alignement l’emporte, quels que soient les points."
        )


@pytest.mark.parametrize(
    ("slug", "record"),
    [
        ("morpion", "1 4 2 5 3"),
        ("taquet", " ".join(turn.notation for turn in LINE)),
        ("super-morpion", "51 19 91 18 83 37 73 31 12 27 71 17 72 24 43 34 47 21"),
    ],
)
def test_the_last_position_shows_the_line_that_ended_the_game(slug, record):
    rules = rules_for(slug)
    position = rules.initial({})
    for text in record.split():
        position = rules.play(position, rules.parse(position, text))
    outcome = rules.outcome(position)
    assert outcome.reason == "line"
    assert {line.side for line in rules.board(position, None, ()).lines} == set(outcome.winners)


# The page ------------------------------------------------------------------------------------


def test_the_page_marks_the_winner_and_only_them(client, game, ann, bob, cat):
    play_all(game, MORPION, now=timezone.now())
    told = {ann: ("won", "winner"), bob: ("fin", "a gagné"), cat: ("over", "winner")}
    for viewer, (stamp, winner) in told.items():
        client.force_login(viewer)
        html = html_of(client, game.get_absolute_url())
        assert html.count("player-won") == 1
        assert html.count(f">{winner}</strong>") == 1
        seat = html[html.index("player-won") : html.index(f">{winner}</strong>")]
        assert "<bdi>ann</bdi>" in seat
        assert "<bdi>bob</bdi>" not in seat
        assert f"<span>{stamp}</span>" in html


def test_a_draw_has_no_winner(as_ann, game):
    finish(game, (1, 1), None, "full")
    html = html_of(as_ann, game.get_absolute_url())
    assert "player-won" not in html
    assert "<span>over</span>" in html


@pytest.mark.parametrize(
    ("word", "button"),
    [
        ("Resign", "Yes, I resign"),
        ("Abort", "Yes, abort the game"),
        ("Accept", "Yes, end the game"),
    ],
)
def test_what_cannot_be_undone_needs_a_second_press(as_ann, game, bob, word, button):
    """A disclosure needs no script; without opening it nobody can press the button."""
    offer_end(game_id=game.pk, user=bob, now=timezone.now())
    html = html_of(as_ann, game.get_absolute_url())
    (before, after) = html.split(button)
    summary = f"<summary>{word}</summary>"
    assert summary in before
    assert "</details>" not in before[before.rindex(summary) :]
    assert "</details>" in after
    assert f">{word}</button>" not in html


def test_players_are_offered_what_to_play_next_below_the_verdict(client, game, ann, cat):
    resign(game_id=game.pk, user=ann, now=timezone.now())
    client.force_login(ann)
    html = html_of(client, game.get_absolute_url())
    state = html[html.index('id="game-state"') : html.index('id="game-players"')]
    assert reverse("game_rematch", args=[game.pk]) in state
    assert f'{reverse("new_table")}?game=morpion"' in state
    assert html.count(reverse("game_rematch", args=[game.pk])) == 1
    client.force_login(cat)
    html = html_of(client, game.get_absolute_url())
    assert "game-again" not in html


def test_an_open_page_hears_how_a_game_ended_without_a_turn(as_ann, game, bob):
    resign(game_id=game.pk, user=bob, now=timezone.now())
    html = html_of(as_ann, f"{reverse('game_news', args=[game.pk])}?board=0-active-plays")
    assert 'hx-swap-oob="innerHTML">You won.</p>' in html


def test_a_turn_that_comes_while_a_page_is_read_is_left_out(game, ann, bob, now):
    """The page shows the game as it was read first: its position and its turns belong together."""
    play(game, ann, "5", now=now)
    found = game_for(game.pk, bob)
    play(game, bob, "1", now=now)
    context = game_context(found, bob)
    assert [turn.notation for turn in context["turns"]] == ["5"]
    assert context["last_words"] == "ann plays in the centre"
