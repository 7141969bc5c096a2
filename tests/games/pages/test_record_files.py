"""A game's record as a file, and the page that checks one."""

import json
import re
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.queries.record_files import LONGEST_FILE, MOST_ENTRIES
from games.rules.registry import all_rules
from games.services.endings import resign
from games.services.offers import accept_offer, offer_takeback
from tests.games.browsing import html_of
from tests.games.multiplayer import gather, play_on, play_out
from tests.games.play import begin, fresh, play_all, table
from tests.lanes import long

pytestmark = pytest.mark.django_db

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "record-files.md"


@pytest.fixture
def game(ann, bob, now):
    return play_all(begin(ann, bob, now=now), ["5", "1", "9"], now=now)


def file_of(client, game):
    answer = client.get(reverse("download_record", args=[game.pk]))
    assert answer.status_code == 200
    assert (
        answer["Content-Disposition"] == f'attachment; filename="{game.rules_slug}-{game.pk}.json"'
    )
    return answer.json()


def check(record, client=None):
    """Return the status and the page that checks a record, given as data or as text."""
    text = record if isinstance(record, str) else json.dumps(record)
    answer = (client or Client()).post(reverse("check_record"), {"text": text})
    return answer.status_code, answer.text


def refusal_of(record):
    status, page = check(record)
    assert status == 422
    return re.search(r'id="record-error" role="alert">([^<]*)<', page)[1]


def hashed_as_documented(record):
    """Return the record with the hashes that the program of the document finds for it."""
    program = re.search(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)[1]
    functions, _, loop = program.partition('record = json.load(open("morpion-12.json"))')
    write = loop.replace('assert entry["hash"] == expected', 'entry["hash"] = expected')
    names = {"record": record}
    exec(functions + write, names)  # noqa: S102  (our own document)
    return names["record"]


@pytest.mark.parametrize("slug", [rules.slug for rules in all_rules()])
def test_a_record_of_every_game_is_downloaded_and_checked(as_ann, people, now, slug):
    several = slug == "superpion"
    begun = gather(people, now=now) if several else begin(*people[:2], now=now, slug=slug)
    game = play_on(begun, 6, now=now)
    record = file_of(as_ann, game)
    hashes = [entry["hash"] for entry in record["entries"]]
    assert len(hashes) == 6
    again = hashed_as_documented(record | {"entries": [entry | {} for entry in record["entries"]]})
    assert [entry["hash"] for entry in again["entries"]] == hashes
    status, page = check(record)
    assert status == 200
    assert "6 turns: each turn matches its hash, and the rules allow them all." in page
    assert f"Game {game.pk} of this service has the same turns." in page
    assert "<svg" in page


def test_the_file_says_who_played_and_how_it_ended(as_ann, ann, bob, now):
    game = play_out(begin(ann, bob, now=now), now=now)
    record = file_of(as_ann, game)
    assert record["players"] == ["ann", "bob"]
    assert record["places"] == [seat.place for seat in game.seats.order_by("number")]
    assert (record["status"], record["ending"]) == ("finished", game.ending)
    page = check(record)[1]
    with translation.override("en"):
        assert game.rules.reason(game.ending).translated(translation.gettext) in page


def test_a_game_of_four_that_a_player_leaves_is_checked(as_ann, people, now):
    game = play_on(gather(people, now=now), 5, now=now)
    resign(game_id=game.pk, user=people[1], now=now)
    record = file_of(as_ann, play_on(game, 2, now=now))
    assert [entry["notation"] for entry in record["entries"]].count("withdraw 1") == 1
    assert check(record)[0] == 200


def test_a_game_that_was_taken_back_is_checked(as_ann, ann, bob, game, now):
    offer_takeback(game_id=game.pk, user=ann, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)
    record = file_of(as_ann, fresh(game))
    assert record["entries"][-1]["notation"].startswith("takeback")
    assert check(record)[0] == 200


def test_a_record_of_another_service_is_checked_without_a_game(as_ann, game):
    record = file_of(as_ann, game)
    record["game"] = game.pk + 1
    assert "No game of this service has this record" in check(record)[1]
    shorter = file_of(as_ann, game)
    del shorter["entries"][-1]
    assert f"Game {game.pk} of this service has the same turns." in check(shorter)[1]


def test_a_game_of_the_same_number_and_length_is_not_the_same(as_ann, game):
    record = file_of(as_ann, game)
    record["entries"][1]["notation"] = "2"
    status, page = check(hashed_as_documented(record))
    assert status == 200
    assert "No game of this service has this record" in page


