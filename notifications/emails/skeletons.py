"""The bodies of letters, filled into what the templates gave for another letter of the same form.

Two letters of one form differ only in some texts: names, times, addresses, the board in words. The
templates are rendered, and their styles inlined, once a form, with a mark in the place of each
text. A letter whose texts cannot be filled in so is rendered by itself.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeData
from django.utils.translation import get_language

from notifications.emails.base import inline_css

MOST_FORMS = 400
"""How many forms a process remembers, of some 15 kB: the kinds of mails, times what they can say,
times languages. The day is part of a form."""

_NOT_SHOWN = frozenset({"board", "newest_message"})
"""What the context of a letter has and its templates do not read."""

_IN_TEXT = {ord("&"): "&amp;", 0xA0: "&nbsp;", ord("<"): "&lt;", ord(">"): "&gt;"}
_IN_QUOTES = {ord("&"): "&amp;", 0xA0: "&nbsp;", ord('"'): "&quot;"}
"""What the HTML standard escapes where a page is written out (13.3)."""

_MARK = re.compile("\ue000([0-9]+)\ue001")
_SPECIAL = re.compile("[\\0-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that HTML reads in another way, and ends of lines, which become elements."""


class Constant(NamedTuple):
    """A value that is part of the form. Its type too: True and 1 look different."""

    kind: type
    value: object


class Fields(NamedTuple):
    """The form of a mapping."""

    items: tuple[tuple[str, Any], ...]


class Skeleton(NamedTuple):
    """What lies between the texts, one more than there are texts, and which text is where.

    `quoted` tells of each whether it is in the value of an attribute, where it is HTML.
    """

    between: tuple[str, ...]
    places: tuple[int, ...]
    quoted: tuple[bool, ...]


class NoForm(Exception):
    """A letter says something that is no text, number or list of them."""


def letter_bodies(template: str, context: Mapping[str, Any]) -> tuple[str, str]:
    """Return the text and the HTML that a letter's templates give, in the active language and zone.

    `template` is named without its suffix.
    """
    shown = {name: value for name, value in context.items() if name not in _NOT_SHOWN}
    shown["number"] = str(shown.get("number", ""))
    texts: list[str] = []
    try:
        form = form_of(shown, texts)
        plain, page = skeletons(template, get_language(), form)
    except NoForm:
        return rendered_bodies(template, context)
    if any(_SPECIAL.search(texts[place]) for place in page.places):
        return rendered_bodies(template, context)
    return filled_text(plain, texts), filled_page(page, texts)


def rendered_bodies(template: str, context: Mapping[str, Any]) -> tuple[str, str]:
    """Return the text and the HTML that a letter's templates give, rendered for it."""
    html = render_to_string(f"{template}.html", dict(context))
    return render_to_string(f"{template}.txt", dict(context)), inline_css(html)


def form_of(value: object, texts: list[str]) -> Any:
    """Return the form of a value, which can be hashed; its texts are added to `texts`.

    The form of a text is `str`. Raises NoForm.
    """
    if isinstance(value, str):
        if isinstance(value, SafeData):
            raise NoForm
        if not value:
            return ""
        texts.append(value)
        return str
    if isinstance(value, list | tuple):
        return tuple([form_of(one, texts) for one in value])
    if isinstance(value, dict):
        return Fields(tuple([(name, form_of(one, texts)) for name, one in value.items()]))
    if value is None or isinstance(value, bool | int):
        return Constant(type(value), value)
    if isinstance(value, datetime):
        return Constant(date, timezone.localdate(value))  # a letter's postmark shows no time
    raise NoForm


@lru_cache(MOST_FORMS)
def skeletons(template: str, language: str, form: Fields) -> tuple[Skeleton, Skeleton]:
    """Return the skeletons of a letter's text and HTML in the active language, `language`."""
    marked = with_marks(form, count())
    plain = render_to_string(f"{template}.txt", marked)
    page = inline_css(render_to_string(f"{template}.html", marked))
    return skeleton_of(plain), skeleton_of(page)


def with_marks(form: Any, numbers: "count[int]") -> Any:
    """Return a value of a form, with the marks of the numbers as its texts."""
    if form is str:
        return f"\ue000{next(numbers)}\ue001"
    if isinstance(form, Fields):
        return {name: with_marks(one, numbers) for name, one in form.items}
    if isinstance(form, Constant):
        return form.value
    return form if form == "" else [with_marks(one, numbers) for one in form]


def skeleton_of(rendered: str) -> Skeleton:
    """Return the skeleton of what a template gave for marks."""
    pieces = _MARK.split(rendered)
    starts = [mark.start() for mark in _MARK.finditer(rendered)]
    # With marks for texts no text has a "<" or ">" of its own.
    quoted = [rendered.rfind("<", 0, at) > rendered.rfind(">", 0, at) for at in starts]
    return Skeleton(tuple(pieces[::2]), tuple(map(int, pieces[1::2])), tuple(quoted))


def filled_text(skeleton: Skeleton, texts: Sequence[str]) -> str:
    """Return a skeleton with texts in their places."""
    pieces = [*skeleton.between, *skeleton.between[1:]]
    pieces[::2] = skeleton.between
    pieces[1::2] = [texts[place] for place in skeleton.places]
    return "".join(pieces)


def filled_page(skeleton: Skeleton, texts: Sequence[str]) -> str:
    """Return a skeleton of HTML with texts in their places, written as the inliner writes them."""
    written = [
        texts[place].translate(_IN_QUOTES if is_quoted else _IN_TEXT)
        for place, is_quoted in zip(skeleton.places, skeleton.quoted, strict=True)
    ]
    return filled_text(skeleton._replace(places=tuple(range(len(written)))), written)
