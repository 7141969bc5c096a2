"""The outbox: mails that wait, were sent or were dropped, and what they brought."""

import secrets
from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Language
from notifications.kinds.registry import choices

CLAIM_TIMEOUT = timedelta(minutes=10)
"""After this long, the worker that claimed a notice counts as dead."""


class SkipReason(models.TextChoices):
    """Why a notice was not sent; one that was sent has a reason only if it may not have arrived."""

    NO_ADDRESS = "no-address", _("This person has no verified address.")
    SWITCHED_OFF = "switched-off", _("This person switched such mail off.")
    NOT_THEIR_TURN = "not-their-turn", _("It was not this player's turn any more.")
    GAME_OVER = "game-over", _("The game was over already.")
    INVITATION_CLOSED = "invitation-closed", _("The invitation was no longer open.")
    INVITATIONS_REFUSED = "no-invitations", _("This address takes no invitations.")
    ADDRESS_SUSPENDED = "address-suspended", _("Mail to this address came back.")
    OFFER_CLOSED = "offer-closed", _("The offer was no longer open.")
    OFFER_UNKNOWN = "offer-unknown", _("This person had not been told of the offer.")
    TOLD_TOGETHER = "told-together", _("It was told in another mail.")
    TOLD_IN_DIGEST = "told-in-digest", _("It was told in the digest.")
    SEEN = "seen", _("This person saw it on the page.")
    ANSWERED = "answered", _("This person has answered already.")
    NOT_STAFF = "not-staff", _("This person is no longer a moderator of this site.")
    NOTHING_TO_TELL = "nothing-to-tell", _("There was nothing to tell any more.")
    UNCONFIRMED = (
        "unconfirmed",
        _("It may not have arrived: the mail server did not confirm it."),
    )

    @property
    def is_undeliverable(self) -> bool:
        """Whether no mail can reach the reader, whatever it says."""
        return self in (SkipReason.NO_ADDRESS, SkipReason.ADDRESS_SUSPENDED)

    def as_fields(self) -> dict[str, str]:
        """Return the columns that hold this reason."""
        return {"skip_reason": self.value, "reason": PREVIOUS_SENTENCES.get(self, "")}

    def as_condition(self) -> Q:
        """Return the condition for notices with this reason."""
        previous = Q(skip_reason="", reason=PREVIOUS_SENTENCES.get(self, ""))
        return Q(skip_reason=self) | previous if self in PREVIOUS_SENTENCES else Q(skip_reason=self)


PREVIOUS_SENTENCES = {
    SkipReason.SWITCHED_OFF: "This person switched such mail off.",
    SkipReason.TOLD_TOGETHER: "It was told in another mail.",
}
"""What the release before `skip_reason` compares `Notice.reason` with. While both run, each must
understand the other's rows. To be removed with the release after this one."""


class NoticeQuerySet(models.QuerySet["Notice"]):
    """The questions that are asked of the outbox."""

    def waiting(self) -> Self:
        """Return notices that nobody has claimed yet."""
        return self.filter(state=Notice.State.WAITING)

    def due(self, now: datetime) -> Self:
        """Return waiting notices whose time has come."""
        return self.waiting().filter(due_at__lte=now)

    def abandoned(self, now: datetime) -> Self:
        """Return notices whose worker died after it had claimed them."""
        return self.filter(state=Notice.State.CLAIMED, claimed_at__lte=now - CLAIM_TIMEOUT)


def new_message_id() -> str:
    """Return a Message-ID for a new notice, which keeps it however often it is tried."""
    return f"<notice.{secrets.token_hex(12)}@{settings.MAIL_DOMAIN}>"


