"""The deletion of an account is asked for, called off, reminded of and carried out once."""

from datetime import timedelta

import pytest
import time_machine
from django.conf import settings

from accounts.models import Sanction, SecurityEvent, User
from games import errors as games_errors
from games.models import Game, Invitation, Seat
from games.services.conduct.messages import say
from games.services.endings import resign
from games.services.invitations import accept, ask_rematch, challenge
from games.services.tables import join_table
from notifications import errors
from notifications.deletion import deleting, erasure
from notifications.deletion.deleting import (
    CLAIMED_FOR,
    SECOND_PASS,
    claim_deletion,
    delete_due_accounts,
)
from notifications.deletion.requests import ask_for_deletion, call_off_deletion, remind_of_deletions
from notifications.models import Notice
from tests.factories import GuestFactory, PersonFactory, StaffFactory
from tests.games.multiplayer import gather
from tests.games.play import begin, fresh, play, refused, table
from tests.racing import at_once
from tests.suspensions import banned

pytestmark = pytest.mark.django_db

WAIT = settings.DELETION_WAIT
DAY = timedelta(days=1)


def ask(person, now):
    ask_for_deletion(user=person, typed_name=person.username, request=None, now=now)
    person.refresh_from_db()


def subjects(person):
    told = Notice.objects.filter(user=person, kind="account").order_by("pk")
    return [notice.content["subject"] for notice in told]


def test_who_asks_is_told_at_once_and_three_days_before(ann, now):
    ask(ann, now)
    assert ann.deletion_due_at == now + WAIT
    assert remind_of_deletions(now=now + WAIT - 4 * DAY) == 0
    assert remind_of_deletions(now=now + WAIT - 3 * DAY) == 1
    assert remind_of_deletions(now=now + WAIT - 2 * DAY) == 0
    assert subjects(ann) == [
        "Your account will be deleted on 9 April 2026",
        "Your account will be deleted soon, on 9 April 2026",
    ]
    assert SecurityEvent.objects.get(user=ann).kind == "deletion-asked"


def test_who_calls_it_off_keeps_everything_and_is_told(bob, now):
    ask(bob, now)
    call_off_deletion(user=bob, request=None, now=now + WAIT - DAY)
    assert delete_due_accounts(now=now + WAIT) == 0
    bob.refresh_from_db()
    assert (bob.username, bob.is_active, bob.deletion_due_at) == ("bob", True, None)
    assert subjects(bob)[1:] == ["Vous gardez votre compte"]
    kinds = SecurityEvent.objects.filter(user=bob).values_list("kind", flat=True)
    assert set(kinds) == {"deletion-asked", "deletion-stopped"}
    with pytest.raises(errors.NothingToKeep):
        call_off_deletion(user=bob, request=None, now=now)


def test_every_verified_address_is_told(ann, now):
    ann.emailaddress_set.create(email="ann.second@example.org", verified=True)
    ann.emailaddress_set.create(email="not.hers@example.org", verified=False)
    ask(ann, now)
    told = Notice.objects.filter(user=ann).values_list("address", flat=True)
    assert set(told) == {"ann@example.org", "ann.second@example.org"}


def test_whoever_may_not_ask_is_refused(ann, now):
    for person, refusal in (
        (GuestFactory(), errors.GuestsNeedNoDeletion),
        (StaffFactory(username="mona"), errors.RoleFirst),
    ):
        with pytest.raises(refusal):
            ask(person, now)
    with pytest.raises(errors.NotYourName) as wrong:
        ask_for_deletion(user=ann, typed_name="Ann", request=None, now=now)
    assert wrong.value.sentence.endswith(": ann")
    assert not User.objects.filter(deletion_due_at__isnull=False).exists()
    ask(ann, now)
    with pytest.raises(errors.DeletionAskedAlready):
        ask(ann, now + DAY)
    ann.refresh_from_db()
    assert ann.deletion_due_at == now + WAIT


