"""Acts on the page of one game, person, message or report: asked for, confirmed, then done."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from accounts.models import User
from accounts.server_time import server_now
from games.admin.reasons import ReasonForm, ReasonRequiredMixin, Said, person_of
from games.models import Game
from games.services.moderation.permissions import is_moderator
from games.services.moderation.reading import log_read


class ActionForm(ReasonForm):
    """The reason; forms of acts that ask more have it last."""

    def __init__(self, subject: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.subject = subject
        self.ask_why_last()

    def ask_why_last(self) -> None:
        """Put the reason below everything else."""
        self.order_fields([name for name in self.fields if name not in ("why", "seen")])

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


class SeenForm(ActionForm):
    """The reason, and the newest act on the subject that the moderator has seen."""

    seen = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)


def on(key: str, service: Callable[..., object], **more: Any) -> Callable[..., object]:
    """Return what does a service to the subject of a page, which the service knows by `key`."""
    return lambda subject, **how: service(**{key: subject.pk}, **more, **how)


def always(subject: Any, viewer: User) -> bool:
    """Offer an act on everything, to everybody who moderates."""
    return True


@dataclass(frozen=True)
class ObjectAction:
    """One act: what its button says, what it asks, what does it, and when it is offered.

    `do` takes the subject, `by`, `now` and what the form gave.
    """

    slug: str
    label: Said
    hint: Said
    done: Said
    do: Callable[..., object]
    form: type[ActionForm] = ActionForm
    offered: Callable[[Any, User], bool] = always
    grave: bool = False

    def answer(self, result: object) -> Said | tuple[Said, bool]:
        """Return what to say when it is done; where it is not always good news, whether it is."""
        return self.done


class ObjectActionsMixin(ReasonRequiredMixin):
    """A page of the admin whose acts ask for a reason and a confirmation."""

    asks: list[ObjectAction] = []
    page_template = ""
    """What shows the page of one; Django's own form, to look at, where it is empty."""

    def subject(self, key: str) -> Any:
        """Return what the acts are about, None where there is no such thing."""
        raise NotImplementedError

    def newest_act(self, subject: Any) -> int:
        """Return the number of the newest act on it that its page shows, 0 for none."""
        return 0

    def name_of(self, subject: Any) -> str:
        """Return the title of its page."""
        return str(subject)

    def shown(self, request: HttpRequest, subject: Any) -> dict[str, Any]:
        """Return what its page shows besides the acts."""
        raise NotImplementedError

    def game_of(self, subject: Any) -> Game | None:
        """Return the game that its pages show something of, if any."""
        return None

    def log_read(self, request: HttpRequest, subject: Any) -> None:
        """Log that a private game is read."""
        game = self.game_of(subject)
        if game is not None:
            log_read(game, by=person_of(request), page=request.path, now=server_now())

    def get_urls(self) -> list[Any]:
        """Add the address of each act."""
        act = self.admin_site.admin_view(self.act)
        where = path("<int:pk>/do/<slug:slug>/", act, name=self._name("do"))
        return [where, *super().get_urls()]

    def _name(self, what: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{what}"

    # The page ------------------------------------------------------------------------------------

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show one with what can be done about it; there is nothing to send here."""
        if request.method not in ("GET", "HEAD") or not self.has_view_permission(request):
            raise PermissionDenied
        subject = self.subject(object_id)
        if subject is None:
            return self._get_obj_does_not_exist_redirect(  # type: ignore[attr-defined]
                request, self.opts, object_id
            )
        self.log_read(request, subject)
        offered = {"offered": self.offered_to(person_of(request), subject)}
        if not self.page_template:
            return super().change_view(request, object_id, form_url, offered)
        return self.page(
            request, subject, self.page_template, offered | self.shown(request, subject)
        )

    def offered_to(self, viewer: User, subject: Any) -> list[dict[str, Any]]:
        """Return the acts that are possible now, each with its empty form and its address."""
        if not is_moderator(viewer):
            return []
        seen = {"seen": self.newest_act(subject)}
        return [
            {
                "action": ask,
                "form": ask.form(subject, initial=seen, auto_id=f"{ask.slug}_%s"),
                "url": reverse(f"admin:{self._name('do')}", args=[subject.pk, ask.slug]),
            }
            for ask in self.asks
            if ask.offered(subject, viewer)
        ]

    def page(
        self, request: HttpRequest, subject: Any, template: str, shown: dict[str, Any]
    ) -> TemplateResponse:
        """Return a page in the admin's frame."""
        frame = self.admin_site.each_context(request)
        title = {"opts": self.opts, "title": self.name_of(subject)}
        return TemplateResponse(request, template, frame | title | shown)

    # Acts ----------------------------------------------------------------------------------------

    def act(self, request: HttpRequest, pk: int, slug: str) -> HttpResponse:
        """Ask whether an act is meant, then do it. Nothing is done before that is answered."""
        if not is_moderator(person_of(request)):
            raise PermissionDenied
        ask = next((one for one in self.asks if one.slug == slug), None)
        subject = self.subject(str(pk))
        if ask is None or subject is None:
            raise Http404
        self.log_read(request, subject)
        sent = request.POST if request.method == "POST" else None
        form = ask.form(subject, sent, initial={"seen": self.newest_act(subject)})
        back = reverse(f"admin:{self._name('change')}", args=[subject.pk])
        if form.is_valid() and "confirmed" in request.POST:
            self.tell(request, lambda: self._do(request, subject, ask, form))
            return redirect(back)
        shown = {
            "subject": subject,
            "action": ask,
            "form": form,
            "chosen": list(form.chosen()) if form.is_bound and form.is_valid() else None,
            "back": back,
        }
        return self.page(request, subject, "admin/games/ask.html", shown)

    def _do(
        self, request: HttpRequest, subject: Any, ask: ObjectAction, form: ActionForm
    ) -> Said | tuple[Said, bool]:
        """Do it and return what to say. Raises Refusal."""
        return ask.answer(ask.do(subject, by=person_of(request), now=server_now(), **form.given()))
