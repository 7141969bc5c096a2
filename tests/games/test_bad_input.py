"""Bad input over HTTP: the right status, a clear sentence, the database exactly as before."""

import random

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import Game
from games.services.invitations import challenge, invite, link_token
from tests.factories import PersonFactory
from tests.games.play import DAY, SECOND, begin, database, fresh, play, play_all, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ann, bob):
    return begin(ann, bob, now=timezone.now())


@pytest.fixture
def as_ann(client, ann):
    client.force_login(ann)
    return client


def post(client, name, *args, **data):
    return client.post(reverse(name, args=args), data)


def assert_refused(response, status, said):
    assert response.status_code == status
    assert said in response.content.decode()


# Turns -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["", "preview"])
@pytest.mark.parametrize(
    ("text", "expected", "status", "said"),
    [
        ("abc", 0, 422, "“abc” is not a cell"),
        ("", 0, 422, "is not a cell: type one digit"),
        ("5\0", 0, 422, "is not a cell"),
        ("\0\x01\x02\ufffe", 0, 422, "is not a cell"),
        ("\u202e5", 0, 422, "is not a cell"),
        ("<script>alert(1)</script>", 0, 422, "“&lt;script&gt;alert(1)&lt;/script&gt;” is not"),
        ("1,2", 0, 422, "The turn is over before “2”"),
        ("5" * 4097, 0, 413, "That is too long to be a turn."),
        ("x" * 5000, 0, 413, "That is too long to be a turn."),
        ("5", 1, 409, "The game has moved on since"),
        ("5", -1, 409, "The game has moved on since"),
        ("5", 2**31, 409, "The game has moved on since"),
        ("5", "9" * 5000, 409, "The game has moved on since"),
        ("5", "", 409, "The game has moved on since"),
        ("5", "0x0", 409, "The game has moved on since"),
        ("5", "0\0", 409, "The game has moved on since"),
    ],
)
def test_a_bad_turn_is_refused_with_a_sentence(as_ann, game, text, expected, status, said, step):
    before = database()
    response = post(as_ann, "game_play", game.pk, text=text, expected_turn=expected, step=step)
    assert_refused(response, status, said)
    assert "<script>alert" not in response.content.decode()
    assert database() == before


def test_an_illegal_turn_says_why_and_what_is_possible(as_ann, game, now):
    play_all(game, ["1", "2"], now=timezone.now())
    before = database()
    response = post(as_ann, "game_play", game.pk, text="2", expected_turn=2)
    assert_refused(response, 422, "Cell 2 is taken.")
    assert "Possible here:" in response.content.decode()
    assert database() == before


def test_what_was_typed_stands_in_the_field_again(as_ann, game):
    response = post(as_ann, "game_play", game.pk, text='"><b>x', expected_turn=0)
    assert 'value="&quot;&gt;&lt;b&gt;x"' in response.content.decode()


def test_a_turn_without_anything_is_refused(as_ann, game):
    before = database()
    assert as_ann.post(reverse("game_play", args=[game.pk])).status_code == 409
    assert database() == before


def test_a_turn_sent_as_a_file_is_refused(as_ann, game):
    from django.core.files.uploadedfile import SimpleUploadedFile

    before = database()
    file = SimpleUploadedFile("turn.bin", b"\x00\xff\xfe" * 1000)
    response = post(as_ann, "game_play", game.pk, text=file, expected_turn=0)
    assert_refused(response, 422, "is not a cell")
    assert database() == before


@pytest.mark.parametrize(
    "body", [b"text=%ff%fe%00&expected_turn=0", b"text=%ed%a0%80&expected_turn=0"]
)
def test_bytes_that_are_no_text_are_refused(as_ann, game, body):
    before = database()
    response = as_ann.post(
        reverse("game_play", args=[game.pk]),
        body,
        content_type="application/x-www-form-urlencoded",
    )
    assert_refused(response, 422, "is not a cell")
    assert database() == before


def test_out_of_turn_is_refused(client, bob, game):
    bob.language = "en"
    bob.save()
    client.force_login(bob)
    before = database()
    response = post(client, "game_play", game.pk, text="5", expected_turn=0)
    assert_refused(response, 409, "It is not your turn.")
    assert database() == before


def test_a_strangers_turn_is_refused(client, cat, game):
    client.force_login(cat)
    before = database()
    response = post(client, "game_play", game.pk, text="5", expected_turn=0)
    assert_refused(response, 403, "You do not play in this game.")
    assert database() == before


def test_a_stale_turn_is_refused(as_ann, game):
    play_all(game, ["1", "2"], now=timezone.now())
    before = database()
    response = post(as_ann, "game_play", game.pk, text="5", expected_turn=0)
    assert_refused(response, 409, "The game has moved on since")
    assert database() == before