def test_who_leaves_soon_begins_no_games_and_leaves_the_tables(ann, bob, cat, now):
    running = begin(ann, bob, now=now)
    own, joined = table(ann, now=now), table(bob, now=now, slug="superpion")
    join_table(game_id=joined.pk, user=ann, now=now)
    invitation = challenge(game_id=table(cat, now=now).pk, by=cat, user=ann, now=now)
    ask(ann, now)
    assert fresh(own).status == Game.Status.CLOSED
    assert not joined.seats.filter(user=ann).exists()
    waiting = table(cat, now=now)
    for begin_another in (
        lambda: join_table(game_id=waiting.pk, user=ann, now=now),
        lambda: accept(invitation_id=invitation.pk, user=ann, now=now),
        lambda: table(ann, now=now),
    ):
        with pytest.raises(games_errors.LeavesSoon):
            begin_another()
    play(running, ann, "5", now=now)
    call_off_deletion(user=ann, request=None, now=now)
    ann.refresh_from_db()
    accept(invitation_id=invitation.pk, user=ann, now=now)


def test_running_games_are_resigned_and_invitations_declined(ann, bob, cat, now):
    duel = begin(ann, bob, now=now)
    play(duel, ann, "5", now=now)
    four = gather([ann, bob, cat, PersonFactory()], now=now)
    ask(ann, now)
    invited = challenge(game_id=table(cat, now=now).pk, by=cat, user=ann, now=now)
    assert delete_due_accounts(now=now + WAIT - DAY) == 0
    assert delete_due_accounts(now=now + WAIT) == 1
    assert (fresh(duel).status, fresh(duel).ending) == ("finished", "resigned")
    assert duel.seats.get(user=bob).place == 1
    assert fresh(four).status == Game.Status.ACTIVE
    assert Seat.objects.get(game=four, user=ann).left_because == "resigned"
    invited.refresh_from_db()
    assert invited.state == Invitation.State.DECLINED


def test_a_game_without_its_rules_keeps_nobody(ann, bob, now):
    game = begin(ann, bob, now=now)
    Game.objects.filter(pk=game.pk).update(rules_slug="no-such-game")
    ask(ann, now)
    assert delete_due_accounts(now=now + WAIT) == 1
    assert fresh(game).status == Game.Status.ABORTED


def test_nobody_asks_a_former_player_for_a_rematch(ann, bob, now):
    game = begin(ann, bob, now=now)
    ask(ann, now)
    delete_due_accounts(now=now + WAIT)
    with refused(games_errors.PlayerIsGone, "former player has closed their account.", status=409):
        ask_rematch(game_id=game.pk, user=bob, now=now + WAIT)


def test_nobody_asks_a_player_whose_account_is_being_deleted(ann, bob, now):
    game = begin(ann, bob, now=now)
    resign(game_id=game.pk, user=ann, now=now)
    ask(ann, now)
    assert claim_deletion(ann.pk, now + WAIT)
    with refused(games_errors.PlayerIsGone, "ann has closed their account.", status=409):
        ask_rematch(game_id=game.pk, user=bob, now=now + WAIT)


def test_a_ban_is_not_escaped(ann, now):
    StaffFactory(username="host", role="Hosts")
    ask(ann, now)
    banned(ann, now + DAY)
    assert delete_due_accounts(now=now + WAIT) == 0
    with pytest.raises(games_errors.Barred):
        call_off_deletion(user=User.objects.get(pk=ann.pk), request=None, now=now + WAIT)
    User.objects.filter(pk=ann.pk).update(barred_until=now + WAIT)
    assert delete_due_accounts(now=now + WAIT) == 1
    sanction = Sanction.objects.get(user=ann)
    assert (sanction.kind, sanction.reason) == ("ban", "")


def test_nothing_is_deleted_during_maintenance(ann, now, monkeypatch):
    ask(ann, now)
    monkeypatch.setattr(deleting, "is_closed", lambda: True)
    assert delete_due_accounts(now=now + WAIT) == 0
    assert User.objects.get(pk=ann.pk).is_active


def test_staff_is_not_deleted(ann, now):
    ask(ann, now)
    User.objects.filter(pk=ann.pk).update(is_staff=True)
    assert delete_due_accounts(now=now + WAIT) == 0


