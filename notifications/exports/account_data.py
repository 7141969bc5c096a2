"""What an export has of a user's account and mail: settings, sign-ins, conduct, notices."""

from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q
from django.forms import model_to_dict

from accounts.api_tokens import tokens_of
from accounts.models import Program, SecurityEvent, User
from games.models import Invitation, LadderChallenge, Substitution, TeamInvitation
from notifications.exports.archive import Archive, in_chunks
from notifications.models import (
    CalendarFeed,
    DigestSchedule,
    IncomingMail,
    MailPreference,
    Notice,
    PushSubscription,
    PuzzleSubscription,
    Webhook,
)

MAILS_AT_ONCE = 5
"""How many incoming mails are read at once: each may have some megabytes."""

Data = dict[str, Any]

PROFILE = (
    *("username", "display_name", "email", "language", "time_zone", "date_joined", "last_login"),
    *("days_off", "quiet_from", "quiet_until", "automatic_vacation", "reminders"),
    *("mail_pictures", "mail_confirmations"),
    *("reminders_at_night", "unreachable_since", "barred_until", "muted_until", "is_warned"),
    *("results_shown_to", "times_shown_to", "games_shown_to", "is_findable", "takes_strangers"),
    *("is_active", "is_staff", "deletion_due_at", "deletion_reminded_at"),
)
"""The columns of User in `account.json`."""

NOT_IN_PROFILE = {
    "id": "a number that means nothing outside this site",
    "password": "a secret: only a hash of it is kept",
    "is_superuser": "said by the roles",
    "clocks_changed_at": "set for seconds, while deadlines are computed again",
    "is_bot": "bots ask for nothing",
    "owner": "programs ask for nothing; their owner has them",
    "guest_until": "guests sign up first",
}
"""The other columns, each with why it is left out."""

PROGRAM_SETTINGS = (
    *("is_open", "games", "options", "shortest", "longest", "most_games", "most_per_person"),
)


LADDER_COLUMNS = (
    *("place", "joined_at", "idle_from", "sinks_at", "sunk", "has_declined"),
    *("left_at", "left_place", "left_because", "removed_because"),
)

CHALLENGE_COLUMNS = (
    *("made_at", "due_at", "state", "outcome", "game_id", "answered_at", "ended_at", "has_moved"),
)

WISH_SETTINGS = (
    *("rules_slug", "options", "pace", "allowance", "bank", "cap", "lowest", "highest", "at_once"),
    *("via", "made_at", "changed_at", "withdrawn_at", "waits_since", "rests_since"),
)


def add_account(archive: Archive, user: User) -> None:
    """Add the files about a user's account and mail."""
    archive.add_data("account.json", account_of(user))
    archive.add_list("security.json", security_events_of(user))
    archive.add_list("invitations.json", invitations_of(user))
    archive.add_list("notices.json", notices_of(user))
    archive.add_list("mail.json", mails_of(user))