def test_a_late_turn_is_refused_before_any_sweep(as_ann, game):
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() - SECOND)
    before = database()
    response = post(as_ann, "game_play", game.pk, text="5", expected_turn=0)
    assert_refused(response, 409, "The time for this turn is over.")
    assert database() == before


def test_a_repeated_turn_is_no_error(as_ann, game):
    first = post(as_ann, "game_play", game.pk, text="5", expected_turn=0)
    before = database()
    again = post(as_ann, "game_play", game.pk, text=" 5 ", expected_turn=0)
    assert first.status_code == again.status_code == 302
    page = as_ann.get(again["Location"]).content.decode()
    assert "You have played this turn already." in page
    assert database() == before


def test_a_turn_at_a_table_that_has_not_begun_is_refused(as_ann, ann):
    waiting = table(ann, now=timezone.now())
    before = database()
    response = post(as_ann, "game_play", waiting.pk, text="5", expected_turn=0)
    assert_refused(response, 409, "This game is not being played")
    assert "data-board" not in response.content.decode()
    assert database() == before


def test_a_turn_after_the_end_is_refused(as_ann, game):
    play_all(game, ["1", "4", "2", "5", "3"], now=timezone.now())
    before = database()
    response = post(as_ann, "game_play", game.pk, text="9", expected_turn=5)
    assert_refused(response, 409, "it is over")
    assert database() == before


# The preview that the board's module asks for --------------------------------------------------


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"turn": "5"}, 409),
        ({"turn": "5", "expected_turn": "zero"}, 409),
        ({"turn": "5", "expected_turn": "9" * 5000}, 409),
        ({"turn": "5", "expected_turn": "1"}, 409),
        ({"turn": "", "expected_turn": "0"}, 422),
        ({"turn": "\0", "expected_turn": "0"}, 422),
        ({"turn": "99", "expected_turn": "0"}, 422),
        ({"turn": "1,2", "expected_turn": "0"}, 422),
        ({"turn": "5" * 4097, "expected_turn": "0"}, 413),
        ({"square": "5", "turn": "zzz", "expected_turn": "0"}, 422),
    ],
)
def test_a_bad_question_about_a_turn_is_answered_as_json(as_ann, game, query, status):
    before = database()
    response = as_ann.get(reverse("game_preview", args=[game.pk]), query)
    assert response.status_code == status
    assert response.json()["error"].endswith((".", "Tb3 slides the taquet."))
    assert database() == before


# Tables ----------------------------------------------------------------------------------------

GOOD = {"game": "morpion", "whom": "anybody", "name": "", "maker_seat": "0", "days": "3"}


def test_the_good_form_makes_a_table(as_ann):
    assert as_ann.post(reverse("new_table"), GOOD).status_code == 302
    assert Game.objects.get().is_public


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"game": "chess"}, 422),
        ({"game": "\0"}, 422),
        ({"game": "<script>alert(1)</script>"}, 422),
        ({"whom": "everybody"}, 422),
        ({"whom": ""}, 422),
        ({"whom": "player", "name": ""}, 422),
        ({"whom": "player", "name": "nobody-here"}, 422),
        ({"whom": "player", "name": "ann"}, 422),
        ({"whom": "player", "name": "bob\0"}, 422),
        ({"whom": "player", "name": "x" * 5000}, 422),
        ({"whom": "player", "name": "<script>alert(1)</script>"}, 422),
        ({"whom": "address", "name": "not an address"}, 422),
        ({"whom": "address", "name": "a@b.c\nBcc: x@example.org"}, 422),
        ({"maker_seat": "2"}, 422),
        ({"maker_seat": "-1"}, 422),
        ({"maker_seat": "9" * 5000}, 422),
        ({"days": "4"}, 422),
        ({"days": ""}, 422),
        ({"days": "NaN"}, 422),
        ({"days": "-3"}, 422),
    ],
)
def test_a_bad_choice_makes_no_table(as_ann, bob, change, status):
    before = database()
    response = as_ann.post(reverse("new_table"), GOOD | change)
    assert response.status_code == status
    assert "<script>alert" not in response.content.decode()
    assert database() == before


@pytest.mark.parametrize("slug", ["chess", "morpion\0", "<b>", "x" * 5000])
def test_a_game_that_nobody_taught_this_house_has_no_form(as_ann, slug):
    response = as_ann.get(reverse("new_table"), {"game": slug})
    assert_refused(response, 422, "This house does not know that game.")