def test_nobody_can_sign_in_or_write_once_it_has_begun(ann, bob, client, now):
    game = begin(ann, bob, now=now)
    before = User.objects.get(pk=ann.pk)  # what a page that is being made knows of her
    client.force_login(ann)
    ask(ann, now)
    delete_due_accounts(now=now + WAIT)
    assert client.get("/settings/").status_code == 302
    with pytest.raises(games_errors.AccountClosed):
        say(game_id=game.pk, user=before, text="Hello", via="web", now=now + WAIT)
    with pytest.raises(games_errors.AccountClosed):
        call_off_deletion(user=before, request=None, now=now + WAIT)


@pytest.mark.parametrize("step", ["leave_games", "erase", "erase_names"])
def test_what_a_killed_process_left_is_done_again(ann, bob, now, monkeypatch, step):
    game = begin(ann, bob, now=now)
    say(game_id=game.pk, user=ann, text="mirabelles", via="web", now=now)
    ask(ann, now)

    def die(*args, **kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(deleting, step, die)
        with pytest.raises(KeyboardInterrupt):
            delete_due_accounts(now=now + WAIT)
    again = now + WAIT + CLAIMED_FOR
    assert delete_due_accounts(now=again - timedelta(seconds=1)) == 0
    assert delete_due_accounts(now=again) == 1
    ann.refresh_from_db()
    assert (ann.is_former, game.messages.get().text) == (True, "")


def test_addresses_are_found_again_after_a_kill(ann, now, monkeypatch):
    """What a killed process no longer reads from one table must not stay in another."""
    SecurityEvent.objects.create(user=ann, kind="address-removed", at=now, details={"email": OLD})
    Notice.objects.create(
        kind="account", address=OLD, message_id="<x@y>", created_at=now, due_at=now
    )
    ask(ann, now)

    def die(*args, **kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(erasure, "clean_admin_log", die)
        with pytest.raises(KeyboardInterrupt):
            delete_due_accounts(now=now + WAIT)
    assert delete_due_accounts(now=now + WAIT + CLAIMED_FOR) == 1
    assert not Notice.objects.filter(address=OLD).exists()


OLD = "old@example.org"


def test_what_was_written_at_that_moment_is_deleted_an_hour_later(ann, now):
    ask(ann, now)
    assert delete_due_accounts(now=now + WAIT) == 1
    late = SecurityEvent.objects.create(user=ann, kind="sign-in", at=now)
    assert delete_due_accounts(now=now + WAIT + SECOND_PASS - timedelta(seconds=1)) == 0
    assert delete_due_accounts(now=now + WAIT + SECOND_PASS) == 1
    assert not SecurityEvent.objects.filter(pk=late.pk).exists()
    ann.refresh_from_db()
    assert ann.deletion_due_at is None


@pytest.mark.django_db(transaction=True)
def test_two_processes_at_once_delete_an_account_once(ann, bob, now):
    game = begin(ann, bob, now=now)
    ask(ann, now)
    with time_machine.travel(now + WAIT, tick=False):
        assert sorted(at_once(lambda: delete_due_accounts(now=now + WAIT), times=2)) == [0, 1]
    assert game.events.filter(kind="ended").count() == 1


@pytest.mark.django_db(transaction=True)
def test_who_calls_it_off_at_the_last_moment_keeps_all_or_is_refused(ann, now):
    ask(ann, now)
    person = User.objects.get(pk=ann.pk)
    jobs = iter(["keep", "delete"])

    def work():
        if next(jobs) == "delete":
            return delete_due_accounts(now=now + WAIT)
        try:
            call_off_deletion(user=person, request=None, now=now + WAIT)
        except games_errors.AccountClosed:
            return "refused"
        return "kept"

    outcome = set(at_once(work, times=2))
    ann.refresh_from_db()
    expected = {"kept", 0} if ann.is_active else {"refused", 1}
    assert outcome == expected
    assert ann.is_former is (not ann.is_active)