def account_of(user: User) -> Data:
    """Return what is not long: each list has a row for what a person did by hand."""
    warned = ("kind", "reason", "at", "until", "lifted_at", "seen_at")
    away = ("begins_at", "ends_at", "announced_at", "ended_early_at", "zone", "is_automatic")
    digest = DigestSchedule.objects.filter(user=user).first()
    calendar = CalendarFeed.objects.filter(user=user).first()
    addresses = EmailAddress.objects.filter(user=user).order_by("pk")
    sessions = UserSession.objects.filter(user=user).order_by("pk")
    return {
        "profile": {name: getattr(user, name) for name in PROFILE},
        "roles": list(user.groups.order_by("name").values_list("name", flat=True)),
        "addresses": list(addresses.values("email", "verified", "primary")),
        "second_factors": [
            {
                "type": factor.type,
                "name": factor.data.get("name", ""),
                "created_at": factor.created_at,
                "last_used_at": factor.last_used_at,
            }
            for factor in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "sessions": list(sessions.values("created_at", "last_seen_at", "ip", "user_agent")),
        "tokens": list(  # without the secrets, of which only hashes are kept
            tokens_of(user)
            .order_by("pk")
            .values("name", "user__username", "scopes", "created_at", "expires_at", "last_used_at")
        ),
        "programs": list(
            Program.objects.filter(user__owner=user)
            .order_by("pk")
            .values("user__username", *PROGRAM_SETTINGS)
        ),
        "vacations": list(user.vacations.values(*away)),
        "mail_preferences": list(
            MailPreference.objects.filter(user=user).order_by("kind").values("kind", "cadence")
        ),
        "digest": digest and model_to_dict(digest, exclude=["id", "user"]),
        "puzzles_by_mail": PuzzleSubscription.objects.filter(user=user)
        .values("due_at", "newest_day")
        .first(),
        "calendar": calendar and {"made_at": calendar.made_at},
        "notifications_in": list(  # without the keys of their messages
            PushSubscription.objects.filter(user=user)
            .order_by("pk")
            .values("label", "endpoint", "created_at", "last_success_at")
        ),
        "webhooks": [  # without their secrets
            {
                "account": str(webhook.user),
                "url": webhook.url,
                "created_at": webhook.created_at,
                "last_success_at": webhook.last_success_at,
                "last_error": webhook.last_error,
            }
            for webhook in Webhook.objects.filter(Q(owner=user) | Q(user=user))
            .select_related("user")
            .order_by("pk")
        ],
        "blocks": [
            {"player": str(block.of), "since": block.at}
            for block in user.blocks.select_related("of").order_by("pk")
        ],
        "follows": [
            {"player": str(follow.of), "since": follow.at}
            for follow in user.follows.select_related("of").order_by("pk")
        ],
        "shared_analyses": [
            {"game": shared.game_id, "since": shared.shared_at}
            for shared in user.shared_analyses.order_by("pk")
        ],
        "puzzles": [
            {
                "day": attempt.puzzle.day,
                "first_answers": attempt.turns,
                "right": attempt.is_right,
                "at": attempt.answered_at,
                "closed": attempt.closed_at,
            }
            for attempt in user.puzzle_attempts.select_related("puzzle").order_by("pk")
        ],
        "clubs": [
            {
                "club": one.club.name,
                "role": one.role,
                "joined_at": one.joined_at,
                "gets_letters": one.gets_letters,
            }
            for one in user.club_memberships.select_related("club").order_by("pk")
        ],
        "club_requests": [
            {"club": one.club.name, "asked_at": one.asked_at, "again_at": one.again_at}
            for one in user.club_requests.select_related("club").order_by("pk")
        ],
        "club_announcements": [
            {"club": one.club.name, "text": one.text, "written_at": one.written_at}
            for one in user.club_announcements.select_related("club").order_by("pk")
        ],
        "club_challenges": [
            {
                "match": one.pk,
                "game": one.rules_slug,
                "options": one.options,
                "challenged_at": one.challenged_at,
            }
            for one in user.club_challenges.order_by("pk")
        ],
        "club_matches": [
            {"match": one.match_id, "club": one.club.name, "wanted_at": one.wanted_at}
            for one in user.club_match_entries.select_related("club").order_by("pk")
        ],
        "tournaments": [
            {
                "tournament": entrant.tournament_id,
                "joined_at": entrant.joined_at,
                "number": entrant.number,
                "left_at": entrant.left_at,
                "left_because": entrant.left_because,
                "removed_because": entrant.removed_because,
            }
            for entrant in user.tournament_entries.order_by("pk")
        ],
        "tournaments_opened": [
            {
                "tournament": one.pk,
                "name": one.name,
                "game": one.rules_slug,
                "options": one.options,
                "opened_at": one.opened_at,
                "cancelled_because": one.cancelled_because,
            }
            for one in user.opened_tournaments.order_by("pk")
        ],
        "leagues": [
            {
                "league": entry.season.league.rules_slug,
                "season": entry.season.number,
                "division": entry.division.number if entry.division else None,
                "state": entry.state,
                "partner": str(entry.teammate.user) if entry.teammate is not None else None,
                "joined_at": entry.joined_at,
                "left_at": entry.left_at,
                "left_because": entry.left_because,
                "removed_because": entry.removed_because,
            }
            for entry in user.league_entries.select_related(
                "season__league", "division", "partner_of__user", "partner__user"
            ).order_by("pk")
        ],
        "team_invitations": [
            {
                "league": one.entry.season.league.rules_slug,
                "season": one.entry.season.number,
                "by": str(one.entry.user),
                "to": str(one.user),
                "state": one.state,
                "made_at": one.made_at,
            }
            for one in TeamInvitation.objects.filter(Q(user=user) | Q(entry__user=user))
            .select_related("entry__season__league", "entry__user", "user")
            .order_by("pk")
        ],
        "ladders": [
            {
                "ladder": own.ladder.rules_slug,
                "club": own.ladder.club and own.ladder.club.name,
                **{name: getattr(own, name) for name in LADDER_COLUMNS},
            }
            for own in user.ladder_places.select_related("ladder__club").order_by("pk")
        ],
        "ladder_challenges": [
            {
                "ladder": one.ladder.rules_slug,
                "club": one.ladder.club and one.ladder.club.name,
                "by": str(one.challenger),
                "of": str(one.challenged),
                **{name: getattr(one, name) for name in CHALLENGE_COLUMNS},
            }
            for one in LadderChallenge.objects.filter(Q(challenger=user) | Q(challenged=user))
            .select_related("ladder__club", "challenger", "challenged")
            .order_by("pk")
        ],
        "wishes": [
            {
                **{name: getattr(wish, name) for name in WISH_SETTINGS},
                "games": list(wish.games.order_by("pk").values("game", "began_at", "waited")),
            }
            for wish in user.wishes.order_by("pk")
        ],
        "mutes": [
            {"game": mute.seat.game_id, "player": str(mute.seat.user or ""), "since": mute.at}
            for mute in user.mutes.select_related("seat__user").order_by("pk")
        ],
        "reports": [
            {
                "game": report.game_id,
                "player": str(report.person or ""),
                "about_a_message": report.message_id is not None,
                "reason": report.reason,
                "text": report.text,
                "made_at": report.made_at,
                "state": report.state,
                "answer": report.answer,
                "closed_at": report.closed_at,
            }
            for report in user.reports.select_related("person").order_by("pk")
        ],
        "sanctions": list(user.sanctions.order_by("pk").values(*warned)),
        "substitutions": [
            {
                "game": taken.seat.game_id,
                "what": "lost the seat" if taken.former_id == user.pk else "took the seat over",
                "seat": taken.seat.number,
                "at": taken.at,
            }
            for taken in Substitution.objects.filter(Q(former=user) | Q(by=user))
            .select_related("seat")
            .order_by("pk")
        ],
    }


def security_events_of(user: User) -> Iterator[Data]:
    """Yield what the security log has of the user."""
    for event in in_chunks(SecurityEvent.objects.filter(user=user)):
        yield {
            "what": event.kind,
            "at": event.at,
            "times": event.times,
            "ip": event.ip,
            "browser": event.user_agent,
            "details": event.details,
        }


def invitations_of(user: User) -> Iterator[Data]:
    """Yield the invitations that the user sent, then those to them or a verified address."""
    sent = Invitation.objects.filter(by=user).select_related("user")
    for invitation in in_chunks(sent):
        yield {"to": str(invitation.user or ""), **_invited(invitation)}
    addresses = EmailAddress.objects.filter(user=user, verified=True).values("email")
    to_address = Q(user=None, email__in=addresses)
    received = Invitation.objects.filter(Q(user=user) | to_address).select_related("by")
    for invitation in in_chunks(received):
        yield {"from": str(invitation.by), **_invited(invitation)}


def _invited(invitation: Invitation) -> Data:
    return {
        "game": invitation.game_id,
        "by_mail": invitation.user_id is None,
        "state": invitation.state,
        "made_at": invitation.created_at,
        "answered_at": invitation.answered_at,
    }


def notices_of(user: User) -> Iterator[Data]:
    """Yield the mails to the user, without their text."""
    for notice in in_chunks(Notice.objects.filter(user=user).defer("content")):
        yield {
            "kind": notice.kind,
            "game": notice.game_id,
            "address": notice.address,
            "language": notice.language,
            "state": notice.state,
            "not_sent_because": notice.skip_reason,
            "made_at": notice.created_at,
            "sent_at": notice.sent_at,
            "message_id": notice.message_id,
            "refused_with": notice.reason if notice.state == Notice.State.FAILED else "",
        }


def mails_of(user: User) -> Iterator[Data]:
    """Yield the mails that were read as the user's; `text` is the mail as it came."""
    for mail in in_chunks(IncomingMail.objects.filter(user=user), MAILS_AT_ONCE):
        yield {
            "from": mail.sender,
            "received_at": mail.received_at,
            "message_id": mail.message_id,
            "result": mail.result,
            "text": bytes(mail.raw).decode("utf-8", "replace"),
        }
