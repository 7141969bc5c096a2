"""Clubs: who may open, join, leave, remove and own one."""

from datetime import timedelta

import pytest

from accounts.models import User
from games import club_errors, errors
from games.models import (
    Club,
    ClubMember,
    ClubNews,
    ClubRequest,
    ClubTable,
    ModerationLogEntry,
)
from games.moderation.clubs import close_club_as_moderator
from games.services.clubs.announcements import announce
from games.services.clubs.boards import run_clubs
from games.services.clubs.clubs import close_club, describe_club, open_club
from games.services.clubs.members import (
    admit,
    ask_for_membership,
    hand_club_over,
    leave_club,
    refuse,
    remove_member,
    set_letters,
    set_manager,
    withdraw_request,
)
from games.services.clubs.tables import join_club_table, open_club_table
from games.services.conduct.blocks import block
from games.services.tables import join_table
from notifications.deletion.deleting import delete_account
from tests.factories import BotFactory, GuestFactory, ModeratorFactory, PersonFactory
from tests.games.clubs.meeting import DAY, DAYS, club_of, roles
from tests.games.play import unchanged

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(ann, bob, cat, now):
    """Ann's club with bob and cat."""
    return club_of(ann, bob, cat, now=now)


def refused(error, service, **arguments):
    with unchanged(), pytest.raises(error):
        service(**arguments)


def news(club):
    """Return who is to be told what."""
    told = ClubNews.objects.filter(club=club).values_list("reader__username", "tells")
    return sorted(told)


def test_who_may_open_a_club_and_how_it_is_called(ann, bob, now):
    club = open_club(user=ann, name="  Café   Ludo ", description="Hello\r\nall", now=now)
    assert (club.name, club.slug, club.description) == ("Café Ludo", "cafe-ludo", "Hello\nall")
    assert roles(club) == {"ann": "owner"}
    other = open_club(user=ann, name="Cafe: Ludo!", now=now)
    assert other.slug == "cafe-ludo-2"
    assert open_club(user=bob, name="囲碁の会", now=now).slug == "club"
    assert open_club(user=bob, name="NEW", now=now).slug == "new-2"
    refused(club_errors.OwnsEnough, open_club, user=ann, name="Third", now=now)
    cat, dan = PersonFactory(username="cat"), PersonFactory(username="dan", muted_until=now + DAY)
    refused(club_errors.ClubNameTaken, open_club, user=cat, name="CAFÉ LUDO", now=now)
    refused(club_errors.BadClub, open_club, user=cat, name="Ab", now=now)
    refused(club_errors.BadClub, open_club, user=cat, name="...", now=now)
    refused(club_errors.BadClub, open_club, user=cat, name="x" * 61, now=now)
    refused(club_errors.BadClub, open_club, user=cat, name="Fine", description="x" * 2001, now=now)
    refused(errors.Muted, open_club, user=dan, name="Fine", now=now)
    refused(club_errors.NoGuestsInClubs, open_club, user=GuestFactory(), name="Fine", now=now)
    refused(club_errors.NoProgramsInClubs, open_club, user=BotFactory(), name="Fine", now=now)
    cat.emailaddress_set.update(verified=False)
    refused(club_errors.OwnerNeedsAddress, open_club, user=cat, name="Fine", now=now)
    close_club(club_id=other.pk, user=ann, now=now)
    assert open_club(user=ann, name="cafe: ludo!", now=now).slug == "cafe-ludo-3"
    described = describe_club(club_id=club.pk, user=ann, name="Café Go", text="Us", now=now)
    assert (described.slug, described.description) == ("cafe-ludo", "Us")
    again = {"club_id": club.pk, "user": ann, "name": "CAFE: LUDO!", "text": "", "now": now}
    refused(club_errors.ClubNameTaken, describe_club, **again)