@pytest.mark.parametrize(
    "data", [{}, {"whom": "anybody"}, {"whom": "player"}, {"whom": "x", "name": "\0"}]
)
def test_asking_nobody_asks_nobody(as_ann, ann, data):
    waiting = table(ann, now=timezone.now())
    before = database()
    response = as_ann.post(reverse("table_ask", args=[waiting.pk]), data, follow=True)
    assert "Say whom you would like to play." in response.content.decode()
    assert database() == before


def test_unknown_rules_have_no_page(client):
    assert client.get("/rules/chess/").status_code in (404, 422)


# Links -----------------------------------------------------------------------------------------


@pytest.fixture
def token(ann):
    waiting = table(ann, now=timezone.now(), is_public=False)
    return link_token(
        invite(game_id=waiting.pk, by=ann, email="zoe@example.org", now=timezone.now())
    )


@pytest.mark.parametrize(
    "tamper",
    [
        lambda token: token[:-1],
        lambda token: token + "A",
        lambda token: "A" + token,
        lambda token: token.swapcase(),
        lambda token: token.replace(":", "%3A%00", 1),
        lambda token: "x" * 5000,
        lambda token: "%F0%9F%98%80",
        lambda token: "%ED%A0%80",
    ],
)
def test_a_tampered_link_does_nothing(as_ann, token, tamper):
    before = database()
    for path in (f"/invitations/{tamper(token)}/", f"/invitations/{tamper(token)}/answer/"):
        ask = as_ann.post if path.endswith("answer/") else as_ann.get
        response = ask(path, {"answer": "accept"})
        assert_refused(response, 404, "incomplete, changed or too old")
    assert database() == before


def test_an_expired_link_does_nothing(client, cat, token, monkeypatch):
    client.force_login(cat)
    import time

    today = time.time()
    monkeypatch.setattr("django.core.signing.time.time", lambda: today + 14 * 86400 + 5)
    before = database()
    assert_refused(client.get(f"/invitations/{token}/"), 404, "too old")
    response = client.post(f"/invitations/{token}/answer/", {"answer": "accept"})
    assert_refused(response, 404, "too old")
    assert database() == before


def test_the_link_of_an_answered_invitation_says_so(client, cat, token):
    client.force_login(cat)
    client.post(f"/invitations/{token}/answer/", {"answer": "decline"})
    before = database()
    assert_refused(client.get(f"/invitations/{token}/"), 409, "does not stand any more")
    response = client.post(f"/invitations/{token}/answer/", {"answer": "accept"})
    assert_refused(response, 409, "does not stand any more")
    assert database() == before


# Names -----------------------------------------------------------------------------------------


def test_html_in_names_stays_text_on_every_page(client):
    now = timezone.now()
    nasty = "<script>alert(1)</script>\"'>"
    one = PersonFactory(username="one", display_name=nasty)
    other = PersonFactory(username="other", display_name="<img src=x onerror=alert(2)>")
    game = play_all(begin(one, other, now=now), ["5", "1"], now=now)
    waiting = table(one, now=now)
    asked = challenge(game_id=waiting.pk, by=one, user=other, now=now)
    free = table(other, now=now)
    pages = [
        "/",
        reverse("lobby"),
        game.get_absolute_url(),
        reverse("game_turn", args=[game.pk, 1]),
        waiting.get_absolute_url(),
        free.get_absolute_url(),
        reverse("invitation", args=[link_token(asked)]),
        one.get_absolute_url(),
        other.get_absolute_url(),
    ]
    for person in (None, one, other):
        client.logout()
        if person:
            client.force_login(person)
        for page in pages:
            html = client.get(page).content.decode()
            assert "<script>alert" not in html
            assert "<img src=x" not in html
            assert "alert(" not in html or "&lt;" in html


# Anything, anywhere ----------------------------------------------------------------------------

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
    "maker_seat",
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
    """A house with something at every address, and a browser for everybody."""
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


@pytest.mark.parametrize("pattern", ours())
def test_no_address_ever_answers_500(strangers_and_players, pattern):
    """Client re-raises whatever a view lets slip: any exception fails this test."""
    clients, games = strangers_and_players
    chance = random.Random(pattern)
    for _ in range(30):
        client = chance.choice(clients)
        number = chance.choice([*games, *games, 987654, 2**63, 10**30])
        path = path_of(pattern, {"int": str(number)}, chance.choice(NASTY))
        data = {field: chance.choice(NASTY) for field in chance.sample(FIELDS, 7)}
        data = {key: value.encode("utf-8", "surrogatepass") for key, value in data.items()}
        method = chance.choice([client.get, client.post, client.post, client.head, client.put])
        response = method(path, {} if method == client.put else data)
        assert response.status_code < 500, (path, data)


@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
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
