"""Acts in the admin: a button, a form that asks why, a confirmation, then a service."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.services.errors import Refusal
from games.services.moderation.rights import moderates

LONGEST_REASON = 2000


class AskForm(forms.Form):
    """The reason; forms of acts that ask more have it last."""

    why = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("The log keeps it."),
    )

    def __init__(self, subject: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.subject = subject
        self.order_fields([name for name in self.fields if name != "why"])

    def given(self) -> dict[str, Any]:
        """Return what was filled in, as the service takes it. Raises Refusal."""
        return dict(self.cleaned_data)

    def chosen(self) -> Iterator[tuple[str, str]]:
        """Yield what was filled in, in words."""
        for field in self:
            if not field.is_hidden and (words := self._words(field)):
                yield str(field.label), words

    def _words(self, field: forms.BoundField) -> str:
        value = str(field.value() or "")
        if isinstance(field.field, forms.ChoiceField):
            return str(dict(field.field.choices).get(value, value))  # type: ignore[arg-type]
        if isinstance(field.field, forms.DateTimeField):
            return value.replace("T", " ")
        return value


def always(subject: Any, viewer: User) -> bool:
    """Offer an act on everything, to everybody who moderates."""
    return True


@dataclass(frozen=True)
class Ask:
    """One act: what its button says, what it asks, what does it, and when it is offered.

    `do` takes the subject, `by`, `now` and what the form gave.
    """

    slug: str
    label: str | Promise
    hint: str | Promise
    done: str | Promise
    do: Callable[..., object]
    form: type[AskForm] = AskForm
    offered: Callable[[Any, User], bool] = always
    grave: bool = False


class AsksFirst(admin.ModelAdmin):
    """A page of the admin whose acts ask for a reason and a confirmation."""

    asks: list[Ask] = []

    def subject(self, key: str) -> Any:
        """Return what the acts are about, None where there is no such thing."""
        raise NotImplementedError

    def name_of(self, subject: Any) -> str:
        """Return the title of its page."""
        return str(subject)

    def get_urls(self) -> list[Any]:
        """Add the address of each act."""
        act = self.admin_site.admin_view(self.act)
        where = path("<int:pk>/do/<slug:slug>/", act, name=self._name("do"))
        return [where, *super().get_urls()]

    def _name(self, what: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{what}"

    def offered_to(self, viewer: User, subject: Any) -> list[dict[str, Any]]:
        """Return the acts that are possible now, each with its empty form and its address."""
        if not moderates(viewer):
            return []
        return [
            {
                "action": ask,
                "form": ask.form(subject, auto_id=f"{ask.slug}_%s"),
                "url": reverse(f"admin:{self._name('do')}", args=[subject.pk, ask.slug]),
            }
            for ask in self.asks
            if ask.offered(subject, viewer)
        ]

    def act(self, request: HttpRequest, pk: int, slug: str) -> HttpResponse:
        """Ask whether an act is meant, then do it. Nothing is done before that is answered."""
        viewer = request.user
        assert isinstance(viewer, User)  # noqa: S101  (admin_view lets nobody else in)
        if not moderates(viewer):
            raise PermissionDenied
        ask = next((one for one in self.asks if one.slug == slug), None)
        subject = self.subject(str(pk))
        if ask is None or subject is None:
            raise Http404
        form = ask.form(subject, request.POST if request.method == "POST" else None)
        if form.is_valid() and "confirmed" in request.POST:
            return self._do(request, subject, ask, form)
        shown = {
            "subject": subject,
            "action": ask,
            "form": form,
            "chosen": list(form.chosen()) if form.is_bound and form.is_valid() else None,
            "back": self._page_of(subject),
        }
        return self.page(request, subject, "admin/games/ask.html", shown)

    def _page_of(self, subject: Any) -> str:
        return reverse(f"admin:{self._name('change')}", args=[subject.pk])

    def page(
        self, request: HttpRequest, subject: Any, template: str, shown: dict[str, Any]
    ) -> TemplateResponse:
        """Return a page in the admin's frame."""
        frame = self.admin_site.each_context(request)
        title = {"opts": self.opts, "title": self.name_of(subject)}
        return TemplateResponse(request, template, frame | title | shown)

    def _do(self, request: HttpRequest, subject: Any, ask: Ask, form: AskForm) -> HttpResponse:
        """Do it, or say why not; either way the page shows how it stands now."""
        try:
            ask.do(subject, by=request.user, now=timezone.now(), **form.given())
        except Refusal as refusal:
            said = gettext("Nothing was done: %(why)s") % {"why": refusal.sentence}
            self.message_user(request, said, messages.ERROR)
        else:
            self.message_user(request, str(ask.done), messages.SUCCESS)
        return redirect(self._page_of(subject))
