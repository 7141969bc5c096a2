"""What a moderator does about a person, and what it means for them."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.models import Sanction, User
from games import errors
from games.models import Game, ModerationLogEntry
from games.moderation import game_actions, log, people, roles, site
from games.moderation.people import Running
from games.services.conduct.messages import say
from tests.factories import ModeratorFactory, PersonFactory, StaffFactory
from tests.games.moderating import newest
from tests.games.multiplayer import gather
from tests.games.play import DAY, SECOND, begin, fresh, refused, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def now():
    from django.utils import timezone

    return timezone.now()


def names_by_place(game):
    return {str(seat.user): seat.place for seat in game.seats.all()}


def person(user):
    return User.objects.get(pk=user.pk)


def test_a_warning_is_shown_on_every_page_until_it_was_read(client, ann, mod, now):
    people.warn_user(person_id=ann.pk, by=mod, why="Be kind to Bob.", now=now)
    client.force_login(ann)
    assert "Be kind to Bob." in client.get("/").text
    assert "Be kind to Bob." in client.get("/rules/").text
    client.post(reverse("warnings_read"))
    assert "Be kind to Bob." not in client.get("/").text
    assert Sanction.objects.get().seen_at is not None


def test_who_is_muted_says_nothing_until_it_is_over(ann, bob, mod, now):
    game = begin(ann, bob, now=now)
    until = now + DAY
    people.mute_user(person_id=ann.pk, by=mod, why="rude", until=until, now=now)
    with refused(errors.Muted, "A moderator has suspended your right to", status=403):
        say(game_id=game.pk, user=person(ann), text="hello", via="web", now=until - SECOND)
    assert say(game_id=game.pk, user=person(ann), text="hello", via="web", now=until)


def test_who_is_suspended_sees_why_and_until_when_and_nothing_else(client, ann, bob, mod, now):
    begin(ann, bob, now=now)
    client.force_login(ann)
    people.suspend_user(person_id=ann.pk, by=mod, why="Three insults.", until=now + DAY, now=now)
    client.force_login(person(ann))
    for path in ("/", "/tables/", "/games/1/", "/settings/"):
        page = client.get(path)
        assert page.status_code == 403
        assert "Three insults." in page.text
    assert client.post(reverse("account_logout")).status_code == 302


def test_a_suspension_ends_sessions_and_leaves_the_games_alone(client, ann, bob, mod, now):
    game = begin(ann, bob, now=now)
    client.force_login(ann)
    assert client.get("/").context["request"].user == ann
    people.suspend_user(person_id=ann.pk, by=mod, why="rude", until=now + DAY, now=now)
    assert not client.get("/rules/").context["request"].user.is_authenticated
    assert fresh(game).status == Game.Status.ACTIVE


def test_a_suspension_that_is_over_keeps_nobody_out(client, ann, mod, now):
    people.suspend_user(
        person_id=ann.pk, by=mod, why="x", until=now + SECOND, now=now - timedelta(hours=1)
    )
    User.objects.filter(pk=ann.pk).update(barred_until=now)
    client.force_login(person(ann))
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("running", "status"),
    [(Running.WITHDRAW, Game.Status.FINISHED), (Running.CLOCK, Game.Status.ACTIVE)],
)
def test_a_ban_closes_tables_and_does_with_running_games_as_chosen(
    ann, bob, mod, now, running, status
):
    game, waiting = begin(ann, bob, now=now), table(ann, now=now)
    people.ban_user(person_id=ann.pk, by=mod, why="two accounts", running=running, now=now)
    assert person(ann).is_barred(now + 3000 * DAY)
    assert fresh(waiting).status == Game.Status.CLOSED
    assert fresh(game).status == status
    assert ModerationLogEntry.objects.get(person=ann).details["running"] == running.value


def test_a_ban_closes_tables_during_maintenance_too(ann, bob, mod, now):
    own, four = table(ann, now=now), gather([bob, ann], now=now)
    running = begin(ann, bob, now=now)
    host = StaffFactory(username="host", role="Hosts")
    site.begin_maintenance(by=host, why="new disks", note="", now=now)
    people.ban_user(person_id=ann.pk, by=mod, why="x", running=Running.WITHDRAW, now=now)
    assert fresh(own).status == Game.Status.CLOSED
    assert fresh(four).status == Game.Status.OPEN
    assert not four.seats.filter(user=ann).exists()
    assert fresh(running).status == Game.Status.FINISHED


def test_a_game_knows_that_a_ban_took_somebody_out_of_it(ann, bob, mod, now):
    game = begin(ann, bob, now=now)
    game_actions.pause_game(game_id=game.pk, by=mod, why="I look", now=now)
    people.ban_user(person_id=ann.pk, by=mod, why="two accounts", running=Running.WITHDRAW, now=now)
    act, event = newest(game)
    assert (act.what, act.by, act.details["player"]) == ("withdraw", mod, ann.pk)
    assert (event.actor, event.details["act"]) == (mod, act.number)
    assert "two accounts" not in event.details["why"]
    assert (fresh(game).ending, names_by_place(game)) == ("removed", {"bob": 1, "ann": 2})
    assert list(log.faults()) == []


def test_of_several_the_others_play_on_and_the_moderators_own_games_are_the_clocks(
    ann, bob, cat, mod, now
):
    four = gather([ann, bob, cat, PersonFactory(username="dan")], now=now)
    own = begin(ann, mod, now=now)
    people.ban_user(person_id=ann.pk, by=mod, why="x", running=Running.WITHDRAW, now=now)
    assert fresh(four).status == fresh(own).status == Game.Status.ACTIVE
    assert four.seats.get(user=ann).left_because == "removed"
    assert own.seats.get(user=ann).left_at is None


def test_lifting_ends_one_sanction_and_not_the_others(ann, mod, now):
    short = people.suspend_user(person_id=ann.pk, by=mod, why="x", until=now + DAY, now=now)
    people.ban_user(person_id=ann.pk, by=mod, why="y", running=Running.CLOCK, now=now)
    people.lift_sanction(sanction_id=short.pk, by=mod, why="z", now=now)
    assert person(ann).is_barred(now)
    people.lift_sanction(sanction_id=Sanction.objects.get(kind="ban").pk, by=mod, why="z", now=now)
    assert person(ann).barred_until is None
    with refused(errors.NothingToChange, "already", status=409):
        people.lift_sanction(sanction_id=short.pk, by=mod, why="again", now=now)


def test_a_name_is_changed_and_the_former_one_is_in_the_log(ann, mod, now):
    people.rename_user(person_id=ann.pk, by=mod, username="anna", why="offensive", now=now)
    assert (person(ann).username, person(ann).display_name) == ("anna", "")
    assert ModerationLogEntry.objects.get().details == {"former": "ann", "name": "anna"}


@pytest.mark.parametrize("name", ["bob", "admin", "", "a b", "x" * 31])
def test_a_name_that_nobody_can_have_is_refused(ann, bob, mod, now, name):
    with refused(errors.BadNewName, "That name cannot be used", status=422):
        people.rename_user(person_id=ann.pk, by=mod, username=name, why="x", now=now)


def test_the_same_twice_is_refused(ann, mod, now):
    people.mute_user(person_id=ann.pk, by=mod, why="x", until=None, now=now)
    with refused(errors.SanctionStands, "Lift it first to set a different one", status=409):
        people.mute_user(person_id=ann.pk, by=mod, why="x", until=None, now=now)


def test_after_one_is_over_another_can_be_imposed(ann, mod, now):
    people.mute_user(person_id=ann.pk, by=mod, why="x", until=now + DAY, now=now)
    people.mute_user(person_id=ann.pk, by=mod, why="y", until=now + 3 * DAY, now=now + DAY)
    assert person(ann).muted_until == now + 3 * DAY


def test_an_end_that_is_past_is_refused(ann, mod, now):
    with refused(errors.BadEnd, "Choose an end in the future", status=422):
        people.suspend_user(person_id=ann.pk, by=mod, why="x", until=now, now=now)


def test_a_reason_is_needed(ann, mod, now):
    with refused(errors.NoReason, "It appears in the log", status=422):
        people.warn_user(person_id=ann.pk, by=mod, why=" ", now=now)


def test_nobody_judges_themselves_and_only_a_host_judges_moderators(mod, now):
    other = StaffFactory(role="Moderators")
    with refused(errors.NotThemselves, "to your own account", status=403):
        people.warn_user(person_id=mod.pk, by=mod, why="x", now=now)
    with refused(errors.StaffIsSafe, "Only an administrator can act on a moderator", status=403):
        people.warn_user(person_id=other.pk, by=mod, why="x", now=now)


def test_players_judge_nobody(ann, bob, now):
    with refused(errors.MayNotModerate, "Only moderators", status=403):
        people.ban_user(person_id=bob.pk, by=ann, why="x", running=Running.CLOCK, now=now)


@pytest.mark.parametrize(
    ("by", "why", "changes", "kind"),
    [
        ("host", " ", {"display_name": "x"}, errors.NoReason),
        ("mod", "x", {"display_name": "x"}, errors.NotAnAdministrator),
        ("superuser", "x", {"display_name": "x"}, errors.SuperuserIsSafe),
        ("themselves", "x", {"is_active": False}, errors.NotThemselves),
    ],
)
def test_only_administrators_change_an_account(ann, mod, now, by, why, changes, kind):
    host = StaffFactory(username="host", role="Hosts")
    about = {"superuser": ModeratorFactory(username="root"), "themselves": host}.get(by, ann)
    with pytest.raises(kind):
        roles.change_account(
            person_id=about.pk,
            by=mod if by == "mod" else host,
            changes=changes,
            why=why,
            now=now,
        )
    assert not ModerationLogEntry.objects.exists()
    assert person(about).is_active


def test_everything_is_in_the_log(ann, mod, now):
    people.warn_user(person_id=ann.pk, by=mod, why="rude", now=now)
    act = ModerationLogEntry.objects.get()
    assert (act.by, act.person, act.what, act.why) == (mod, ann, "warn", "rude")
