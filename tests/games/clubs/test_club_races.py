"""People and workers that do something to one club at the same moment."""

from collections import Counter

import pytest

from games.models import Club, ClubMatchGame, ClubMember, Game, LadderChallenge, LadderPlace
from games.services.clubs.members import ask_for_membership, set_manager
from games.services.ladders.challenges import challenge_player
from games.services.ladders.places import join_ladder
from tests.factories import PersonFactory
from tests.games.clubs.meeting import agreed_match, club_of, roles
from tests.games.ladders.climbing import order
from tests.games.parallel import at_once, run_until_killed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def job(service, club, who, now, person=None):
    named = {"service": service, "club_id": club.pk, "user": who, "person": person}
    return [("in_club", named | {"now": now})]


def answers(*jobs):
    return [answer for (answer,) in at_once(*jobs)]


def test_who_asks_twice_or_is_admitted_twice_is_a_member_once(now):
    people = [PersonFactory(username=name) for name in ("owner", "helper", "asker")]
    club = club_of(*people[:2], now=now)
    set_manager(club_id=club.pk, person=people[1], by=people[0], is_manager=True, now=now)
    ask = job("ask_for_membership", club, "asker", now)
    assert sorted(answers(ask, ask)) == ["AskedAlready", "ask_for_membership"]
    admits = [job("admit", club, who, now, "asker") for who in ("owner", "helper")]
    assert sorted(answers(*admits)) == ["NoSuchRequest", "admit"]
    assert roles(club) == {"owner": "owner", "helper": "manager", "asker": "member"}
    late = PersonFactory(username="late")
    ask_for_membership(club_id=club.pk, user=late, now=now)
    one_of = [job("admit", club, "owner", now, "late"), job("refuse", club, "helper", now, "late")]
    done = answers(*one_of)
    assert sorted(done)[0] == "NoSuchRequest"
    assert ("late" in roles(club)) is ("admit" in done)


def test_a_club_that_is_handed_over_to_who_leaves_has_one_owner(now):
    people = [PersonFactory(username=name) for name in ("owner", "one", "two")]
    club = club_of(*people, now=now)
    done = answers(
        job("hand_club_over", club, "owner", now, "one"),
        job("hand_club_over", club, "owner", now, "two"),
        job("leave_club", club, "one", now),
    )
    assert done[:2].count("hand_club_over") == 1
    found = Counter(roles(club).values())
    assert found["owner"] == 1
    if done[0] == "hand_club_over":  # the new owner stays
        assert done[2] == "OwnerStays"
    else:
        assert "one" not in roles(club)


def test_two_clubs_of_one_name_or_address_and_no_third_of_one_owner(now):
    for name in ("one", "two"):
        PersonFactory(username=name)
    same = [[("open_club", {"user": who, "name": "Café Go", "now": now})] for who in ("one", "two")]
    assert sorted(answers(*same)) == ["ClubNameTaken", "opened"]
    alike = [
        [("open_club", {"user": who, "name": name, "now": now})]
        for who, name in (("one", "Cafe: Ludo"), ("two", "Cafe, Ludo"))
    ]
    assert answers(*alike) == ["opened", "opened"]
    assert Club.objects.filter(slug__in=["cafe-ludo", "cafe-ludo-2"]).count() == 2
    PersonFactory(username="keen")
    many = [[("open_club", {"user": "keen", "name": f"Keen {n}", "now": now})] for n in "abc"]
    assert sorted(answers(*many)) == ["OwnsEnough", "opened", "opened"]
    assert ClubMember.objects.filter(user__username="keen").count() == 2


def test_who_is_deleted_and_their_heir_leave_no_club_without_an_owner(now):
    people = [PersonFactory(username=name) for name in ("owner", "heir", "last")]
    club = club_of(*people, now=now)
    people[0].deletion_due_at = now
    people[0].save()
    delete = [("delete", {"user": "owner", "now": now})]
    done = answers(delete, job("leave_club", club, "heir", now))
    owners = [name for name, role in roles(club).items() if role == "owner"]
    assert owners == (["last"] if done[1] == "leave_club" else ["heir"])


def check_boards(match):
    """Each board has its game once, and nobody has two."""
    rows = match.boards.all()
    assert [row.board for row in rows] == [1, 2, 3, 4]
    assert Game.objects.count() == rows.exclude(game=None).count() == 4
    seated = Counter(key for row in rows for key in (row.first_id, row.second_id))
    assert set(seated.values()) == {1}


