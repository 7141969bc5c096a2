"""Anything sent to any address over HTTP: never a fault of ours."""

import random

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import Game
from games.services.invitations import challenge
from tests.games.browsing import post
from tests.games.play import DAY, begin, database, fresh, play, play_all, table, undone
from tests.lanes import long

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


NASTY = [
    "",
    "0",
    "-1",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "9" * 30,
    "-" + "9" * 5000,
    str(2**31),
    str(2**63),
    "1e309",
    "NaN",
    "٣",
    "x" * 5000,
    "\u202eevil",
    "<script>alert(1)</script>",
    "'; DROP TABLE games_game; --",
    "%s%(x)s{0}",
    "../../etc/passwd",
    "null",
    "[]",
    "\r\nSet-Cookie: a=b",
    "🂡" * 50,
    "e\u0301" * 300,
    "https://example.com/",
    "//example.com",
]
FIELDS = [
    "text",
    "choice",
    "expected_turn",
    "step",
    "answer",
    "whom",
    "name",
    "game",
    "creator_seat",
    "days",
    "is_public",
    "option-x",
    "turn",
    "square",
    "status",
    "next",
    "language",
    "display_name",
    "time_zone",
]


def ours():
    """Return every address pattern of ours, except sign-in and the admin."""
    names = []
    for pattern in get_resolver().url_patterns:
        prefix = str(pattern.pattern)
        if hasattr(pattern, "url_patterns") and prefix == "":
            names += [str(inner.pattern) for inner in pattern.url_patterns]
    return sorted(names)


def batched(whole, size):
    return [whole[start : start + size] for start in range(0, len(whole), size)]


def path_of(pattern, known, other):
    import re
    from urllib.parse import quote

    def fill(match):
        return known.get(match[1], other)

    filled = re.sub(r"<(?:(\w+):)?\w+>", fill, pattern)
    return "/" + "/".join(
        quote(part.encode("utf-8", "surrogatepass")) for part in filled.split("/")
    )


@pytest.fixture
def strangers_and_players(ann, bob, cat):
    """A site with something at every address, and a browser for everybody."""
    now = timezone.now()
    running = begin(ann, bob, now=now)
    play(running, ann, "5", now=now)
    waiting = table(ann, now=now)
    challenge(game_id=waiting.pk, by=ann, user=bob, now=now)
    over = play_all(begin(ann, bob, now=now), ["1", "4", "2", "5", "3"], now=now)
    clients = [Client(raise_request_exception=True) for _ in range(3)]
    clients[1].force_login(ann)
    clients[2].force_login(bob)
    return clients, [running.pk, waiting.pk, over.pk]


def test_every_address_of_ours_is_known_to_the_fuzz():
    assert {"games/<int:pk>/play/", "invitations/<str:token>/", "people/<str:username>/"} <= set(
        ours()
    )


@pytest.mark.parametrize("attempts", [6, *long(40)])
@pytest.mark.parametrize("patterns", batched(ours(), 9), ids=lambda patterns: patterns[0])
def test_no_address_ever_answers_500(strangers_and_players, patterns, attempts):
    """Client re-raises whatever a view lets slip: any exception fails this test."""
    for pattern in patterns:
        with undone():
            never_500(*strangers_and_players, pattern, attempts)


def never_500(clients, games, pattern, attempts):
    chance = random.Random(pattern)
    for _ in range(attempts):
        client = chance.choice(clients)
        number = chance.choice([*games, *games, 987654, 2**63, 10**30])
        path = path_of(pattern, {"int": str(number)}, chance.choice(NASTY))
        data = {field: chance.choice(NASTY) for field in chance.sample(FIELDS, 7)}
        data = {key: value.encode("utf-8", "surrogatepass") for key, value in data.items()}
        method = chance.choice([client.get, client.post, client.post, client.head, client.put])
        response = method(path, {} if method == client.put else data)
        assert response.status_code < 500, (path, data)


@pytest.mark.parametrize("number", [2**63, 10**30])
def test_no_number_is_too_large(strangers_and_players, number):
    (_, ann, _), _ = strangers_and_players
    for pattern in ours():
        if "<int:" in pattern:
            path = path_of(pattern, {"int": str(number)}, "x")
            for method in (ann.get, ann.post):
                assert method(path).status_code < 500, path


@settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    text=st.one_of(st.text(), st.binary().map(lambda raw: raw.decode("latin-1"))),
    expected=st.one_of(st.integers(), st.text(max_size=20), st.just("1")),
    step=st.sampled_from(["", "preview"]),
)
def test_no_turn_whatever_answers_500(strangers_and_players, text, expected, step):
    clients, games = strangers_and_players
    response = clients[2].post(
        reverse("game_play", args=[games[0]]),
        {
            "text": text.encode("utf-8", "surrogatepass"),
            "expected_turn": str(expected).encode("utf-8", "surrogatepass"),
            "step": step,
        },
    )
    assert response.status_code < 500
    game = fresh(Game(pk=games[0]))
    assert game.turn_number == game.turns.count()


def test_a_body_that_is_too_large_is_refused(as_ann, game):
    before = database()
    response = post(as_ann, "game_play", game.pk, text="5" * 300_000, expected_turn=0)
    assert response.status_code in (400, 413)
    assert database() == before


def test_more_fields_than_anybody_needs_are_refused(as_ann, game):
    before = database()
    data = {f"field{number}": "x" for number in range(1100)}
    assert as_ann.post(reverse("game_play", args=[game.pk]), data).status_code == 400
    assert database() == before


def test_a_wrong_method_is_refused(as_ann, game):
    before = database()
    for name in ("game_play", "game_resign", "table_join"):
        for method in ("get", "put", "delete", "patch"):
            response = getattr(as_ann, method)(reverse(name, args=[game.pk]))
            assert response.status_code == 405
    assert database() == before


def test_a_deadline_far_away_does_not_trouble_the_page(as_ann, game):
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + 360 * DAY)
    assert as_ann.get(game.get_absolute_url()).status_code == 200
