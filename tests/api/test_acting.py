"""What programs do by the API: turns with their number as guard, offers, tables, messages."""

from datetime import timedelta
from http import HTTPStatus
from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiAnswer
from games.models import Game, Invitation, Message, Offer, Turn
from games.services.site_status import clear_site_status
from games.services.thinking import play_for_bots
from tests.api.client import Api, code_of, token_for
from tests.games.play import begin, play, table

pytestmark = pytest.mark.django_db

DAY = 86_400


def turns_of(game):
    return list(game.turns.order_by("number").values_list("notation", "via"))


def test_a_turn_is_played_once_however_often_it_is_sent(as_ann, game):
    sent = {"turn": 1, "text": "5"}
    first, again = (as_ann.post(f"/games/{game.pk}/turns", sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert [one.data["already"] for one in (first, again)] == [False, True]
    same = ("turn", "notation", "hash", "game")
    assert [first.data[key] for key in same] == [again.data[key] for key in same]
    assert turns_of(game) == [("5", Turn.Via.API)]


def test_another_text_for_a_number_that_is_played_is_refused_with_the_present_state(as_ann, game):
    as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    answer = as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "1"})
    assert code_of(answer) == (409, "StaleTurn")
    assert answer.data["turn"] == 2
    assert answer.data["game"] == as_ann.get(f"/games/{game.pk}").data
    assert turns_of(game) == [("5", "api")]


def test_a_turn_never_lands_in_another_position(as_ann, game, ann, bob, now):
    play(game, ann, "5", now=now)
    play(game, bob, "1", now=now)
    for number in (1, 2, 4):
        answer = as_ann.post(f"/games/{game.pk}/turns", {"turn": number, "text": "9"})
        assert code_of(answer) == (409, "StaleTurn")
    assert as_ann.post(f"/games/{game.pk}/turns", {"turn": 3, "text": "9"}).status_code == 200


def test_what_the_rules_refuse_says_what_is_legal(as_ann, as_bob, game):
    as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    for text, kind in (("5", "illegal"), ("hello", "unreadable")):
        answer = as_bob.post(f"/games/{game.pk}/turns", {"turn": 2, "text": text})
        assert code_of(answer) == (422, "MoveRefused")
        assert (answer.data["kind"], answer.data["legal"]) == (kind, list("12346789"))
    assert len(turns_of(game)) == 1


def test_at_most_thirty_legal_turns_are_listed(as_ann, ann, bob, now):
    for slug in ("super-morpion", "taquet"):
        game = begin(ann, bob, slug=slug, now=now)
        answer = as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "zz99"})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert len(answer.data["legal"]) <= 30


def test_not_ones_turn(as_bob, game):
    answer = as_bob.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    assert code_of(answer) == (409, "NotYourTurn")


def test_trying_a_turn_changes_nothing(as_ann, game):
    answer = as_ann.post(f"/games/{game.pk}/check", {"turn": 1, "text": " 5 "})
    assert answer.data["notation"] == "5"
    assert answer.data["is_complete"]
    assert [piece["square"] for piece in answer.data["board"]["pieces"]] == ["5"]
    refused = as_ann.post(f"/games/{game.pk}/check", {"turn": 1, "text": "0"})
    assert code_of(refused) == (422, "MoveRefused")
    assert turns_of(game) == []


def test_a_turn_can_be_undone_until_it_is_seen(as_ann, game):
    as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    assert as_ann.post(f"/games/{game.pk}/undo").data["is_your_turn"]
    assert [one for one, _ in turns_of(game)] == ["5", "takeback 0"]


def test_resigning(as_ann, game):
    answer = as_ann.post(f"/games/{game.pk}/resign")
    assert (answer.data["status"], answer.data["ending"]) == ("finished", "resigned")
    assert [seat["place"] for seat in answer.data["seats"]] == [2, 1]
    assert code_of(as_ann.post(f"/games/{game.pk}/resign")) == (409, "GameNotRunning")


# Offers ------------------------------------------------------------------------------------------


def test_offers_are_made_and_answered(as_ann, as_bob, game):
    made = as_ann.post(f"/games/{game.pk}/offers", {"kind": "agreed-end"})
    assert made.status_code == HTTPStatus.OK
    assert made.data["is_yours"]
    [seen] = as_bob.get(f"/games/{game.pk}/offers").data["offers"]
    assert (seen["id"], seen["is_yours"]) == (made.data["id"], False)
    where = f"/games/{game.pk}/offers/{seen['id']}/answer"
    assert as_bob.post(where, {"answer": "accept"}).data["status"] == "finished"
    assert code_of(as_bob.post(where, {"answer": "accept"})) == (409, "GameNotRunning")


