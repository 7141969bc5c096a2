"""The one base of the admin's pages: large tables, read only, with actions that need a reason."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import label_for_field
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import users_named
from games import errors
from games.models import Game
from games.moderation.access import log_read
from games.moderation.admin.actions import ActionForm, ObjectAction, ReasonForm, Text
from games.moderation.admin.large_tables import (
    CappedPaginator,
    PrefetchUsersChangeList,
    newest_of,
    parse_int_or_none,
)
from games.moderation.permissions import is_administrator, is_moderator

MOST_NAMED = 20
"""How many of the selected rows a confirmation names."""

FILTER_LOOKUPS = ("exact", "isempty", "isnull")
"""The lookups that Django's filters put into addresses."""

_ADDRESS = re.compile(r"""[^\s@<>()\[\]",;:]+@[^\s@<>()\[\]",;]+""")


def user_of(request: HttpRequest) -> User:
    """Return the signed-in user: nobody else comes into the admin."""
    return cast(User, request.user)


def sees_addresses(request: HttpRequest) -> bool:
    """Return whether the viewer may read mail addresses."""
    return is_administrator(user_of(request))


def mask_addresses(text: str) -> str:
    """Return a text in which only the first letter of each mail address is left."""
    return _ADDRESS.sub(lambda found: f"{found[0][0]}…@…", text)


