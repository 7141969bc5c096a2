"""What a moderator can do on the page of a game, a person, a message or a report.

An `ObjectAction` is a button, a form that asks for the reason, and the service that acts.
`ModerationAdmin` shows the form, asks for a confirmation, and calls the service.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import errors

LONGEST_REASON = 2000

Text = str | Promise


def reason_field() -> forms.CharField:
    """Return the field that asks for the reason."""
    return forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("It is kept in the log."),
    )


class ReasonForm(forms.Form):
    """Asks for the reason."""

    why = reason_field()


class ActionForm(ReasonForm):
    """The form of an action on `subject`. Subclasses ask for more, above the reason."""

    def __init__(self, subject: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.subject = subject
        self.move_reason_to_end()

    def move_reason_to_end(self) -> None:
        self.order_fields([name for name in self.fields if name not in ("why", "seen")])

    def arguments(self) -> dict[str, Any]:
        """Return the service's keyword arguments from the form. Raises Refusal."""
        return dict(self.cleaned_data)

    def summary(self) -> Iterator[tuple[str, str]]:
        """Yield each visible field's label and value, for the confirmation."""
        for field in self:
            value = str(field.value() or "")
            if isinstance(field.field, forms.ChoiceField):
                value = str(dict(field.field.choices).get(value, value))  # type: ignore[arg-type]
            elif isinstance(field.field, forms.DateTimeField):
                value = value.replace("T", " ")
            if value and not field.is_hidden:
                yield str(field.label), value


class SeenForm(ActionForm):
    """The reason, and the newest log entry on the subject that the moderator has seen."""

    seen = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)


def always(subject: Any, viewer: User) -> bool:
    return True


def calls(key: str, service: Callable[..., object], **more: Any) -> Callable[..., object]:
    """Return what calls a service with the subject's primary key as its argument `key`."""
    return lambda subject, **arguments: service(**{key: subject.pk}, **more, **arguments)


@dataclass(frozen=True)
class ObjectAction:
    """One action: its button, its form, the service that does it, and when it is available.

    `service` takes the subject, `by`, `now` and the form's arguments.
    """

    slug: str
    label: Text
    hint: Text
    done: Text
    service: Callable[..., object]
    form: type[ActionForm] = ActionForm
    is_available: Callable[[Any, User], bool] = always
    is_destructive: bool = False

    def message(self, result: object) -> Text | tuple[Text, bool]:
        """Return what to say when it is done; with False if that is a warning."""
        return self.done


def user_named(name: str) -> User:
    """Return the user of this name, in upper or lower case. Raises NoSuchPlayer."""
    user = User.objects.filter(username__iexact=name).first() if name.isprintable() else None
    if user is None:
        raise errors.NoSuchPlayer(name=name)
    return user