def test_a_pause_and_a_pace_can_be_offered(as_ann, as_bob, game):
    pause = as_ann.post(f"/games/{game.pk}/offers", {"kind": "pause", "days": 7}).data
    assert pause["details"] == {"days": 7}
    pace = {"kind": "turn", "allowance": 5 * DAY}
    offered = as_bob.post(f"/games/{game.pk}/offers", {"kind": "pace", "pace": pace}).data
    where = f"/games/{game.pk}/offers/{offered['id']}/answer"
    assert as_ann.post(where, {"answer": "accept"}).data["pace"]["allowance"] == 5 * DAY
    for wrong in ({"kind": "pause", "days": 8}, {"kind": "pace"}, {"kind": "pause"}):
        refused = as_ann.post(f"/games/{game.pk}/offers", wrong)
        assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


# Idempotency-Key ---------------------------------------------------------------------------------


def test_a_repeated_request_with_a_key_is_answered_as_the_first_time(as_ann, game):
    key = {"Idempotency-Key": "5f1c"}
    first = as_ann.post(f"/games/{game.pk}/messages", {"text": "hello"}, **key)
    Message.objects.update(said_at=first_time(first) - timedelta(hours=1))
    again = as_ann.post(f"/games/{game.pk}/messages", {"text": "hello"}, **key)
    assert (again.status_code, again.data) == (200, first.data)
    assert Message.objects.count() == 1
    without = as_ann.post(f"/games/{game.pk}/messages", {"text": "hello"})
    assert without.data["id"] != first.data["id"]


def first_time(answer):
    from datetime import datetime

    return datetime.fromisoformat(answer.data["said_at"])


def test_a_key_is_for_one_request(as_ann, as_bob, game):
    key = {"Idempotency-Key": "5f1c"}
    as_ann.post(f"/games/{game.pk}/messages", {"text": "hello"}, **key)
    other = as_ann.post(f"/games/{game.pk}/messages", {"text": "goodbye"}, **key)
    assert code_of(other) == (422, "KeyReused")
    assert as_bob.post(f"/games/{game.pk}/messages", {"text": "hi"}, **key).status_code == 200
    for wrong in ("", "x" * 101, "a\tb"):
        bad = as_ann.post(f"/games/{game.pk}/messages", {"text": "x"}, **{"Idempotency-Key": wrong})
        assert code_of(bad) == (422, "BadKey")


def test_what_was_refused_can_be_tried_again_with_its_key(as_ann, game):
    key = {"Idempotency-Key": "5f1c"}
    refused = as_ann.post(f"/games/{game.pk}/messages", {"text": ""}, **key)
    assert code_of(refused) == (422, "NothingSaid")
    assert not ApiAnswer.objects.exists()


def test_a_table_is_opened_once_with_a_key(as_ann):
    key, sent = {"Idempotency-Key": "k"}, {"game": "morpion", "pace": {"allowance": DAY}}
    tables = {as_ann.post("/tables", sent, **key).data["id"] for _ in range(3)}
    assert len(tables) == Game.objects.count() == 1


# Tables and challenges ---------------------------------------------------------------------------


def test_a_table_is_opened_found_and_joined(as_ann, as_bob):
    opened = as_ann.post("/tables", {"game": "taquet", "pace": {"allowance": DAY}}).data
    assert (opened["status"], opened["is_public"]) == ("open", True)
    assert [one["id"] for one in as_bob.get("/tables").data["games"]] == [opened["id"]]
    assert as_ann.get("/tables").data["games"] == []
    begun = as_bob.post(f"/tables/{opened['id']}/join").data
    assert begun["status"] == "active"


def test_a_challenge_is_accepted_or_declined_with_a_reason(as_ann, as_bob):
    sent = {"game": "morpion", "pace": {"allowance": DAY}, "opponent": "bob", "is_public": False}
    first, second = (as_ann.post("/tables", sent).data["id"] for _ in range(2))
    asked = {one["game"]: one["id"] for one in as_bob.get("/challenges").data["challenges"]}
    assert as_bob.post(f"/challenges/{asked[first]}/accept").data["status"] == "active"
    as_bob.post(f"/challenges/{asked[second]}/decline", {"reason": "busy"})
    told = as_ann.get(f"/tables/{second}/challenges").data["invitations"]
    assert told == [{"player": "bob", "state": "declined", "reason": "busy"}]
    again = as_bob.post(f"/challenges/{asked[second]}/accept")
    assert code_of(again) == (409, "InvitationAnswered")
    assert code_of(as_ann.post(f"/challenges/{asked[first]}/accept")) == (404, "NoSuchChallenge")