def test_asking_admitting_refusing_and_asking_again(ann, bob, cat, now):
    club = club_of(ann, now=now)
    at = {"club_id": club.pk, "now": now}
    ask_for_membership(user=bob, **at)
    refused(club_errors.AskedAlready, ask_for_membership, user=bob, **at)
    withdraw_request(user=bob, **at)
    refused(club_errors.NoSuchRequest, withdraw_request, user=bob, **at)
    refused(club_errors.NoSuchRequest, admit, person=bob, by=ann, **at)
    refused(club_errors.AskedLately, ask_for_membership, user=bob, **at)
    at["now"] = now = now + DAY
    ask_for_membership(user=bob, **at)
    refused(club_errors.NotInClub, admit, person=bob, by=cat, **at)
    admit(person=bob, by=ann, **at)
    assert roles(club) == {"ann": "owner", "bob": "member"}
    refused(club_errors.AlreadyInClub, ask_for_membership, user=bob, **at)
    ask_for_membership(user=cat, **at)
    refused(club_errors.ManagersOnly, admit, person=cat, by=bob, **at)
    refused(club_errors.ManagersOnly, refuse, person=cat, by=bob, **at)
    refuse(person=cat, by=ann, **at)
    refused(club_errors.NoSuchRequest, admit, person=cat, by=ann, **at)
    refused(club_errors.AskedLately, ask_for_membership, user=cat, **at)
    told = [("ann", "asked")] * 3 + [("bob", "admitted"), ("cat", "refused")]
    assert news(club) == sorted(told)
    later = now + timedelta(days=30)
    ask_for_membership(club_id=club.pk, user=cat, now=later)
    for person, error in (
        (GuestFactory(), club_errors.NoGuestsInClubs),
        (BotFactory(), club_errors.NoProgramsInClubs),
        (PersonFactory(barred_until=now + DAY), errors.Barred),
        (PersonFactory(deletion_due_at=now + DAY), errors.LeavesSoon),
    ):
        refused(error, ask_for_membership, user=person, **at)
    User.objects.filter(pk=cat.pk).update(barred_until=later + DAY)
    late = {"club_id": club.pk, "person": cat, "by": ann, "now": later}
    refused(club_errors.NoSuchRequest, admit, **late)
    refused(
        club_errors.NoSuchClub, ask_for_membership, club_id=2**70, user=cat, now=later + 2 * DAY
    )


def test_no_number_is_exceeded(ann, bob, cat, now, monkeypatch):
    members = "games.services.clubs.members"
    for name, most in (("MOST_MEMBERS", 2), ("MOST_ASKED", 1), ("MOST_CLUBS", 2)):
        monkeypatch.setattr(f"{members}.{name}", most)
    club, other = club_of(ann, bob, now=now), club_of(cat, now=now, name="Other")
    dan = PersonFactory(username="dan")
    ask_for_membership(club_id=club.pk, user=dan, now=now)
    refused(club_errors.AskedClubsEnough, ask_for_membership, club_id=other.pk, user=dan, now=now)
    refused(club_errors.ClubIsFull, admit, club_id=club.pk, person=dan, by=ann, now=now)
    leave_club(club_id=club.pk, user=bob, now=now)
    ClubMember.objects.create(club=other, user=dan, joined_at=now)
    third = club_of(PersonFactory(), now=now, name="Third")
    ClubMember.objects.create(club=third, user=dan, joined_at=now)
    refused(club_errors.InClubsEnough, admit, club_id=club.pk, person=dan, by=ann, now=now)


def test_managers_remove_members_and_only_the_owner_removes_managers(club, ann, bob, cat, now):
    at = {"club_id": club.pk, "now": now}
    refused(club_errors.ManagersOnly, remove_member, person=cat, by=bob, text="Rude", **at)
    refused(club_errors.OwnerOnly, set_manager, person=cat, by=bob, is_manager=True, **at)
    set_manager(person=bob, by=ann, is_manager=True, **at)
    set_manager(person=cat, by=ann, is_manager=True, **at)
    refused(club_errors.OwnerOnly, remove_member, person=cat, by=bob, text="Rude", **at)
    refused(club_errors.OwnerOnly, remove_member, person=ann, by=bob, text="Rude", **at)
    refused(club_errors.OwnerStays, remove_member, person=ann, by=ann, text="Rude", **at)
    refused(club_errors.OwnerStays, set_manager, person=ann, by=ann, is_manager=False, **at)
    set_manager(person=cat, by=ann, is_manager=False, **at)
    refused(errors.NoReason, remove_member, person=cat, by=bob, text=" \n", **at)
    remove_member(person=cat, by=bob, text="Rude\nto all", **at)
    told = ClubNews.objects.get(club=club, tells="removed")
    assert (told.reader, told.text) == (cat, "Rude to all")
    refused(club_errors.AskedLately, ask_for_membership, user=cat, **at)
    refused(club_errors.NotTheirClub, remove_member, person=cat, by=ann, text="Again", **at)
    assert roles(club) == {"ann": "owner", "bob": "manager"}


