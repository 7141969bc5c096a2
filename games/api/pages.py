"""Pages about the API, for people: the reference, and what each refusal means."""

import re
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games import planning_errors  # noqa: F401  (its refusals are to be known)
from games.api.api import api
from games.api.problems import title_of
from games.errors import Refusal
from games.queries.legal_turns import legal_turns
from games.rules.registry import all_rules


def refusals() -> dict[str, type[Refusal]]:
    """Return every refusal of games and the API by its code, in alphabetical order."""
    found: dict[str, type[Refusal]] = {}
    waiting = [Refusal]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__module__.startswith("games.") and kind.__name__ != "ApiRefusal":
                found[kind.__name__] = kind
    return dict(sorted(found.items()))


def _explained(kind: type[Refusal]) -> dict[str, Any]:
    """Return what the page says of a refusal; names in the sentence stand for its values."""
    own = {"MoveRefused", "BadOption"}  # their sentences come from the rules of the game
    sentence = "" if kind.__name__ in own else gettext(kind.text)
    return {
        "code": kind.__name__,
        "status": kind.status,
        "phrase": HTTPStatus(kind.status).phrase,
        "title": title_of(kind.status),
        "sentence": re.sub(r"%\((\w+)\)[sd]", r"‹\1›", sentence).replace("%%", "%"),
    }


@require_safe
def error(request: HttpRequest, code: str) -> HttpResponse:
    """Explain one refusal: the address is the `type` of problems."""
    kind = refusals().get(code)
    if kind is None:
        raise Http404
    return render(request, "games/api_error.html", {"refusal": _explained(kind)})


@require_safe
def all_errors(request: HttpRequest) -> HttpResponse:
    """List every refusal."""
    context = {"refusals": [_explained(kind) for kind in refusals().values()]}
    return render(request, "games/api_errors.html", context)


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show the OpenAPI document as a page, without any script."""
    document = api.get_openapi_schema()
    schemas = document["components"]["schemas"]
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            body = operation.get("requestBody", {}).get("content", {})
            groups.setdefault(operation["tags"][0], []).append(
                {
                    "method": method.upper(),
                    "path": path,
                    "what": _as_html(operation["description"].partition("\n")[0]),
                    "description": _paragraphs(operation["description"].partition("\n")[2]),
                    "scope": operation.get("x-scope", ""),
                    "parameters": operation["parameters"],
                    "body": _name_of(body.get("application/json", {}).get("schema", {})),
                    "answer": _answer_of(operation),
                }
            )
    shapes = [
        {
            "name": name,
            "description": _paragraphs(schema.get("description", "")),
            "members": [
                {
                    "name": member,
                    "type": _type_of(details),
                    "is_required": member in schema.get("required", []),
                    "description": _as_html(details.get("description", "")),
                }
                for member, details in schema.get("properties", {}).items()
            ],
        }
        for name, schema in sorted(schemas.items())
    ]
    rules = all_rules()[0]
    start = rules.initial(rules.check_options({}))
    context = {
        "example": {"game": rules.slug, "turn": legal_turns(rules, start).turns[0]},
        "groups": groups,
        "shapes": shapes,
        "version": document["info"]["version"],
        "site": settings.SITE_URL,
    }
    return render(request, "games/api_reference.html", context)


def _paragraphs(text: str) -> list[SafeString]:
    """Return the paragraphs of a docstring, whose lines end where the source was full."""
    return [_as_html(" ".join(part.split())) for part in text.strip().split("\n\n") if part]


def _as_html(text: str) -> SafeString:
    """Return a text as HTML, in which words between backticks are code."""
    return SafeString(re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))


def _answer_of(operation: dict[str, Any]) -> str:
    content = operation["responses"][200].get("content", {})
    return _name_of(content.get("application/json", {}).get("schema", {}))


def _name_of(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _type_of(schema: dict[str, Any]) -> str:
    """Return a JSON schema in a few words: "array of Seat", "integer or null"."""
    if name := _name_of(schema):
        return name
    if "anyOf" in schema:
        return " or ".join(_type_of(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(one) or '""' for one in schema["enum"])
    if schema.get("type") == "array":
        return f"array of {_type_of(schema.get('items', {}))}"
    if schema.get("format"):
        return f"{schema['type']} ({schema['format']})"
    return str(schema.get("type", "any"))
