"""The pages of the rulebooks, and what they ask while somebody tries turns there."""

import re

import pytest
from django.urls import reverse

from games.queries.trials import LONGEST_LINE, LONGEST_OPTIONS, MOST_TURNS
from games.rulebook import parse_examples
from games.rules.registry import all_rules, app_for
from tests.games.browsing import html_of

GAMES = pytest.mark.parametrize("slug", [rules.slug for rules in all_rules()])
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


def ask(client, slug, language="en", **asked):
    """Ask for a position; nothing here may touch the database."""
    path = reverse("rules_position", args=[slug])
    return client.get(path, asked, headers={"Accept-Language": language})


def answer(client, slug, **asked):
    response = ask(client, slug, **asked)
    assert response.status_code == 200, response.text
    return response.json()


# The page ----------------------------------------------------------------------------------------


@pytest.mark.django_db
@GAMES
@LANGUAGES
def test_the_contents_lead_to_every_heading(client, slug, language):
    html = client.get(f"/rules/{slug}/", headers={"Accept-Language": language}).text
    markdown = app_for(slug).rulebook(language)
    wanted = re.findall(r"^###? (.+)$", markdown, flags=re.MULTILINE)
    listed = re.findall(r'<li class="contents-\d">\s*<a href="#([^"]+)">([^<]+)</a>', html)
    assert [title.replace("&#x27;", "'") for _, title in listed] == wanted * 2  # folded and beside
    for anchor, _ in listed:
        assert html.count(f' id="{anchor}"') == 1, anchor


@pytest.mark.django_db
@GAMES
def test_the_page_begins_with_a_board_to_try_and_the_way_to_a_game(client, slug):
    html = html_of(client, f"/rules/{slug}/")
    opening = html[html.index("rules-opening") : html.index("rules-body")]
    assert 'href="#try-it"' in opening
    assert f'href="/tables/new/?game={slug}"' in opening
    try_it = opening[opening.index('id="try-it"') :]
    assert 'class="cell"' in try_it
    assert f'data-positions-url="/rules/{slug}/positions/"' in try_it
    assert '"actions"' in try_it
    assert html.index("</article>") < html.rindex("Play this game") < html.index("The other games")


@pytest.mark.django_db
@GAMES
def test_every_example_says_how_it_came_about(client, slug):
    html = html_of(client, f"/rules/{slug}/")
    figures = re.findall(r'<figure.*?data-moves="(.*?)"\s+data-options="(.*?)"', html, re.DOTALL)
    examples = parse_examples(app_for(slug).rulebook("en"))
    assert figures == [
        (one.line, " ".join(f"{key}={value}" for key, value in one.options.items()))
        for one in examples
    ]


# Positions ---------------------------------------------------------------------------------------


def test_the_start_has_every_first_action(client):
    start = answer(client, "morpion")
    assert start["report"] == "To play: Cross."
    assert (start["moves"], start["complete"], start["hidden"]) == ("", True, False)
    assert [action["text"] for action in start["actions"]] == list("123456789")
    assert start["actions"][4]["squares"] == ["5"]
    assert 'data-square="5"' in start["svg"]


def test_turns_lead_to_a_position_and_are_told(client):
    after = answer(client, "taquet", moves="A1 c3")
    assert after["moves"] == "a1 c3"
    assert after["report"] == "Triangles: places a man on c3. To play: Discs."
    assert "a1" not in [action["text"] for action in after["actions"]]


def test_one_more_turn_goes_on_from_there(client):
    after = answer(client, "morpion", moves="5 1", turn="3")
    assert (after["moves"], after["notation"], after["complete"]) == ("5 1 3", "3", True)
    assert [action["text"] for action in after["actions"]] == list("246789")


def test_an_unfinished_turn_says_how_it_can_go_on(client):
    begun = answer(client, "superpion", turn="e3-e5")
    assert (begun["complete"], begun["moves"], begun["notation"]) == (False, "", "e3-e5")
    assert begun["words"] == "moves a pawn from e3 to e5"
    assert "m3-m5" in [action["text"] for action in begun["actions"]]
    whole = answer(client, "superpion", turn="e3-e5, m3-m5")
    assert (whole["complete"], whole["moves"]) == (True, "e3-e5,m3-m5")
    assert answer(client, "superpion", moves=whole["moves"])["report"] == whole["report"]


def test_options_are_those_of_the_game(client):
    after = answer(client, "superpion", options="variant=two", moves="e3-e5,m3-m5,b12-d12,b8-d8")
    assert "To play: Yellow and Black." in after["report"]


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("5 1 3 7 4 6 2 9 8", "Three in a line. Cross won."),
        ("7 1 6 5 4 3 9 8 2", "nobody has a line. A draw."),
    ],
)
def test_the_end_is_told_with_the_winner(client, moves, said):
    over = answer(client, "morpion", moves=moves)
    assert over["actions"] == []
    assert over["report"].endswith(said)


