"""Every page of the admin that somebody can open, found in the admin site itself.

Lists come from the registry, filters from the lists, and addresses of a page's own from its
`get_urls`: what is added there cannot be forgotten here.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.urls import reverse

from accounts.models import User
from games.models import Game

Get = Callable[[str], Any]
"""Gets a page; returns Django's answer."""

_PEOPLE = ("P77x", "Player the 77th", "rare", "rare1", "prolific", "nobody")
_GAMES_AND_PEOPLE = ("#777", *_PEOPLE)

SEARCHES: Mapping[str, Sequence[str]] = {
    "account.EmailAddress": (*_PEOPLE, "p77x@", "nobody@"),
    "accounts.User": (*_PEOPLE, "p77x@", "nobody@"),
    "auth.Group": ("Hosts",),
    "games.ModerationLogEntry": ("#777", "rare15", "rare", "rare1", "nobody"),
    "games.Event": _GAMES_AND_PEOPLE,
    "games.Game": _GAMES_AND_PEOPLE,
    "games.Entrant": _GAMES_AND_PEOPLE,
    "games.LadderChallenge": _GAMES_AND_PEOPLE,
    "games.LadderPlace": _PEOPLE,
    "games.LeagueGame": _GAMES_AND_PEOPLE,
    "games.Message": _GAMES_AND_PEOPLE,
    "games.Rating": _PEOPLE,
    "games.Report": _GAMES_AND_PEOPLE,
    "games.SeasonEntry": _PEOPLE,
    "games.Tournament": _GAMES_AND_PEOPLE,
    "games.TournamentGame": _GAMES_AND_PEOPLE,
    "games.Wish": _PEOPLE,
    "mfa.Authenticator": _PEOPLE,
    "notifications.AddressState": ("back99@example.org", "nobody@example.org"),
    "notifications.IncomingMail": (*_PEOPLE, "p77x@example.org"),
    "notifications.MailPreference": _PEOPLE,
    "notifications.Notice": (*_GAMES_AND_PEOPLE, "p77x@example.org", "filled-77@example.org"),
    "usersessions.UserSession": (*_PEOPLE, "10.0.0.77"),
}
"""What is searched for in each list that has a field for it."""


def pages(get: Get, most_choices: int, but: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield name and address of each page that whoever gets them may open.

    Of a filter by one field, which one index serves, so many choices are taken. Of the models
    whose labels are in `but` there are none.
    """
    yield "admin", reverse("admin:index")
    for model_admin in admin.site._registry.values():
        if model_admin.opts.label in but:
            continue
        path = reverse(f"admin:{_prefix(model_admin)}_changelist")
        answer = get(path)
        if answer.status_code == 403:
            continue
        yield from _of_list(model_admin, path, answer.context_data["cl"], most_choices)
        yield from _addresses(get, model_admin, answer.context_data["cl"].result_list[0])
    yield from _of_who_has_most()


def _of_list(
    model_admin: admin.ModelAdmin, path: str, listed: Any, most_choices: int
) -> Iterator[tuple[str, str]]:
    """Yield a list, its last full page, what each choice of its filters shows, and its searches."""
    label = model_admin.opts.label
    yield label, path
    yield f"{label}, last full page", f"{path}?p={max(1, listed.paginator.num_pages - 1)}"
    for one in listed.filter_specs:
        choices = [choice["query_string"] for choice in one.choices(listed)]
        asked = [query for query in choices if query != "?"]  # that is the list itself
        if isinstance(one, admin.FieldListFilter):
            asked = asked[:1] + asked[1:][1 - most_choices :]
        for query in asked:
            yield f"{label} {query}", path + query
    if listed.search_fields:
        for words in SEARCHES[label]:
            typed = words.replace("#", "%23").replace(" ", "+").replace("@", "%40")
            yield f"{label}: {words}", f"{path}?q={typed}"


def _addresses(get: Get, model_admin: admin.ModelAdmin, row: Any) -> Iterator[tuple[str, str]]:
    """Yield every other address of an admin that shows a page, about a row where one is named."""
    for pattern in model_admin.get_urls():
        name = pattern.name
        if name is None or name.endswith("_changelist"):
            continue
        for filled in _filled(get, model_admin, set(pattern.pattern.converters), row):
            path = reverse(f"admin:{name}", kwargs=filled)
            if get(path).status_code == 200:
                yield f"{name} {filled.get('slug', '')}".strip(), path


def _filled(
    get: Get, model_admin: admin.ModelAdmin, blanks: set[str], row: Any
) -> Iterator[dict[str, Any]]:
    """Yield what an address is completed by: a row's key, and the name of each act on offer."""
    about = dict.fromkeys(blanks - {"slug"}, row.pk)
    if "slug" not in blanks:
        yield about
        return
    page = get(reverse(f"admin:{_prefix(model_admin)}_change", args=[row.pk]))
    for offered in page.context_data["actions"]:
        yield about | {"slug": offered["action"].slug}


def _prefix(model_admin: admin.ModelAdmin) -> str:
    return f"{model_admin.opts.app_label}_{model_admin.opts.model_name}"


def _of_who_has_most() -> Iterator[tuple[str, str]]:
    """Yield the pages of who plays most, and of the game of which there is most to tell."""
    prolific, named = User.objects.get(username="prolific"), User.objects.get(username="rare15")
    for person in (prolific, named):
        yield f"page of {person.username}", reverse("admin:accounts_user_change", args=[person.pk])
    newest = Game.objects.order_by("pk").last()
    assert newest is not None
    path = reverse("admin:games_game_change", args=[newest.pk])
    yield "game, turn 3", f"{path}?turn=3"
    yield "game, older history", f"{path}?before=1793000000000000-0-1"
