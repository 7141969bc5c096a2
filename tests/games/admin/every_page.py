"""Every page of the admin, found in the admin site: lists, searches, objects, questions."""

from itertools import chain

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import ForeignKey
from django.urls import reverse

MOST_ROWS = 4
"""Of how many rows of a model the history and the like are looked at; of all the page itself."""


def every_page(client, terms):
    """Yield (what, answer) of every page that the signed-in user can ask for.

    `terms` are the words that are searched for in each list.
    """
    yield "index", client.get(reverse("admin:index"))
    for label in ("accounts", "games", "notifications", "auth", "account", "mfa", "usersessions"):
        yield f"index of {label}", client.get(reverse("admin:app_list", args=[label]))
    yield "jsi18n", client.get(reverse("admin:jsi18n"))
    for model_admin in admin.site._registry.values():
        label = model_admin.opts.label
        for what, answer in chain(_list(client, model_admin, terms), _rows(client, model_admin)):
            yield f"{label} {what}", answer
    yield from _suggestions(client, terms)


def list_of(model_admin):
    """Return the address of a list."""
    return reverse(f"admin:{_prefix(model_admin)}_changelist")


def orders(model_admin):
    """Return what asks for a list by each of its columns, upwards and downwards."""
    columns = range(1, len(model_admin.list_display) + 1)
    return [f"o={sign}{column}" for column in columns for sign in ("", "-")]


def _prefix(model_admin):
    return f"{model_admin.opts.app_label}_{model_admin.opts.model_name}"


def _list(client, model_admin, terms):
    path = list_of(model_admin)
    answer = client.get(path)
    yield "", answer
    if answer.status_code != 200:
        return
    listed = answer.context_data["cl"]
    queries = [
        choice["query_string"] for one in listed.filter_specs for choice in one.choices(listed)
    ]
    queries += ["?all=", "?p=2", "?e=1", "?_popup=1", "?_facets=True", "?_to_field=id"]
    for query in queries:
        yield query, client.get(path + query)
    for words in terms:
        yield f"q={words}", client.get(path, {"q": words})
    keys = [row.pk for row in listed.result_list]
    for name in model_admin.get_actions(answer.wsgi_request):
        sent = {"action": name, ACTION_CHECKBOX_NAME: keys}
        yield f"asked to {name}", client.post(path, sent)


def _rows(client, model_admin):
    """Yield the pages about each row, and those about none."""
    rows = list(model_admin.model._default_manager.all())
    for pattern in model_admin.get_urls():
        name, blanks = pattern.name, set(pattern.pattern.converters)
        if name is None or name.endswith("_changelist"):
            continue
        if not blanks:
            yield name, client.get(reverse(f"admin:{name}"))
            continue
        for row in rows if name.endswith("_change") else rows[-MOST_ROWS:]:
            for filled in _filled(model_admin, blanks, row):
                path = reverse(f"admin:{name}", kwargs=filled)
                yield f"{name} {filled}", client.get(path)
                if "slug" in filled:
                    yield f"{name} {filled}, sent", client.post(path, {})


def _filled(model_admin, blanks, row):
    about = dict.fromkeys(blanks - {"slug"}, row.pk)
    if "slug" not in blanks:
        return [about]
    return [about | {"slug": ask.slug} for ask in model_admin.object_actions]


def _suggestions(client, terms):
    """Yield what is suggested for each field that names rows of a list."""
    path = reverse("admin:autocomplete")
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if not isinstance(field, ForeignKey):
                continue
            asked = {"app_label": model._meta.app_label, "model_name": model._meta.model_name}
            for words in ("", *terms[-1:], *terms[:1]):
                answer = client.get(path, asked | {"field_name": field.name, "term": words})
                yield f"suggested for {model._meta.label}.{field.name}: {words}", answer


def address_lookups(model_admin):
    """Return how a list could be asked about addresses, by columns and by what they name."""
    found = []
    for field in model_admin.model._meta.get_fields():
        found += _about_address(field, "")
        if isinstance(field, ForeignKey):
            for further in field.related_model._meta.get_fields():
                found += _about_address(further, f"{field.name}__")
    return found


ADDRESSES = {"email", "address", "sender", "envelope_from", "diagnostic", "error"}


def _about_address(field, before):
    return [f"{before}{field.name}"] if field.name in ADDRESSES else []
