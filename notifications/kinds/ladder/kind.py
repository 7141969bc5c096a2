"""Letters to the players of a ladder: a challenge to answer, how one ended, or that one is off it.

A reply with “accept” or “decline” answers the challenge (`mail_commands.ladders`).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.models import Club, LadderChallenge, LadderPlace
from notifications.emails.base import InlineImageEmail
from notifications.emails.formatting import format_moment, plain
from notifications.kinds.base import Content, Context, MailKind, Purpose
from notifications.kinds.registry import Kind
from notifications.models import Cadence, Notice, SkipReason

State, Outcome = LadderChallenge.State, LadderChallenge.Outcome


_SAID = {
    Outcome.WON: (
        gettext_noop("You won the game, and have the place of the other, if it was above yours."),
        gettext_noop("You lost the game, and the challenger has your place, if it was above."),
    ),
    Outcome.DRAWN: (gettext_noop("The game is drawn: nobody moves."),) * 2,
    Outcome.LOST: (
        gettext_noop("You lost the game: nobody moves."),
        gettext_noop("You won the game, and keep your place."),
    ),
    Outcome.VOID: (gettext_noop("The game ended without a result: nobody moves."),) * 2,
    Outcome.SPARED: (
        gettext_noop("They have declined, which is free once: nobody moves."),
        gettext_noop("You have declined, which was free: nobody moves."),
    ),
    Outcome.DECLINED: (
        gettext_noop("They have declined, and you have their place."),
        gettext_noop("You have declined, and the challenger has your place."),
    ),
    Outcome.UNANSWERED: (
        gettext_noop("They have not answered in time, and you have their place."),
        gettext_noop("You have not answered in time, and the challenger has your place."),
    ),
    Outcome.WITHDRAWN: (gettext_noop("The challenge is withdrawn: nobody moves."),) * 2,
    Outcome.LEFT: (gettext_noop("One of you has left the ladder."),) * 2,
}
"""What a letter says of how a challenge ended: to the challenger, and to the challenged."""


class LadderContent(Content, total=False):
    """What a letter is about: a challenge, by its key, and its state; or the key of a place."""

    ladder_challenge: int
    state: str
    place: int


class LadderMail(MailKind):
    """Tells what happens on a ladder (`outbox.ladder_letters` writes the notices)."""

    kind = Kind.LADDER
    can_be_switched_off = True
    cadences = (Cadence.AT_ONCE, Cadence.OFF)
    can_wait = False
    can_be_sent_again = False
    reply_purpose = Purpose.GAME

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason where the challenge has changed since, or the player is back."""
        content = cast(LadderContent, notice.content)
        if "place" in content:
            left = LadderPlace.objects.filter(pk=content["place"], place=None)
            return None if left.exists() else SkipReason.NOTHING_TO_TELL
        challenge = LadderChallenge.objects.filter(pk=content["ladder_challenge"])
        is_so = challenge.filter(state=content.get("state", "")).exists()
        return None if is_so else SkipReason.NOTHING_TO_TELL

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        content = cast(LadderContent, notice.content)
        about = _place(content["place"]) if "place" in content else _challenge(notice, content)
        context = {**self.base_context(notice, now), "reader": plain(notice.user), **about}
        return self.render_email(notice, self.template("letter"), context)


KIND = LadderMail()


def _place(key: int) -> Context:
    """Return what a letter says of a player who is off a ladder without having asked.

    No reply joins the ladder of a club again.
    """
    own = LadderPlace.objects.select_related("ladder__club").get(pk=key)
    again = _("To come back, reply with “join ladder %(game)s”.")
    said = {
        LadderPlace.Left.IDLE: _(
            "You have not played on this ladder for half a year, so you have left it. You can come "
            "back at any time."
        ),
        LadderPlace.Left.REMOVED: _(
            "A moderator removed you from this ladder. Games that have begun go on. The reason:"
        ),
    }
    return {
        "subject": _("You are no longer on the ladder of %(game)s") % {"game": plain(own.ladder)},
        "said": said[LadderPlace.Left(own.left_because)],
        "why": plain(own.removed_because),
        "by_mail": "" if own.ladder.club else again % {"game": own.ladder.rules_slug},
        "url": _url(own.ladder.get_absolute_url(), own.ladder.club, own.user_id),
    }


def _url(path: str, club: Club | None, reader_id: int | None) -> str:
    """Return the address of a page, or of the club's page if the reader has left the club."""
    if club is not None and not club.members.filter(user=reader_id).exists():
        path = club.get_absolute_url()
    return settings.SITE_URL + path


def _challenge(notice: Notice, content: LadderContent) -> Context:
    """Return what a letter says of a challenge, to either of both."""
    joined = LadderChallenge.objects.select_related("challenger", "challenged", "game")
    challenge = joined.select_related("ladder__club").get(pk=content["ladder_challenge"])
    club = challenge.ladder.club
    is_challenger = notice.user_id == challenge.challenger_id
    other = challenge.challenged if is_challenger else challenge.challenger
    places = challenge.ladder.places.exclude(place=None)
    place = {one.user_id: one for one in places.filter(user__in=[notice.user_id, other.pk])}
    names = {"name": plain(other), "game": plain(challenge.ladder)}
    own = place.get(notice.user_id or 0)
    context: Context = {"url": _url(challenge.get_absolute_url(), club, notice.user_id)}
    if challenge.state == State.WAITING:
        subject = _("%(name)s challenges you on the ladder of %(game)s") % names
        said = _("You can decline this for free. If you do not answer, they have your place.")
        if own is not None and own.has_declined:
            said = _(
                "Your free decline is used: if you decline or do not answer, they have your place."
            )
        context["due"] = format_moment(challenge.due_at)
    else:
        subject = _("The challenge with %(name)s on the ladder of %(game)s is over") % names
        said = _(_SAID[Outcome(challenge.outcome)][not is_challenger])
        again = _(
            "To challenge a player above you, reply with “challenge NAME on ladder %(game)s”."
        )
        context["by_mail"] = "" if club else again % {"game": challenge.ladder.rules_slug}
    return {
        **context,
        "subject": subject,
        "said": said,
        "place": own.place if own is not None else None,
    }