def test_leaving_and_closing_tables(as_ann, as_bob, ann, now):
    game = table(ann, slug="superpion", now=now)  # for four
    as_bob.post(f"/tables/{game.pk}/join")
    assert as_bob.post(f"/tables/{game.pk}/leave").data == {"game": game.pk}
    assert code_of(as_bob.post(f"/tables/{game.pk}/withdraw")) == (403, "NotTheMaker")
    assert as_ann.post(f"/tables/{game.pk}/withdraw").data["status"] == "closed"


def test_a_rematch_is_asked_for_and_accepted(as_ann, as_bob, game):
    as_ann.post(f"/games/{game.pk}/resign")
    asked = as_ann.post(f"/games/{game.pk}/rematch").data
    assert asked["status"] == "open"
    assert as_bob.post(f"/games/{game.pk}/rematch").data["id"] == asked["id"]
    assert Game.objects.get(pk=asked["id"]).status == "active"


# Plans and maintenance ---------------------------------------------------------------------------


def test_what_was_planned_is_played_in_the_same_answer(as_ann, as_bob, game):
    as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    [plan] = as_ann.post(f"/games/{game.pk}/plans", {"turn": 2, "lines": ["if 1 then 9"]}).data[
        "plans"
    ]
    assert plan["step"] == "if 1 then 9"
    answer = as_bob.post(f"/games/{game.pk}/turns", {"turn": 2, "text": "1"}).data
    assert [(one["turn"], one["notation"], one["via"]) for one in answer["answers"]] == [
        (3, "9", "plan")
    ]
    assert code_of(as_ann.post(f"/games/{game.pk}/plans/drop")) == (404, "NothingPlanned")


def test_during_maintenance_all_can_be_read_and_nothing_done(as_ann, game, now):
    from games.models import Outage

    Outage.objects.create(began_at=now, noted_at=now, kind=Outage.Kind.MAINTENANCE)
    clear_site_status()
    assert as_ann.get(f"/games/{game.pk}").status_code == HTTPStatus.OK
    answer = as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    assert code_of(answer) == (503, "ClosedForMaintenance")
    assert int(answer["Retry-After"]) == answer.data["retry_after"] > 0
    assert turns_of(game) == []


# Programs of people ------------------------------------------------------------------------------

ASKED = {"game": "morpion", "pace": {"allowance": DAY}, "opponent": "robot", "is_public": False}


def test_a_program_is_marked_and_does_not_play_by_itself(as_ann, as_robot, robot, now):
    made = as_ann.post("/tables", ASKED | {"your_seat": 1}).data
    assert play_for_bots(now=now) == 0
    [asked] = as_robot.get("/me/turns").data["challenges"]
    begun = as_robot.post(f"/challenges/{asked['id']}/accept").data
    assert begun["seats"][0]["player"] == {
        "username": "robot",
        "name": "robot",
        "is_program": True,
        "owner": "cat",
    }
    assert play_for_bots(now=now) == 0
    assert Game.objects.get(pk=made["id"]).bot_due_at is None
    played = as_robot.post(f"/games/{made['id']}/turns", {"turn": 1, "text": "5"})
    assert played.status_code == HTTPStatus.OK


ACCEPTS = {"games": ["morpion"], "shortest": 3600, "longest": 7 * DAY}


@pytest.mark.parametrize(
    ("accepts", "asked", "code"),
    [
        ({"is_open": False}, {}, "ProgramIsClosed"),
        ({"games": ["taquet"]}, {}, "ProgramRefusesGame"),
        ({"shortest": 2 * DAY}, {}, "ProgramRefusesPace"),
        ({"longest": 3600}, {}, "ProgramRefusesPace"),
    ],
)
def test_the_server_refuses_what_a_program_does_not_accept(as_ann, as_robot, accepts, asked, code):
    assert as_robot.post("/me/accepts", ACCEPTS | accepts).status_code == HTTPStatus.OK
    assert code_of(as_ann.post("/tables", ASKED | asked)) == (409, code)
    assert not Game.objects.exists()
    assert as_robot.post("/me/accepts", ACCEPTS).status_code == HTTPStatus.OK
    assert as_ann.post("/tables", ASKED | asked).status_code == HTTPStatus.OK


