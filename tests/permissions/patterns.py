"""Every pattern of the URL resolver, by the name that its row in the table has."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, get_resolver


def patterns(urlconf: Any = None) -> Iterator[str]:
    """Yield the name of each pattern, with its namespace; its route where it has no name."""
    yield from _inside(get_resolver(urlconf), "", "")


def _inside(resolver: Any, space: str, route: str) -> Iterator[str]:
    for each in resolver.url_patterns:
        whole = route + str(each.pattern)
        if isinstance(each, URLPattern):
            yield f"{space}{each.name}" if each.name else whole
        else:
            inner = f"{each.namespace}:" if each.namespace else ""
            yield from _inside(each, space + inner, whole)
