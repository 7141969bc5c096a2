"""A small site in which there is one of everything: for tests that walk all pages."""

from dataclasses import dataclass
from datetime import timedelta

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType

from accounts.models import Sanction, User, Vacation
from accounts.roles import ADMINISTRATORS, MODERATORS
from games.models import (
    AnalysisNode,
    Announcement,
    Event,
    Game,
    Invitation,
    Message,
    Outage,
    SitePage,
)
from games.moderation import game_actions, people
from games.services import analysis, endings, offers
from games.services.conduct.messages import say
from games.services.conduct.reports import report_game, report_message, report_person
from games.services.invitations import challenge, invite
from games.services.tables import create_link
from games.services.undo_window import end_undo
from notifications.models import (
    AddressState,
    ErrorReply,
    IncomingMail,
    Kind,
    MailPreference,
    Notice,
    ReplyAddress,
    StaffDigest,
)
from notifications.services.feeds import feed_url, renew
from tests.factories import ModeratorFactory, PersonFactory, StaffFactory
from tests.games.play import begin, play, table

SAID_IN_PRIVATE = "the quince tart is in the oven"
SAID_IN_PUBLIC = "good luck"
SAID_TO_ONESELF = "the corner wins a medlar"

SECRET_ADDRESSES = (
    "ann@example.org",
    "ann.second@example.org",
    "bob@example.org",
    "cat@example.org",
    "dan@example.org",
    "mona@example.org",
    "hana@example.org",
    "zoe@elsewhere.example",
    "yan@elsewhere.example",
    "gone@elsewhere.example",
    "stranger@outside.example",
    "envelope@outside.example",
    "crash@outside.example",
)
"""Every address that is kept somewhere in the site, but for its superuser's."""


@dataclass(frozen=True)
class SampleSite:
    """What there is, by name."""

    ann: User
    bob: User
    cat: User
    dan: User
    bare: User
    mona: User
    hana: User
    root: User
    public: Game
    private: Game
    over: Game
    open_table: Game
    private_table: Game
    challenge: Invitation
    invitation: Invitation
    message: Message
    private_message: Message
    analysed: AnalysisNode
    shared: AnalysisNode
    vacation: Vacation
    feed: str


def populate(*, now):
    """Fill the site; return what there is.

    Ann plays bob at a public game, at a private one and at one that is over; she is to move. Mona
    moderates, bare would but has no second factor, hana is a host, root may do everything; cat is
    a stranger.
    """
    ann, bob, cat, dan = (PersonFactory(username=name) for name in ("ann", "bob", "cat", "dan"))
    staff = {
        "bare": StaffFactory(username="bare", role=MODERATORS),
        "mona": StaffFactory(username="mona", role=MODERATORS),
        "hana": StaffFactory(username="hana", role=ADMINISTRATORS),
        "root": ModeratorFactory(username="root"),
    }
    staff["bare"].authenticator_set.all().delete()
    public, private, over = (begin(ann, bob, now=now, is_public=way) for way in (1, 0, 1))
    for game in (public, private):
        play(game, ann, "5", now=now)
        play(game, bob, "1", now=now)
    endings.resign(game_id=over.pk, user=bob, now=now)
    end_undo([over.pk])  # ann has seen it
    spoken = {"via": Message.Via.WEB, "now": now}
    message = say(game_id=public.pk, user=bob, text=SAID_IN_PUBLIC, **spoken)
    private_message = say(game_id=private.pk, user=bob, text=SAID_IN_PRIVATE, **spoken)
    for game in (public, private):
        offers.offer_end(game_id=game.pk, user=bob, now=now)
    analysed = _analyse(ann, public, SAID_TO_ONESELF, now)
    shared = _analyse(ann, over, SAID_IN_PUBLIC, now)
    analysis.share_analysis(game_id=over.pk, user=ann, now=now)
    open_table = table(ann, now=now)
    create_link(game_id=open_table.pk, by=ann, now=now)
    private_table = table(ann, now=now, is_public=False)
    asked = challenge(game_id=private_table.pk, by=ann, user=bob, now=now)
    other = table(ann, now=now, is_public=False)
    invitation = invite(game_id=other.pk, by=ann, email="zoe@elsewhere.example", now=now)
    made = SampleSite(
        ann=ann,
        bob=bob,
        cat=cat,
        dan=dan,
        **staff,
        public=public,
        private=private,
        over=over,
        open_table=open_table,
        private_table=private_table,
        challenge=asked,
        invitation=invitation,
        message=message,
        private_message=private_message,
        analysed=analysed,
        shared=shared,
        vacation=Vacation.objects.create(
            user=ann,
            begins_at=now + timedelta(days=30),
            ends_at=now + timedelta(days=40),
            announced_at=now,
            zone="UTC",
        ),
        feed=_feed(ann, now),
    )
    _moderate(made, now)
    _mail(made, now)
    _sign_in(made, now)
    return made