def test_reports_are_in_the_language_of_the_reader(client):
    french = ask(client, "taquet", "fr", moves="a1").json()
    assert french["report"] == "Disques\u00a0: place un pion en a1. À jouer\u00a0: Triangles."


def test_what_is_part_of_the_game_to_find_is_shown_square_by_square(client):
    start = answer(client, "morpiae")
    assert start["hidden"]
    assert [action["text"] for action in start["actions"]] == ["pass"]
    found = answer(client, "morpiae", square="m12")["actions"]
    assert found
    assert {action["squares"][0] for action in found} == {"m12"}
    assert answer(client, "superpion", turn="e3-e5", square="m3")["actions"]


@GAMES
def test_every_turn_of_every_example_can_be_stepped_to(client, slug):
    for example in parse_examples(app_for(slug).rulebook("en")):
        options = " ".join(f"{key}={value}" for key, value in example.options.items())
        for shown in range(len(example.turns) + 1):
            moves = " ".join(example.turns[:shown])
            found = answer(client, slug, options=options, moves=moves)
            assert found["moves"] == moves


# Refusals ----------------------------------------------------------------------------------------

ILLEGAL = {"moves": "5 5"}


@pytest.mark.parametrize(
    ("asked", "status", "code", "said"),
    [
        (ILLEGAL, 422, "MoveRefused", "Cell 5 is taken."),
        ({"moves": "x"}, 422, "MoveRefused", "is not a cell"),
        ({"moves": "5,1"}, 422, "MoveRefused", "The turn is over before"),
        ({"moves": "5 takeback"}, 422, "MoveRefused", "is not a cell"),
        ({"moves": "withdraw"}, 422, "MoveRefused", "is not a cell"),
        ({"moves": "\0"}, 422, "MoveRefused", "is not a cell"),
        ({"moves": "\ud800".encode(errors="surrogatepass")}, 422, "MoveRefused", "is not a cell"),
        ({"moves": "5 1 3 7 4 6 2 9 8 8"}, 422, "MoveRefused", "The game is over."),
        ({"turn": ","}, 422, "MoveRefused", "is not a cell"),
        ({"turn": "5" * 4097}, 413, "TurnTooLong", "too long to be a turn"),
        ({"options": "x=1"}, 422, "BadOption", "This game has no option “x”."),
        ({"options": "x"}, 422, "BadOption", "This game has no option “x”."),
        ({"options": "="}, 422, "BadOption", "This game has no option"),
        ({"options": "x" * (LONGEST_OPTIONS + 1)}, 413, "TooLongToTry", "At most 300 turns"),
        ({"moves": "1" * (LONGEST_LINE + 1)}, 413, "TooLongToTry", "At most 300 turns"),
        ({"moves": "5 " * (MOST_TURNS + 1)}, 413, "TooLongToTry", "At most 300 turns"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_with_a_sentence(client, asked, status, code, said):
    response = ask(client, "morpion", **asked)
    assert response.status_code == status
    assert response.json()["code"] == code
    assert said in response.json()["error"]


def test_an_unfinished_turn_cannot_stand_among_the_moves(client):
    response = ask(client, "superpion", moves="e3-e5")
    assert response.status_code == 422
    assert "The turn is not finished" in response.json()["error"]


@pytest.mark.parametrize("options", ["variant", "variant=", "variant=six", "limit=999", "limit=x"])
def test_options_that_the_game_does_not_take_are_refused(client, options):
    assert ask(client, "superpion", options=options).status_code == 422


def test_an_unknown_game_is_refused(client):
    response = ask(client, "chess")
    assert (response.status_code, response.json()["code"]) == (422, "UnknownRules")


def test_refusals_are_in_the_language_of_the_reader(client):
    assert ask(client, "morpion", "fr", **ILLEGAL).json()["error"] == "La case 5 est prise."


@pytest.mark.parametrize(("limit", "most"), [("MOST_TURNS", 2), ("LONGEST_LINE", 5)])
def test_a_line_as_long_as_may_be_goes_no_further(client, monkeypatch, limit, most):
    monkeypatch.setattr(f"games.queries.trials.{limit}", most)
    assert answer(client, "morpion", moves="5", turn="1")["moves"] == "5 1"
    response = ask(client, "morpion", moves="5 1", turn="3")
    assert (response.status_code, response.json()["code"]) == (413, "TooLongToTry")


def test_an_odd_square_has_no_actions(client):
    for square in ("", "z99", "\0", "5" * 5000):
        assert answer(client, "morpion", square=square)["actions"] == []
