"""What the API shows, to whom, and that it is what the game holds."""

from datetime import datetime
from http import HTTPStatus

import pytest

from accounts.models import User
from games.models import Game
from games.queries.record_files import check_record_file
from games.rules.registry import all_rules, rules_for
from games.services.offers import accept_offer, offer_end, offer_pause
from tests.api.client import Api, code_of, token_for
from tests.factories import PersonFactory
from tests.games.multiplayer import gather
from tests.games.play import begin, play, play_all, table

pytestmark = pytest.mark.django_db


def test_a_game_says_whose_turn_it_is_and_until_when(as_ann, as_bob, game):
    data = as_ann.get(f"/games/{game.pk}").data
    assert (data["your_seat"], data["is_your_turn"], data["next_turn"]) == (0, True, 1)
    deadline = datetime.fromisoformat(data["deadline"])
    assert abs((deadline - game.deadline).total_seconds()) < 0.001
    assert data["deadline"].endswith("Z")
    data = as_bob.get(f"/games/{game.pk}").data
    assert (data["your_seat"], data["is_your_turn"]) == (1, False)


def test_a_position_is_the_board_and_what_is_legal_for_who_is_to_move(
    as_ann, as_bob, game, ann, now
):
    play(game, ann, "5", now=now)
    ours = as_bob.get(f"/games/{game.pk}/position").data
    [piece] = ours["board"]["pieces"]
    assert (piece["square"], piece["shape"]) == ("5", "cross")
    assert ours["board"]["last"] == ["5"]
    assert sorted(ours["legal"]["turns"]) == sorted("12346789")
    assert ours["legal"]["is_complete"]
    assert as_ann.get(f"/games/{game.pk}/position").data["legal"] is None
    before = as_bob.get(f"/games/{game.pk}/position", {"after": 0}).data
    assert (before["board"]["pieces"], before["legal"], before["next_turn"]) == ([], None, None)
    later = as_bob.get(f"/games/{game.pk}/position", {"after": 2})
    assert code_of(later) == (404, "NoSuchPositionYet")


def options_for_two(rules):
    """Return options with which two can play."""
    tried = [{}, *({one.key: value} for one in rules.options() for value, _ in one.choices)]
    return next(one for one in tried if rules.seats(rules.check_options(one)) == 2)


@pytest.mark.parametrize("slug", [rules.slug for rules in all_rules()])
def test_every_game_gives_its_board_and_legal_turns(slug, robot, as_robot, cat, now):
    rules = rules_for(slug)
    game = begin(cat, robot, slug=slug, options=options_for_two(rules), seat=1, now=now)
    found = as_robot.get(f"/games/{game.pk}/position")
    assert found.status_code == HTTPStatus.OK
    legal = found.data["legal"]["turns"]
    position = rules.load(found.data["text"])
    assert legal
    for text in legal:
        assert rules.format_turn(position, rules.parse_turn(position, text)) == text
    if found.data["legal"]["is_complete"]:
        firsts = {rules.format(position, action) for action in rules.legal_actions(position)}
        assert {text.partition(",")[0] for text in legal} == firsts


def test_where_finding_what_is_legal_is_part_of_the_game_people_are_not_told(
    ann, as_ann, robot, as_robot, cat, now
):
    """Morpiae: the page does not show it either."""
    by_person = begin(ann, cat, slug="morpiae", now=now)
    assert as_ann.get(f"/games/{by_person.pk}/position").data["legal"] is None
    wrong = as_ann.post(f"/games/{by_person.pk}/turns", {"turn": 1, "text": "a1-a5"})
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert wrong.data["legal"] == []
    by_program = begin(cat, robot, slug="morpiae", seat=1, now=now)
    assert as_robot.get(f"/games/{by_program.pk}/position").data["legal"]["turns"]


def test_the_record_can_be_verified(as_ann, game, now):
    import json

    play_all(game, ["5", "1", "9"], now=now)
    record = as_ann.get(f"/games/{game.pk}/record").data
    checked = check_record_file(json.dumps(record))
    assert (checked.entries, checked.is_known) == (3, True)
    entries = as_ann.get(f"/games/{game.pk}/entries", {"after": 1}).data
    assert [(one["turn"], one["notation"]) for one in entries["entries"]] == [(2, "1"), (3, "9")]
    assert entries["next"] is None
    assert entries["entries"][-1]["hash"] == Game.objects.get(pk=game.pk).head_hash


def test_what_is_hidden_is_not_there(ann, bob, as_ann, now):
    game = begin(ann, bob, is_public=False, now=now)
    stranger = Api(token_for(PersonFactory(username="eve"), now=now))
    parts = ("position", "entries", "record", "offers", "messages", "plans", "notes")
    for path in ("", *(f"/{part}" for part in parts)):
        hidden = stranger.get(f"/games/{game.pk}{path}")
        assert code_of(hidden) == (404, "NoSuchGame")
        nothing = stranger.get(f"/games/{game.pk + 99}{path}")
        assert nothing.data == hidden.data
    for path in ("turns", "check", "resign", "undo", "messages", "rematch"):
        body = {"turn": 1, "text": "5"} if path in ("turns", "check") else {"text": "x"}
        assert code_of(stranger.post(f"/games/{game.pk}/{path}", body)) == (404, "NoSuchGame")
    assert as_ann.get(f"/games/{game.pk}").status_code == HTTPStatus.OK