def test_a_club_is_handed_over_to_a_member_who_can_own_it(club, ann, bob, cat, now):
    at = {"club_id": club.pk, "now": now}
    refused(club_errors.OwnerStays, leave_club, user=ann, **at)
    refused(club_errors.OwnerOnly, hand_club_over, person=cat, by=bob, **at)
    refused(club_errors.NotTheirClub, hand_club_over, person=PersonFactory(), by=ann, **at)
    refused(club_errors.CannotBeOwner, hand_club_over, person=ann, by=ann, **at)
    for name in ("Bob One", "Bob Two"):
        open_club(user=bob, name=name, now=now)
    refused(club_errors.CannotBeOwner, hand_club_over, person=bob, by=ann, **at)
    cat.emailaddress_set.update(verified=False)
    refused(club_errors.CannotBeOwner, hand_club_over, person=cat, by=ann, **at)
    cat.emailaddress_set.update(verified=True)
    hand_club_over(person=cat, by=ann, **at)
    assert roles(club) == {"ann": "manager", "bob": "member", "cat": "owner"}
    assert ("cat", "owner") in news(club)
    leave_club(user=ann, **at)
    refused(club_errors.NotInClub, leave_club, user=ann, **at)
    refused(club_errors.OwnerOnly, close_club, user=bob, **at)
    close_club(user=cat, **at)
    assert roles(club) == {}
    assert ("bob", "closed") in news(club)
    assert ("cat", "closed") not in news(club)
    refused(club_errors.ClubIsClosed, ask_for_membership, user=ann, **at)


def test_whose_account_is_deleted_leaves_their_clubs_to_others(club, ann, bob, cat, now):
    """The oldest manager owns it then, else the oldest member; without any it is closed."""
    set_manager(club_id=club.pk, person=cat, by=ann, is_manager=True, now=now)
    announce(club_id=club.pk, user=ann, text="Dear all", now=now)
    ask_for_membership(
        club_id=club_of(PersonFactory(), now=now, name="Other").pk, user=ann, now=now
    )
    for person, left in (
        (ann, {"bob": "member", "cat": "owner"}),
        (cat, {"bob": "owner"}),
    ):
        User.objects.filter(pk=person.pk).update(deletion_due_at=now)
        assert delete_account(person.pk, now)
        assert roles(club) == left
    assert not ClubRequest.objects.exists()
    assert club.announcements.get().text == ""
    club.refresh_from_db()
    assert (club.name, club.closed_at) == ("Round Table", None)
    User.objects.filter(pk=bob.pk).update(deletion_due_at=now)
    delete_account(bob.pk, now)
    club.refresh_from_db()
    assert (club.name, club.description, club.slug) == ("", "", f"club-{club.pk}-closed")
    assert club.closed_at == now
    assert str(club) == f"Club {club.pk}"


def test_who_is_suspended_for_long_owns_no_club_if_somebody_else_can(club, ann, bob, cat, now):
    User.objects.filter(pk=ann.pk).update(barred_until=now + 27 * DAY)
    run_clubs(now=now)
    assert roles(club)["ann"] == "owner"
    User.objects.filter(pk__in=[ann.pk, bob.pk]).update(barred_until=now + 28 * DAY)
    run_clubs(now=now)
    assert roles(club) == {"ann": "member", "bob": "member", "cat": "owner"}
    User.objects.filter(pk=cat.pk).update(barred_until=now + 28 * DAY)
    run_clubs(now=now)
    assert roles(club)["cat"] == "owner"
    User.objects.filter(pk=cat.pk).update(is_active=False)
    run_clubs(now=now)
    assert Club.objects.get().closed_at == now


