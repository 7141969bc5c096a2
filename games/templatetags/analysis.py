"""The tree of an analysis in templates."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.models import AnalysisNode
from games.queries.analysis import AnalysedTurn, AnalysisTree

register = template.Library()


@register.simple_tag
def draw_tree(tree: AnalysisTree, shown: AnalysisNode | None) -> SafeString:
    """Return the variations of an analysis as nested lists of links; `shown` is marked.

    The first turn that was added at a position continues its line, the others begin lines of their
    own. Without recursion: hundreds of lines may be nested.
    """
    children = tree.children()
    address = reverse("analysis_node", args=[tree.game.pk, 0]).removesuffix("0/")
    out: list[str] = []
    todo: list[str | int] = ["</ol>", tree.root.pk if tree.root else 0, '<ol class="variation">']
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        if item not in children:
            continue
        first, *others = children[item]
        links = {turn.node.pk: _link(turn, address, shown) for turn in (first, *others)}
        parts: list[str | int] = [f"<li>{links[first.node.pk]}"]
        if others:
            parts.append('<ul class="variations">')
            for other in others:
                parts += ['<li><ol class="variation">', f"<li>{links[other.node.pk]}</li>"]
                parts += [other.node.pk, "</ol></li>"]
            parts.append("</ul>")
        todo += reversed([*parts, "</li>", first.node.pk])
    return mark_safe("".join(out))  # noqa: S308  (its parts are made by format_html)


def _link(turn: AnalysedTurn, address: str, shown: AnalysisNode | None) -> SafeString:
    """Return the link to a turn's position; its words are its title, which readers hear too."""
    note = ""
    if turn.node.note:
        mark = '<span aria-hidden="true" class="note-mark">✎</span>'
        mark += '<span class="visually-hidden"> {}</span>'
        note = format_html(mark, gettext("with a note"))
    return format_html(
        '<a class="notation side-{}" href="{}{}/" title="{}"{}>'
        '<span class="variation-number">{}.</span> {}{}</a>',
        turn.seat,
        address,
        turn.node.pk,
        turn.words[:1].upper() + turn.words[1:] + ".",
        mark_safe(' aria-current="true"') if shown == turn.node else "",
        turn.number,
        turn.node.notation,
        note,
    )
