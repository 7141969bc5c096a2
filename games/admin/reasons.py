"""Pages of the admin that ask for a reason before they do something, and say what became of it."""

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games import errors

LONGEST_REASON = 2000
MOST_NAMED = 20
"""How many of the chosen rows are named."""

Said = str | Promise


def reason_field() -> forms.CharField:
    """Return the field that asks for the reason."""
    return forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("The log keeps it."),
    )


class ReasonForm(forms.Form):
    """The reason."""

    why = reason_field()


def person_of(request: HttpRequest) -> User:
    """Return who is signed in: nobody else comes into the admin."""
    return cast(User, request.user)


class ReasonRequiredMixin(admin.ModelAdmin):
    """What such pages share."""

    def ask(
        self, request: HttpRequest, form: forms.Form, *, title: Said, hint: Said, **more: Any
    ) -> TemplateResponse:
        """Return the page with the form; nothing has been done yet."""
        frame = self.admin_site.each_context(request)
        asked = {"opts": self.opts, "title": title, "hint": hint, "form": form, **more}
        return TemplateResponse(request, "admin/games/why.html", frame | asked)

    def row_in_words(self, request: HttpRequest, row: Any) -> str:
        """Return how a row that was chosen is called where it is asked about."""
        return str(row)

    def tell(self, request: HttpRequest, do: Callable[[], Said | tuple[Said, bool]]) -> bool:
        """Do something and say so in the words it returns, or say why not; tell whether it did.

        Beside the words it may return whether they are good news.
        """
        try:
            said = do()
        except errors.Refusal as refusal:
            self.refuse(request, refusal)
            return False
        done, is_good = said if isinstance(said, tuple) else (said, True)
        self.message_user(request, str(done), messages.SUCCESS if is_good else messages.WARNING)
        return True

    def refuse(self, request: HttpRequest, refusal: errors.Refusal) -> None:
        """Say why nothing was done."""
        words = _("Nothing was done: %(why)s") % {"why": refusal.sentence}
        self.message_user(request, words, messages.ERROR)

    def act_on(
        self,
        request: HttpRequest,
        chosen: QuerySet,
        do: Callable[[list[int], str], Said],
        *,
        title: Said,
        hint: Said,
    ) -> HttpResponse | None:
        """Ask why, as the answer to an action of a list, then do it to the rows that were chosen.

        `do` gets their keys and the reason, and returns what to say. It may raise Refusal.
        """
        form = ReasonForm(request.POST if "confirmed" in request.POST else None)
        if form.is_valid():
            keys = list(chosen.values_list("pk", flat=True))
            self.tell(request, lambda: do(keys, form.cleaned_data["why"]))
            return None
        return self.ask(
            request,
            form,
            title=title,
            hint=hint,
            rows=[self.row_in_words(request, row) for row in chosen[:MOST_NAMED]],
            keys=request.POST.getlist(ACTION_CHECKBOX_NAME),
            key_name=ACTION_CHECKBOX_NAME,
            action=request.POST.get("action", ""),
            back=request.get_full_path(),
        )