def test_an_option_that_a_program_does_not_play_is_refused(as_ann, as_robot):
    from games.rules.registry import rules_for

    option = next(one for one in rules_for("superpion").options() if one.choices)
    (wanted, _), (other, _), *_ = option.choices
    accepts = {"options": {"superpion": {option.key: [wanted]}}}
    assert as_robot.post("/me/accepts", accepts).status_code == HTTPStatus.OK
    asked = ASKED | {"game": "superpion"}
    refused = as_ann.post("/tables", asked | {"options": {option.key: other}})
    assert code_of(refused) == (409, "ProgramRefusesOption")
    taken = as_ann.post("/tables", asked | {"options": {option.key: wanted}})
    assert taken.status_code == HTTPStatus.OK
    nonsense = as_robot.post("/me/accepts", {"options": {"superpion": {option.key: ["nonsense"]}}})
    assert code_of(nonsense) == (422, "BadOption")


def test_a_program_plays_so_many_games_at_once_and_per_person(as_ann, as_bob, as_robot):
    as_robot.post("/me/accepts", ACCEPTS | {"most_games": 3, "most_per_person": 2})
    assert as_ann.post("/tables", ASKED).status_code == HTTPStatus.OK
    assert as_ann.post("/tables", ASKED).status_code == HTTPStatus.OK
    assert code_of(as_ann.post("/tables", ASKED)) == (409, "ProgramIsBusyWithYou")
    for one in as_robot.get("/challenges").data["challenges"]:
        assert as_robot.post(f"/challenges/{one['id']}/accept").status_code == HTTPStatus.OK
    assert code_of(as_ann.post("/tables", ASKED)) == (409, "ProgramIsBusyWithYou")
    last = as_bob.post("/tables", ASKED)
    assert last.status_code == HTTPStatus.OK
    assert code_of(as_bob.post("/tables", ASKED)) == (409, "ProgramIsBusy")
    as_bob.post(f"/tables/{last.data['id']}/withdraw")
    assert as_bob.post("/tables", ASKED).status_code == HTTPStatus.OK


def test_sitting_down_at_a_programs_table_is_held_to_the_same(as_ann, as_robot, robot):
    as_robot.post("/me/accepts", ACCEPTS | {"most_games": 9, "most_per_person": 1})
    sent = {"game": "morpion", "pace": {"allowance": DAY}}
    first, second = (as_robot.post("/tables", sent).data["id"] for _ in range(2))
    assert as_ann.post(f"/tables/{first}/join").data["status"] == "active"
    assert code_of(as_ann.post(f"/tables/{second}/join")) == (409, "ProgramIsBusyWithYou")
    too_long = as_robot.post("/tables", sent | {"pace": {"allowance": 30 * DAY}})
    assert code_of(too_long) == (409, "ProgramRefusesPace")


def test_a_program_challenges_programs_and_its_owner_only(as_robot, ann, cat, bob):
    from accounts.programs import create_program

    create_program(owner=bob, username="other-robot")
    sent = {"game": "morpion", "pace": {"allowance": DAY}}
    assert code_of(as_robot.post("/tables", sent | {"opponent": "ann"})) == (
        403,
        "ProgramsAskNobody",
    )
    for name in ("cat", "other-robot"):
        assert as_robot.post("/tables", sent | {"opponent": name}).status_code == HTTPStatus.OK
    asked = Invitation.objects.order_by("pk").values_list("user__username", flat=True)
    assert list(asked) == ["cat", "other-robot"]


def test_people_have_nothing_to_accept(as_ann):
    assert code_of(as_ann.post("/me/accepts", ACCEPTS)) == (403, "NotAProgram")


def test_a_program_answers_offers_itself(as_ann, as_robot, ann, robot, now):
    from games.services.bots import answer_offers

    game = begin(robot, ann, now=now)
    offered = as_ann.post(f"/games/{game.pk}/offers", {"kind": "agreed-end"}).data
    assert answer_offers(now) == 0
    assert Offer.objects.get().state == Offer.State.OPEN
    [due] = as_robot.get("/me/turns").data["offers"]
    where = f"/games/{game.pk}/offers/{due['id']}/answer"
    assert due["id"] == offered["id"]
    assert as_robot.post(where, {"answer": "decline"}).status_code == HTTPStatus.OK