def _analyse(person, game, note, now):
    """Let a player analyse "9" after the newest turn, with a note; return that position."""
    turn = Game.objects.values_list("turn_number", flat=True).get(pk=game.pk)
    who = {"game_id": game.pk, "user": person, "turn": turn, "now": now}
    node = analysis.play_variation(parent_id=None, text="9", **who)
    return analysis.write_note(node_id=node.pk, text=note, **who)


def _feed(person, now):
    renew(user=person, now=now)
    return feed_url(person).rpartition("/")[2].removesuffix(".ics")


def _moderate(site, now):
    told = {"reporter": site.ann, "reason": "abuse", "text": "Rude.", "now": now}
    report_message(message_id=site.private_message.pk, **told)
    report_person(person=site.cat, **told)
    report_game(game_id=site.public.pk, **told)
    by = {"by": site.mona, "why": "somebody complained", "now": now}
    people.warn_user(person_id=site.dan.pk, **by)
    people.mute_user(person_id=site.dan.pk, until=None, **by)
    game_actions.give_time(game_id=site.private.pk, more=timedelta(days=1), **by)
    assert Sanction.objects.count() == 2
    Announcement.objects.create(
        english="We move.",
        french="Nous déménageons.",
        from_at=now,
        until=now + timedelta(days=1),
        by=site.hana,
    )
    SitePage.objects.create(
        name="about", language="en", text="Our club.", updated_at=now, by=site.hana
    )
    Outage.objects.create(
        kind=Outage.Kind.DECLARED,
        began_at=now - timedelta(days=3),
        ended_at=now - timedelta(days=2),
        noted_at=now,
        note="no power",
        by=site.hana,
    )


def _mail(site, now):
    asked = site.invitation.game.events.get(kind=Event.Kind.INVITED)
    refused = "550 5.1.1 <{}>: Recipient address rejected"
    notices = [
        _notice("a", now, kind=Kind.YOUR_TURN, user=site.bob, game=site.public, state="sent"),
        _notice(
            "b",
            now,
            kind=Kind.INVITATION,
            address="yan@elsewhere.example",
            event=asked,
            game=site.invitation.game,
            state="failed",
            reason=refused.format("yan@elsewhere.example"),
        ),
        _notice("c", now, kind=Kind.ACCOUNT, user=site.ann, address="ann.second@example.org"),
    ]
    for known in ("gone@elsewhere.example", "ann.second@example.org"):
        AddressState.objects.create(
            address=known,
            suspended_at=now,
            diagnostic=refused.format(known),
            notice=notices[1],
        )
    answers = ReplyAddress.objects.create(
        token_hash="1" * 64,
        purpose="invitation",
        address="zoe@elsewhere.example",
        notice=notices[1],
        game=site.invitation.game,
        invitation=site.invitation,
        created_at=now,
    )
    for number, state in enumerate(("held", "parked", "ignored")):
        IncomingMail.objects.create(
            raw=b"From: stranger@outside.example\r\n\r\nHello",
            door="smtp",
            envelope_from="envelope@outside.example",
            token_hash="1" * 64,
            reply=answers,
            sender="stranger@outside.example",
            message_id=f"<{number}.stranger@outside.example>",
            digest=str(number) * 64,
            state=state,
            received_at=now,
            result="error" if state == "parked" else "stranger",
            error="Traceback\nValueError: crash@outside.example is odd"
            if state == "parked"
            else "",
        )
    ErrorReply.objects.create(
        address="stranger@outside.example", reason="stranger", answered_on=now.date()
    )
    MailPreference.objects.create(user=site.ann, kind=Kind.OFFER, cadence="later")
    StaffDigest.objects.create(day=now.date(), written_at=now)


def _notice(mark, now, **fields):
    return Notice.objects.create(
        message_id=f"<{mark}@localhost>", created_at=now, due_at=now, **fields
    )


def _sign_in(site, now):
    second = EmailAddress.objects.create(user=site.ann, email="ann.second@example.org")
    UserSession.objects.create(
        user=site.ann, ip="192.0.2.1", session_key="x", user_agent="x", last_seen_at=now
    )
    LogEntry.objects.create(
        user=site.root,
        content_type=ContentType.objects.get_for_model(second),
        object_id=str(second.pk),
        object_repr=str(second),
        action_flag=CHANGE,
    )