def test_lists_go_on_with_a_cursor(as_ann, ann, now):
    made = [table(ann, now=now).pk for _ in range(45)]
    found, cursor = [], ""
    while cursor is not None:
        page = as_ann.get("/games", {"cursor": cursor, "status": "open"}).data
        found += [game["id"] for game in page["games"]]
        cursor = page["next"]
    assert found == made[::-1]
    for wrong in ("x", "djE6", "~~~", "djI6MTI"):
        assert code_of(as_ann.get("/games", {"cursor": wrong})) == (422, "BadCursor")


# What is due -------------------------------------------------------------------------------------


def test_what_is_due_comes_with_the_oldest_deadline_first(as_ann, ann, bob, now):
    long = begin(ann, bob, days=5, now=now)
    short = begin(ann, bob, days=1, now=now)
    theirs = begin(bob, ann, now=now)
    asked = table(bob, now=now)
    from games.services.invitations import challenge

    challenge(game_id=asked.pk, by=bob, user=ann, now=now)
    offer = offer_end(game_id=theirs.pk, user=bob, now=now)
    due = as_ann.get("/me/turns").data
    assert [one["game"] for one in due["turns"]] == [short.pk, long.pk]
    assert [one["game"] for one in due["challenges"]] == [asked.pk]
    assert [one["id"] for one in due["offers"]] == [offer.pk]


def test_what_has_not_changed_is_not_sent_again(as_ann, game, ann, bob, now):
    first = as_ann.get("/me/turns")
    same = as_ann.get("/me/turns", **{"If-None-Match": first["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    assert same["ETag"] == first["ETag"]
    play(game, ann, "5", now=now)
    other = as_ann.get("/me/turns", **{"If-None-Match": first["ETag"]})
    assert other.status_code == HTTPStatus.OK
    assert other.data["turns"] == []
    play(game, bob, "1", now=now)
    again = as_ann.get("/me/turns", **{"If-None-Match": other["ETag"]})
    assert [one["turn"] for one in again.data["turns"]] == [3]


def test_the_tag_follows_what_is_answered(ann, bob, cat, as_ann, now):
    game = gather([ann, bob, cat], variant="three", now=now)
    offer = offer_end(game_id=game.pk, user=bob, now=now)

    def changes(act):
        before = as_ann.get("/me/turns")
        act()
        after = as_ann.get("/me/turns", **{"If-None-Match": before["ETag"]})
        assert (after.status_code == 200) == (as_ann.get("/me/turns").data != before.data)
        return after.status_code == 200

    assert changes(lambda: accept_offer(game_id=game.pk, user=cat, offer_id=offer.pk, now=now))
    assert changes(lambda: User.objects.filter(pk=bob.pk).update(username="robert"))
    assert not changes(lambda: offer_pause(game_id=game.pk, user=ann, days=3, now=now))


def test_a_turn_that_can_be_undone_is_shown_and_then_no_longer(as_ann, as_bob, game):
    as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    assert Game.objects.get(pk=game.pk).undo_until is not None
    assert as_bob.get("/games").data["games"][0]["turns_played"] == 1
    assert code_of(as_ann.post(f"/games/{game.pk}/undo")) == (409, "UndoIsOver")


# Nobody sees what others think -------------------------------------------------------------------


def test_plans_and_notes_of_others_are_nowhere(as_ann, as_bob, game, ann):
    as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    planned = as_ann.post(f"/games/{game.pk}/plans", {"turn": 2, "lines": ["if 1 then 9"]})
    assert planned.status_code == HTTPStatus.OK
    as_ann.post(f"/games/{game.pk}/notes", {"after": 0, "text": "the medlar corner"})
    assert as_ann.get(f"/games/{game.pk}/notes").data["notes"][0]["text"] == "the medlar corner"
    said = "".join(
        as_bob.get(path).content.decode()
        for path in (
            *("/me", "/me/turns", "/games", "/tables", "/challenges", f"/games/{game.pk}"),
            *(f"/games/{game.pk}/{part}" for part in ("position", "entries", "record", "offers")),
            *(f"/games/{game.pk}/{part}" for part in ("plans", "notes", "messages")),
        )
    )
    assert "medlar" not in said
    assert "then 9" not in said
    assert as_bob.get(f"/games/{game.pk}/plans").data == {"plans": []}
    assert as_bob.get(f"/games/{game.pk}/notes").data == {"notes": []}


def test_no_route_gives_an_opinion(as_ann):
    """Routes and members are all in the document: none is about how good a turn is."""
    words = ("analys", "evaluat", "opinion", "score", "best", "hint", "advice", "teacher")
    document = as_ann.get("/openapi.json").data
    names = [*document["paths"]]
    for schema in document["components"]["schemas"].values():
        names += schema.get("properties", {})
    names = [name for name in names if name != "best_of"]  # a match of a knock-out is
    assert [name for name in names if any(word in name.lower() for word in words)] == []