@pytest.mark.parametrize(
    ("point", "count"), [("by_strength", 1), ("create_table", 1), ("begin_between", 3)]
)
def test_workers_that_run_together_or_are_killed_begin_each_game_once(now, point, count):
    match, _hosts, _guests = agreed_match(now, size=4)
    chore = [("clubs", {"now": match.starts_at})]
    run_until_killed("clubs", match.starts_at, point, count)
    at_once(*[chore for _ in range(3)])
    at_once(chore)  # what was locked is left to the next run
    check_boards(match)
    assert not ClubMatchGame.objects.filter(game=None).exists()


def check_ladder(club):
    """Nobody is on a ladder of a club who is not in the club, and the places are exact."""
    assert set(order(club=club)) <= set(roles(club))
    gone = LadderPlace.objects.filter(ladder__club=club, place=None).values("user")
    waiting = LadderChallenge.objects.exclude(state="over")
    assert not waiting.filter(challenger__in=gone).exists()
    assert not waiting.filter(challenged__in=gone).exists()


@pytest.fixture
def climbing_club(now):
    """The club of "owner", with four more on a ladder of it, the first on top."""
    people = [PersonFactory(username=name) for name in ("owner", "one", "two", "three", "four")]
    club = club_of(*people, now=now)
    for person in people[1:]:
        join_ladder(rules_slug="morpion", user=person, now=now, club_id=club.pk)
    return club


def test_who_leaves_a_club_while_they_are_challenged_is_on_no_ladder_of_it(climbing_club, now):
    at = {"now": now, "club_id": climbing_club.pk}
    three, four, *left = answers(
        [("call", {"user": "three", "opponent": "two", **at})],
        [("call", {"user": "four", "opponent": "two", **at})],
        job("leave_club", climbing_club, "two", now),
        job("leave_club", climbing_club, "one", now),
    )
    assert left == ["leave_club"] * 2
    assert {three, four} <= {"challenged", "OpponentNotOnLadder"}
    check_ladder(climbing_club)
    ended = LadderChallenge.objects.order_by("pk").values_list("outcome", flat=True)
    assert list(ended) == ["left"] * (three, four).count("challenged")
    assert sorted(order(club=climbing_club)) == ["four", "three"]
    if (three, four) == ("OpponentNotOnLadder", "OpponentNotOnLadder"):
        assert order(club=climbing_club) == ["three", "four"]
    elif "OpponentNotOnLadder" in (three, four):  # the one who was in time rose
        assert order(club=climbing_club)[0] == ("three" if three == "challenged" else "four")


def test_who_leaves_a_club_while_they_join_its_ladder_is_not_on_it(now):
    """One process lets each of them join in turn, the other leave."""
    names = [f"fast{number}" for number in range(12)]
    owner, *others = [PersonFactory(username=name) for name in ("owner", *names)]
    club = club_of(owner, *others, now=now)
    at = {"club_id": club.pk, "now": now}
    joined, left = at_once(
        [("join_ladder", {"user": name, **at}) for name in names],
        [one for name in names for one in job("leave_club", club, name, now)],
    )
    assert set(joined) <= {"joined", "NotInClub"}
    assert left == ["leave_club"] * len(names)
    check_ladder(club)


def test_an_answer_while_the_challenger_leaves_the_club_is_one_or_the_other(climbing_club, now):
    users = {one.user.username: one.user for one in climbing_club.members.select_related("user")}
    challenge = challenge_player(
        rules_slug="morpion",
        user=users["three"],
        opponent=users["one"],
        now=now,
        club_id=climbing_club.pk,
    )
    settle = {"challenge_id": challenge.pk, "user": "one", "how": "accept", "now": now}
    answer, left = answers(
        [("settle_call", settle)], job("leave_club", climbing_club, "three", now)
    )
    assert left == "leave_club"
    assert answer in ("accept", "ChallengeIsAnswered")
    check_ladder(climbing_club)
    challenge.refresh_from_db()
    assert (challenge.state, challenge.outcome) == ("over", "left")
    assert (challenge.game is not None) is (answer == "accept")
    if challenge.game is not None:
        assert (challenge.game.status, challenge.game.is_public) == ("active", False)