CHANGES = {
    "another notation": lambda record: record["entries"][1].update(notation="2"),
    "another time": lambda record: record["entries"][1].update(
        played_at="2026-03-10T11:59:59.000000+00:00"
    ),
    "another seat": lambda record: record["entries"][1].update(seat=0),
    "a turn left out": lambda record: record["entries"].pop(1),
    "a turn added": lambda record: record["entries"].insert(1, dict(record["entries"][0])),
    "another hash": lambda record: record["entries"][1].update(hash="0" * 64),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_first_turn_that_was_changed_is_named(as_ann, game, change):
    record = file_of(as_ann, game)
    CHANGES[change](record)
    said = "This record was changed: turn 2, or what comes before it, does not match its hash."
    assert refusal_of(record) == said


def test_other_options_and_other_rules_are_a_change(as_ann, ann, bob, now):
    game = play_on(begin(ann, bob, now=now, slug="super-morpion"), 2, now=now)
    record = file_of(as_ann, game)
    assert refusal_of(record | {"rules": "morpion", "options": {}}).startswith(
        "This record was changed: turn 1"
    )


def test_right_hashes_of_a_game_that_the_rules_do_not_allow_are_not_enough(as_ann, game):
    record = file_of(as_ann, game)
    record["entries"][1]["notation"] = "5"
    said = refusal_of(hashed_as_documented(record))
    assert said.startswith("The hashes are right, but the rules do not allow this game. Turn 2")
    wrong = hashed_as_documented(record | {"options": {"variant": "none"}})
    assert refusal_of(wrong).startswith("The hashes are right, but the rules do not allow")


def test_a_game_that_is_not_installed_is_named_so(as_ann, game):
    assert refusal_of(file_of(as_ann, game) | {"rules": "go"}) == "This game is not installed here."


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "x", "[]", "{}", "null", "1", '{"entries": 3}', "[" * 100_000),
        *({"format": "pli-record-2"}, {"entries": []}, {"entries": {}}, {"entries": [3]}),
        *({"entries": [{}]}, {"options": 3}, {"options": [1]}, {"game": "x"}, {"game": 0}),
        *({"game": 2**63}, {"game": None}, {"entries": None}, {"site": "x" * LONGEST_FILE}),
    ],
    ids=lambda wrong: repr(wrong)[:30],
)
def test_what_is_no_record_is_refused_in_a_sentence(as_ann, game, wrong):
    record = wrong if isinstance(wrong, str) else file_of(as_ann, game) | wrong
    said = "This is not the record of a game. Paste the whole file, with at most 500 turns."
    assert refusal_of(record) == said


NASTY = (None, True, -1, 2**80, 1.5, 1e400, "", "x", "\0", "\ud800", [], {}, [[]], {"x": []})


@pytest.mark.parametrize("value", NASTY, ids=repr)
@pytest.mark.parametrize(
    "slug", ["morpion", "superpion", *long("super-morpion", "morpiae", "taquet")]
)
def test_any_value_anywhere_is_answered(as_ann, people, now, slug, value):
    several = slug == "superpion"
    begun = gather(people, now=now) if several else begin(*people[:2], now=now, slug=slug)
    whole = file_of(as_ann, play_on(begun, 2, now=now))
    options, (first, second) = whole["options"], whole["entries"]
    outside = [whole | {key: value} for key in whole]
    inside = [whole | {"options": options | {key: value}} for key in [*options, "x"]]
    inside += [whole | {"entries": [first, second | {key: value}]} for key in second]
    hashed_anew = []
    for record in inside:
        with suppress(UnicodeEncodeError):  # half a character has no hash
            hashed_anew.append(hashed_as_documented(deepcopy(record)))
    for record in [*outside, *inside, *hashed_anew]:
        status, page = check(record)
        assert status in (200, 422)
        assert ("record-error" in page) is (status == 422)


@pytest.mark.parametrize(
    "time",
    [
        *("", "x", "2026-03-10", "2026-03-10T12:00:00", "2026-13-01T00:00Z"),
        *("0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-10:00"),
    ],
)
def test_a_time_that_is_none_is_refused(as_ann, game, time):
    record = file_of(as_ann, game)
    record["entries"][0]["played_at"] = time
    assert "not the record" in refusal_of(record)


def test_a_record_that_is_too_long_is_refused(as_ann, game):
    record = file_of(as_ann, game)
    record["entries"] = record["entries"][:1] * (MOST_ENTRIES + 1)
    assert "not the record" in refusal_of(record)


def test_strange_text_is_shown_again_as_text(as_ann, game):
    record = file_of(as_ann, game)
    record["entries"][1]["notation"] = "<script>alert(1)</script>"
    status, page = check(hashed_as_documented(record))
    assert status == 422
    assert "<script>alert" not in page


def test_the_page_answers_in_french(as_ann, game):
    record = file_of(as_ann, game)
    french = Client(headers={"accept-language": "fr"})
    page = check(record, french)[1]
    assert "Les empreintes sont justes" in page
    assert "3 coups\N{NO-BREAK SPACE}: chaque coup correspond à son empreinte" in page
    record["entries"][0]["seat"] = 1
    assert "Ce relevé a été modifié\N{NO-BREAK SPACE}: le coup 1" in check(record, french)[1]


def test_a_table_that_has_not_begun_has_no_record(as_ann, ann, now):
    where = reverse("download_record", args=[table(ann, now=now).pk])
    assert as_ann.get(where).status_code == 404


def test_the_page_of_a_game_links_to_both(as_ann, game):
    page = html_of(as_ann, game.get_absolute_url())
    assert reverse("download_record", args=[game.pk]) in page
    assert reverse("check_record") in page
    assert 'name="text"' in html_of(Client(), reverse("check_record"))