def test_a_table_against_a_program_of_the_site_begins_at_once_at_its_level(as_ann, as_robot):
    asked = {"game": "super-morpion", "pace": {"allowance": DAY}, "level": 3, "your_seat": 1}
    for who in (as_ann, as_robot):
        game = who.post("/tables", asked).data
        assert game["status"] == "active"
        assert [seat["level"] for seat in game["seats"]] == [3, None]
    both = as_ann.post("/tables", asked | {"opponent": "robot"})
    assert code_of(both) == (422, "BadRequest")
    [error] = both.data["errors"]
    assert error["where"] == ["body"]
    assert "not both" in error["what"]


def test_a_body_that_is_too_long_is_refused(as_ann, game):
    sent = {"turn": 1, "text": "5" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE}
    assert code_of(as_ann.post(f"/games/{game.pk}/turns", sent)) == (413, "RequestTooLong")
    assert turns_of(game) == []


def test_a_mistake_is_named_as_its_sender_knows_it(as_ann):
    answer = as_ann.post("/tables", {"game": "taquet"})
    assert [error["where"] for error in answer.data["errors"]] == [["body", "pace"]]
    answer = as_ann.get("/me/turns", {"wait": 99})
    assert [error["where"] for error in answer.data["errors"]] == [["query", "wait"]]


def test_a_program_does_not_sit_down_with_people_by_itself(as_ann, as_robot, ann, cat, now):
    theirs = table(ann, now=now)
    own = table(cat, now=now)
    assert [game["id"] for game in as_robot.get("/tables").data["games"]] == [own.pk]
    assert code_of(as_robot.post(f"/tables/{theirs.pk}/join")) == (403, "ProgramsAskNobody")
    assert as_robot.post(f"/tables/{own.pk}/join").status_code == 200


def test_a_turn_sent_again_is_answered_with_what_was_planned(as_ann, as_bob, game):
    as_ann.post(f"/games/{game.pk}/turns", {"turn": 1, "text": "5"})
    as_bob.post(f"/games/{game.pk}/turns", {"turn": 2, "text": "1"})
    as_bob.post(f"/games/{game.pk}/plans", {"turn": 3, "lines": ["if 2 then 3"]})
    first, again = (
        as_ann.post(f"/games/{game.pk}/turns", {"turn": 3, "text": "2"}).data for _ in range(2)
    )
    assert [entry["notation"] for entry in first["answers"]] == ["3"]
    assert first["answers"] == again["answers"]


def test_what_a_program_accepts_is_kept_as_tables_have_it(as_ann, as_robot):
    as_robot.post("/me/accepts", {"options": {"morpiae": {"target": ["4"]}}})
    asked = {"game": "morpiae", "options": {"target": "4"}, "pace": {"allowance": DAY}}
    answer = as_ann.post("/tables", asked | {"opponent": "robot"})
    assert answer.status_code == 200, answer.data


def test_a_key_can_be_used_again_after_a_day(as_ann, game):
    sent = {"text": "Hello"}
    for _ in range(2):
        as_ann.post(f"/games/{game.pk}/messages", sent, **{"Idempotency-Key": "one"})
    assert Message.objects.count() == 1
    ApiAnswer.objects.update(created_at=timezone.now() - timedelta(days=1, minutes=1))
    as_ann.post(f"/games/{game.pk}/messages", {"text": "Again"}, **{"Idempotency-Key": "one"})
    assert Message.objects.count() == 2


def test_a_token_that_may_not_read_games_is_not_shown_one_in_a_refusal(ann, now):
    unfinished = table(ann, is_public=False, now=now)
    for scopes, is_shown in ((["messages"], False), (["messages", "games:read"], True)):
        api = Api(token_for(ann, now=timezone.now(), scopes=scopes))
        answer = api.post(f"/games/{unfinished.pk}/messages", {"text": "Hello"})
        assert answer.status_code == 409
        assert ("game" in answer.data) == is_shown


class BrokenOff(BytesIO):
    """The body of a request whose sender has gone."""

    def read(self, *args):
        raise OSError("the connection is gone")


def test_a_program_that_stops_sending_is_no_error_of_ours(ann, caplog):
    token = token_for(ann, now=timezone.now())
    sent = {"CONTENT_LENGTH": "9", "wsgi.input": BrokenOff(), "CONTENT_TYPE": "application/json"}
    answer = Client().generic(
        "POST", "/api/v1/tables", headers={"Authorization": f"Bearer {token}"}, **sent
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "NotJson")
    assert "the API failed" not in caplog.text


def test_only_an_error_of_ours_may_have_changed_something(client):
    says = "A refusal changes nothing."
    assert says in client.get(reverse("api_error", args=["StaleTurn"])).content.decode()
    assert says not in client.get(reverse("api_error", args=["ServerFault"])).content.decode()