def test_an_announcement_a_day_goes_to_who_wants_letters(club, ann, bob, cat, now):
    at = {"club_id": club.pk, "now": now}
    refused(club_errors.ManagersOnly, announce, user=bob, text="Hello", **at)
    refused(errors.NothingSaid, announce, user=ann, text=" \n ", **at)
    refused(errors.MessageTooLong, announce, user=ann, text="x" * 2001, **at)
    set_letters(user=cat, on=False, **at)
    announce(user=ann, text="Hello\r\nall", **at)
    assert [one for one in news(club) if one[1] == "announcement"] == [("bob", "announcement")]
    refused(club_errors.AnnouncedLately, announce, user=ann, text="More", **at)
    announce(club_id=club.pk, user=ann, text="More", now=now + DAY)
    User.objects.filter(pk=ann.pk).update(muted_until=now + 9 * DAY)
    ann.refresh_from_db()
    late = {"club_id": club.pk, "now": now + 3 * DAY}
    refused(errors.Muted, announce, user=ann, text="More", **late)
    named = {"name": "Other", "text": "x"}
    refused(errors.Muted, describe_club, user=ann, **named, **late)


def test_a_moderator_closes_a_club_with_a_reason_that_is_told_and_logged(club, ann, bob, now):
    moderator = ModeratorFactory(username="mo")
    at = {"club_id": club.pk, "by": moderator, "now": now}
    refused(errors.MayNotModerate, close_club_as_moderator, **(at | {"by": bob}), why="Spam")
    refused(errors.NoReason, close_club_as_moderator, **at, why=" ")
    own = club_of(moderator, now=now, name="Own")
    refused(
        club_errors.ModeratorsClub, close_club_as_moderator, **(at | {"club_id": own.pk}), why="So"
    )
    close_club_as_moderator(**at, why="Spam")
    entry = ModerationLogEntry.objects.get()
    assert (entry.what, entry.why, entry.person) == ("close-club", "Spam", ann)
    told = ClubNews.objects.filter(club=club, tells="closed").values_list("reader", "text")
    assert len(told) == 3
    assert set(told.values_list("text", flat=True)) == {"Spam"}
    refused(club_errors.ClubIsClosed, close_club_as_moderator, **at, why="Spam")


def test_a_table_of_a_club_is_private_and_only_members_sit_down(club, ann, bob, cat, now):
    dan = PersonFactory(username="dan")
    what = {"rules_slug": "morpion", "options": {}, "terms": DAYS, "now": now}
    refused(club_errors.NotInClub, open_club_table, club_id=club.pk, user=dan, **what)
    game = open_club_table(club_id=club.pk, user=ann, **what)
    assert not game.is_public
    refused(club_errors.NotInClub, join_club_table, game_id=game.pk, user=dan, now=now)
    for person in (bob, dan):  # the usual way in is as closed as it was
        refused(errors.PrivateTable, join_table, game_id=game.pk, user=person, now=now)
    block(by=ann, of=cat, now=now)
    refused(errors.NotWelcome, join_club_table, game_id=game.pk, user=cat, now=now)
    leave_club(club_id=club.pk, user=cat, now=now)
    refused(club_errors.NotInClub, join_club_table, game_id=game.pk, user=cat, now=now)
    join_club_table(game_id=game.pk, user=bob, now=now)
    game.refresh_from_db()
    assert (game.status, game.is_public) == ("active", False)
    refused(errors.TableNotOpen, join_club_table, game_id=game.pk, user=bob, now=now)
    theirs = open_club_table(club_id=club.pk, user=bob, **what)
    remove_member(club_id=club.pk, person=bob, by=ann, text="Rude", now=now)
    assert not ClubTable.objects.filter(game=theirs).exists()
    refused(errors.NoSuchGame, join_club_table, game_id=theirs.pk, user=ann, now=now)