class Notice(models.Model):
    """One mail to one person, from the moment it must be sent to what became of it.

    `content` holds what cannot be looked up again (a sign-in code, what the numbers of a digest
    mean); it is emptied when the mail was sent. Each kind of mail has a TypedDict for it.
    `skip_reason` says why a notice was not sent. `reason` is what the mail server or an error said
    of one that failed or waits: it is shown, never compared. `failing_since` is when an error of
    our own first prevented sending; after a day the notice is parked with its content.
    `unconfirmed_at` is when it was last handed to a mail server that did not confirm it, because
    the connection or our process died. Times are UTC.
    """

    class State(models.TextChoices):
        """How far a notice has come."""

        WAITING = "waiting", _("waiting")
        CLAIMED = "claimed", _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")
        PARKED = "parked", _("parked: internal error")
        DROPPED = "dropped", _("not sent")

    kind = models.CharField(_("kind"), max_length=20, choices=choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        verbose_name=_("person"),
        db_index=False,  # `notice_by_person` is one
    )
    address = models.EmailField(_("address"), blank=True)
    language = models.CharField(
        _("language"), max_length=5, choices=Language, default=Language.ENGLISH
    )
    event = models.ForeignKey(
        "games.Event", on_delete=models.CASCADE, related_name="notices", null=True, blank=True
    )
    game = models.ForeignKey(
        "games.Game", on_delete=models.CASCADE, related_name="notices", null=True, blank=True
    )
    turn_number = models.PositiveIntegerField(_("turns played"), null=True, blank=True)
    content = models.JSONField(_("content"), default=dict, blank=True)
    message_id = models.CharField(_("Message-ID"), max_length=120, unique=True)

    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    created_at = models.DateTimeField(_("made"))
    due_at = models.DateTimeField(_("due"))
    claimed_at = models.DateTimeField(_("claimed"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    delayed_at = models.DateTimeField(_("delayed on the way"), null=True, blank=True)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    skip_reason = models.CharField(
        _("reason"), max_length=20, choices=SkipReason, blank=True, default="", db_default=""
    )
    reason = models.TextField(_("reason"), blank=True)
    failing_since = models.DateTimeField(_("internal error since"), null=True, blank=True)
    unconfirmed_at = models.DateTimeField(_("sent without confirmation"), null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = [
            models.UniqueConstraint(
                fields=["event", "kind", "user"],
                name="one_notice_an_event_and_person",
                condition=Q(event__isnull=False, user__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["event", "kind", "address"],
                name="one_notice_an_event_and_address",
                condition=Q(event__isnull=False, user__isnull=True),
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="notice_due", condition=Q(state="waiting")),
            models.Index(
                fields=["claimed_at"], name="notice_claimed", condition=Q(state="claimed")
            ),
            # What the list in the admin is filtered by, newest first.
            models.Index(fields=["state", "-id"], name="notice_by_state"),
            models.Index(fields=["kind", "-id"], name="notice_by_kind"),
            models.Index(fields=["address"], name="notice_by_address"),
            models.Index(fields=["user", "-id"], name="notice_by_person"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} → {self.user or f'#{self.pk}'}"

    @classmethod
    def new(
        cls,
        kind: str,
        *,
        language: str,
        now: datetime,
        due_at: datetime | None = None,
        **fields: Any,
    ) -> Self:
        """Return an unsaved notice, due `now` unless said otherwise."""
        return cls(
            kind=kind,
            language=language,
            message_id=new_message_id(),
            created_at=now,
            due_at=due_at or now,
            **fields,
        )

    @property
    def explanation(self) -> str:
        """Why it was not sent, in the active language; else what the mail server or an error said.

        The release before `skip_reason` wrote its sentences into `reason`: they are translated.
        """
        if self.skip_reason:
            return str(self.get_skip_reason_display())
        return gettext(self.reason) if self.reason else ""


class MailedMessages(models.Model):
    """The newest message at a game that a mail has brought its reader; the next mail continues.

    `newest` is the key of the message: later ones have larger keys.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mailed_messages"
    )
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="mailed_messages")
    newest = models.PositiveBigIntegerField(_("newest message"))

    class Meta:
        db_table = "notifications_messagestold"
        verbose_name = _("mailed messages")
        verbose_name_plural = _("mailed messages")
        constraints = [
            models.UniqueConstraint(fields=["user", "game"], name="one_newest_message_a_reader"),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.game}: {self.newest}"


class StaffDigest(models.Model):
    """The digest of a day (UTC) for the moderators was written, or there was nothing to tell.

    The row is made in the transaction that writes the mails, so there is one a day. `told` is how
    many people it went to, `acts` how many entries the moderation log had.
    """

    day = models.DateField(_("day"), unique=True)
    written_at = models.DateTimeField(_("written"))
    told = models.PositiveIntegerField(_("people told"), default=0)
    acts = models.PositiveBigIntegerField(_("entries in the log"), default=0, db_default=0)

    class Meta:
        verbose_name = _("moderators' digest")
        verbose_name_plural = _("moderators' digests")

    def __str__(self) -> str:
        return f"{self.day}"
