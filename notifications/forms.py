"""The forms of the settings for mail and webhooks."""

from datetime import datetime
from typing import Any

from django import forms
from django.db import transaction
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from notifications.kinds.base import kind_of
from notifications.models import DAILY, Cadence, Kind
from notifications.models.webhook import LONGEST_URL
from notifications.outbox.scheduling import reschedule
from notifications.services.preferences import (
    cadences_of,
    digest_schedule_of,
    gets_puzzles,
    optional_kinds,
    save_digest_schedule,
    set_cadence,
    subscribe_to_puzzles,
)
from notifications.webhooks.endpoints import accounts_of

LATER_HOURS = (1, 2, 4, 8, 12, 24)
DIGEST_EVERY = (12, 6, 4)


def digest_choices() -> list[tuple[object, str]]:
    choices: list[tuple[object, str]] = [("", gettext("no digest")), (DAILY, gettext("once a day"))]
    for hours in DIGEST_EVERY:
        label = ngettext("every %(count)d hour", "every %(count)d hours", hours)
        choices.append((hours, label % {"count": hours}))
    return choices


def later_choices() -> list[tuple[int, str]]:
    return [
        (hours, ngettext("after %(count)d hour", "after %(count)d hours", hours) % {"count": hours})
        for hours in LATER_HOURS
    ]


class MailPreferencesForm(forms.Form):
    """One choice for each kind of mail that can be switched off, and the hours of the others."""

    digest = forms.TypedChoiceField(
        label=_("The digest comes"),
        choices=digest_choices,
        coerce=int,
        empty_value=None,
        required=False,
    )
    digest_hour = forms.TypedChoiceField(
        label=_("Once a day at"),
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        coerce=int,
    )
    later_hours = forms.TypedChoiceField(
        label=_("“Later” means"), choices=later_choices, coerce=int
    )

    puzzles = forms.BooleanField(
        label=_("The puzzle of the day"),
        help_text=_("A letter each day at the digest’s hour, which you answer with your turn."),
        required=False,
    )
    mail_pictures = forms.BooleanField(
        label=_("Pictures in mails"),
        help_text=_("Without them, mails show boards as text."),
        required=False,
    )
    mail_confirmations = forms.BooleanField(
        label=_("A mail that my turn was played"),
        help_text=_("When you play by mail. What could not be done is answered in any case."),
        required=False,
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        schedule = digest_schedule_of(user)
        self.fields["digest_hour"].help_text = gettext("In your time zone (%(zone)s).") % {
            "zone": user.time_zone
        }
        self.initial.update(
            digest=schedule.digest_every or "",
            digest_hour=schedule.digest_hour,
            later_hours=schedule.later_hours,
            puzzles=gets_puzzles(user),
            mail_pictures=user.mail_pictures,
            mail_confirmations=user.mail_confirmations,
        )
        for kind, cadence in cadences_of(user).items():
            choices = [(one.value, one.label) for one in kind_of(kind).cadences]
            self.fields[kind.value] = forms.ChoiceField(
                label=kind.label, choices=choices, initial=cadence
            )

    @property
    def kinds(self) -> list[forms.BoundField]:
        return [self[kind.kind.value] for kind in optional_kinds()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        in_digest = [one for one in self.kinds if cleaned.get(one.name) == Cadence.DIGEST]
        if in_digest and cleaned.get("digest") is None and "digest" not in self.errors:
            self.add_error("digest", _("Choose when the digest comes: you want mail in it."))
        return cleaned

    @transaction.atomic
    def save(self, *, now: datetime) -> None:
        given = self.cleaned_data
        save_digest_schedule(
            user=self.user,
            later_hours=given["later_hours"],
            digest_every=given["digest"],
            digest_hour=given["digest_hour"],
            now=now,
        )
        for kind in cadences_of(self.user):
            set_cadence(user=self.user, kind=kind, cadence=Cadence(given[kind.value]))
        if given["digest"] is not None:
            set_cadence(user=self.user, kind=Kind.DIGEST, cadence=Cadence.AT_ONCE)
        if given["puzzles"]:
            subscribe_to_puzzles(user=self.user, now=now)
        elif gets_puzzles(self.user):
            set_cadence(user=self.user, kind=Kind.PUZZLE, cadence=Cadence.OFF)
        self.user.mail_pictures = given["mail_pictures"]
        self.user.mail_confirmations = given["mail_confirmations"]
        self.user.save(update_fields=["mail_pictures", "mail_confirmations"])
        reschedule(self.user, now=now)


class WebhookForm(forms.Form):
    """A new webhook: the address, and whose games it is told of, if there is a choice."""

    address = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_URL,
        help_text=_("It begins with “https://” and can be reached from the internet."),
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )
    account = forms.ChoiceField(label=_("Whose games"))

    def __init__(self, owner: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [(user.username, str(user)) for user in accounts_of(owner)]
        account = self.fields["account"]
        assert isinstance(account, forms.ChoiceField)  # noqa: S101  (declared above)
        account.choices = names
        if len(names) == 1:
            del self.fields["account"]