class ModerationAdmin(admin.ModelAdmin):
    """A list of many rows, newest first, and the page of one.

    Each filter and search has an index. A list answers no other filter: an address like
    `?email__startswith=a` would tell, letter by letter, what the page does not show.

    What is listed must not have mail addresses in its `__str__`: titles, histories and suggestions
    show that to everybody.
    """

    is_read_only = True
    """Whether only the services write the rows."""

    # Large tables
    change_list_template = "admin/games/change_list.html"
    list_per_page = 50
    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by: ClassVar[Any] = ()
    ordering: ClassVar[Any] = ["-pk"]
    actions: Any = None
    prefetch_users: ClassVar[Any] = ()
    """The fields whose users are looked up together, once the rows of a page are known."""
    number_field = ""
    """The field in which a number that is searched for is looked up, if any."""
    user_field = ""
    """The field that names the user whose name is searched for by its beginning, if any."""

    # Mail addresses
    address_fields: ClassVar[tuple[str, ...]] = ()
    """The columns and fields in which addresses are masked for moderators."""
    search_help_without_addresses: ClassVar[Any] = ""
    """The help of the search field for moderators, if it differs."""

    # Actions on selected rows, and on one object
    retry_permission = ""
    """The permission for the list's actions that are declared with permissions=["retry"]."""
    object_actions: Sequence[ObjectAction] = ()
    page_template = ""
    """The template of an object's page; Django's form, read only, if it is empty."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return not self.is_read_only and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return not self.is_read_only and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return not self.is_read_only and super().has_delete_permission(request, obj)

    # The list ------------------------------------------------------------------------------------

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return PrefetchUsersChangeList

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        listed = super().get_changelist_instance(request)
        if self.search_help_without_addresses and not sees_addresses(request):
            listed.search_help_text = self.search_help_without_addresses
        return listed

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        title = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, title | (extra_context or {}))

    def get_list_display(self, request: HttpRequest) -> Any:
        return self._without_addresses(request, super().get_list_display(request))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the list's own actions: none deletes the selected rows."""
        actions: dict[str, Any] = super().get_actions(request)
        return {name: action for name, action in actions.items() if name != "delete_selected"}

    def lookup_allowed(self, lookup: str, value: Any, request: Any = None) -> bool:
        """Allow what the list's own filters ask, and nothing else."""
        filters = [
            each[0] if isinstance(each, tuple) else getattr(each, "parameter_name", each)
            for each in self.get_list_filter(request)
        ]
        field, _separator, how = lookup.rpartition("__")
        return lookup in filters or (how in FILTER_LOOKUPS and field in filters)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find rows by the number of a game, or by the beginning of a user's name."""
        if not search_term.strip() or not self.user_field:
            return super().get_search_results(request, queryset, search_term)
        number = parse_int_or_none(search_term)
        if number is not None and self.number_field:
            return queryset.filter(**{self.number_field: number}), False
        return self.about_users(queryset, users_named(search_term)), False

    def about_users(self, queryset: QuerySet, users: list[int]) -> QuerySet:
        """Return the newest thousand rows about any of these users."""
        return queryset.filter(pk__in=newest_of(self.model, self.user_field, users))

    def confirm_action(
        self,
        request: HttpRequest,
        chosen: QuerySet,
        service: Callable[[list[int], str], Text],
        *,
        title: Text,
        hint: Text,
    ) -> HttpResponse | None:
        """Ask for the reason of an action on selected rows, then do it.

        `service` gets their keys and the reason, and returns what to say. It may raise Refusal.
        """
        form = ReasonForm(request.POST if "confirmed" in request.POST else None)
        if form.is_valid():
            keys = list(chosen.values_list("pk", flat=True))
            self.run(request, lambda: service(keys, form.cleaned_data["why"]))
            return None
        return self.ask_reason(
            request,
            form,
            title=title,
            hint=hint,
            rows=[self.describe_row(request, row) for row in chosen[:MOST_NAMED]],
            keys=request.POST.getlist(ACTION_CHECKBOX_NAME),
            key_name=ACTION_CHECKBOX_NAME,
            action=request.POST.get("action", ""),
            back=request.get_full_path(),
        )

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return user_of(request).has_perm(self.retry_permission)

    def describe_row(self, request: HttpRequest, row: Any) -> str:
        """Return what a confirmation calls a selected row."""
        return str(row)

    # The page of one -----------------------------------------------------------------------------

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self._without_addresses(request, super().get_fields(request, obj))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        title = {"title": capfirst(self.opts.verbose_name)} if object_id else {}
        context = title | (extra_context or {})
        return super().changeform_view(request, object_id, form_url, context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show an object with the actions on it. Nothing can be sent to this page itself."""
        if not self.object_actions:
            return super().change_view(request, object_id, form_url, extra_context)
        if request.method not in ("GET", "HEAD") or not self.has_view_permission(request):
            raise PermissionDenied
        subject = self.get_subject(object_id)
        if subject is None:
            return self._get_obj_does_not_exist_redirect(  # type: ignore[attr-defined]
                request, self.opts, object_id
            )
        self.log_private_read(request, subject)
        actions = {"actions": self.available_actions(user_of(request), subject)}
        if not self.page_template:
            return super().change_view(request, object_id, form_url, actions)
        context = actions | self.page_context(request, subject)
        return self.render_page(request, subject, self.page_template, context)

    def get_subject(self, key: str) -> Any:
        """Return the object that the actions are about, None if there is no such object."""
        raise NotImplementedError

    def newest_entry(self, subject: Any) -> int:
        """Return the number of the newest log entry that the object's page shows, 0 for none."""
        return 0

    def title_of(self, subject: Any) -> str:
        return str(subject)

    def page_context(self, request: HttpRequest, subject: Any) -> dict[str, Any]:
        """Return what `page_template` shows besides the actions."""
        raise NotImplementedError

    def game_of(self, subject: Any) -> Game | None:
        """Return the game that the object's page shows something of, if any."""
        return None

    def log_private_read(self, request: HttpRequest, subject: Any) -> None:
        game = self.game_of(subject)
        if game is not None:
            log_read(game, by=user_of(request), page=request.path, now=server_now())

    def available_actions(self, viewer: User, subject: Any) -> list[dict[str, Any]]:
        """Return the actions that are possible now, each with its empty form and its address."""
        if not is_moderator(viewer):
            return []
        seen = {"seen": self.newest_entry(subject)}
        return [
            {
                "action": action,
                "form": action.form(subject, initial=seen, auto_id=f"{action.slug}_%s"),
                "url": reverse(f"admin:{self._url_name('do')}", args=[subject.pk, action.slug]),
            }
            for action in self.object_actions
            if action.is_available(subject, viewer)
        ]

    def render_page(
        self, request: HttpRequest, subject: Any, template: str, context: dict[str, Any]
    ) -> TemplateResponse:
        site = self.admin_site.each_context(request)
        title = {"opts": self.opts, "title": self.title_of(subject)}
        return TemplateResponse(request, template, site | title | context)

    def _url_name(self, what: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{what}"

    def _without_addresses(self, request: HttpRequest, names: Iterable[Any]) -> list[Any]:
        """Return columns or fields; for moderators those with addresses are masked."""

        def masked(name: str) -> Callable[[Model], str]:
            own: Callable[[Model], Any] = getattr(self, name, lambda row: getattr(row, name))

            @admin.display(description=str(label_for_field(name, self.model, self)))
            def shown(row: Model) -> str:
                return mask_addresses(str(own(row) or ""))

            shown.__name__ = name
            return shown

        if sees_addresses(request):
            return list(names)
        return [masked(name) if name in self.address_fields else name for name in names]

    # Actions -------------------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        urls: list[Any] = super().get_urls()
        if not self.object_actions:
            return urls
        view = self.admin_site.admin_view(self.action_view)
        return [path("<int:pk>/do/<slug:slug>/", view, name=self._url_name("do")), *urls]

    def action_view(self, request: HttpRequest, pk: int, slug: str) -> HttpResponse:
        """Ask for the form and a confirmation, then act. Nothing is done before that."""
        if not is_moderator(user_of(request)):
            raise PermissionDenied
        action = next((one for one in self.object_actions if one.slug == slug), None)
        subject = self.get_subject(str(pk))
        if action is None or subject is None:
            raise Http404
        self.log_private_read(request, subject)
        sent = request.POST if request.method == "POST" else None
        form: ActionForm = action.form(subject, sent, initial={"seen": self.newest_entry(subject)})
        back = reverse(f"admin:{self._url_name('change')}", args=[subject.pk])

        def act() -> Text | tuple[Text, bool]:
            arguments = {"by": user_of(request), "now": server_now()} | form.arguments()
            return action.message(action.service(subject, **arguments))

        if form.is_valid() and "confirmed" in request.POST:
            self.run(request, act)
            return redirect(back)
        context = {
            "subject": subject,
            "action": action,
            "form": form,
            "summary": list(form.summary()) if form.is_bound and form.is_valid() else None,
            "back": back,
        }
        return self.render_page(request, subject, "admin/games/object_action.html", context)

    def run(self, request: HttpRequest, act: Callable[[], Text | tuple[Text, bool]]) -> bool:
        """Call `act` and show its message, or the refusal; return whether it was done.

        `act` may return False beside its message, which is a warning then.
        """
        try:
            told = act()
        except errors.Refusal as refusal:
            self.show_refusal(request, refusal)
            return False
        message, is_good = told if isinstance(told, tuple) else (told, True)
        self.message_user(request, str(message), messages.SUCCESS if is_good else messages.WARNING)
        return True

    def show_refusal(self, request: HttpRequest, refusal: errors.Refusal) -> None:
        words = _("Nothing was done: %(why)s") % {"why": refusal.sentence}
        self.message_user(request, words, messages.ERROR)

    def ask_reason(
        self, request: HttpRequest, form: forms.Form, *, title: Text, hint: Text, **more: Any
    ) -> TemplateResponse:
        """Return a page with the form; nothing has been done yet."""
        site = self.admin_site.each_context(request)
        context = {"opts": self.opts, "title": title, "hint": hint, "form": form, **more}
        return TemplateResponse(request, "admin/games/reason.html", site | context)


class WrittenAdmin(ModerationAdmin):
    """A list of texts that administrators write in forms, with a reason, and moderators can read.

    Subclasses save through a service (`write`).
    """

    is_read_only = False
    new_title: Any = ""
    """The title of the form for a new text."""

    def write(self, obj: Any, given: dict[str, Any], *, is_new: bool) -> Model:
        """Save what was given, through a service; return what was saved. Raises Refusal."""
        raise NotImplementedError

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False  # they are taken away with a reason

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        return user_of(request).has_perm(f"games.delete_{self.opts.model_name}")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the form. Moderators can only read it, and give no reason."""
        writes = self.has_add_permission(request)
        return [name for name in self.fields or () if writes or name != "why"]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show or save the form. If the service refuses, its sentence is shown."""
        more: dict[str, Any] = {"show_delete": False, "show_save_and_add_another": False}
        if object_id is None:
            more["title"] = self.new_title
        try:
            return super().changeform_view(
                request, object_id, form_url, {**(extra_context or {}), **more}
            )
        except errors.Refusal as refusal:
            self.show_refusal(request, refusal)
            return redirect(reverse(f"admin:games_{self.opts.model_name}_changelist"))

    def save_model(
        self, request: HttpRequest, obj: Any, form: forms.ModelForm, change: bool
    ) -> None:
        """Save through the service. Raises Refusal."""
        given = dict(form.cleaned_data) | {"by": user_of(request), "now": server_now()}
        obj.pk = self.write(obj, given, is_new=not change).pk
