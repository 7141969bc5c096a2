"""Django's template tags of which a page has many: the same result for less work.

A page of a game has a hundred fixed sentences, thirty paths, forty parts and a dozen forms. The
settings put these tags in the place of Django's in all templates.
"""

from collections.abc import Callable
from typing import Any

from django.template import Context, Library, Template
from django.template.base import FilterExpression, Parser, Token
from django.template.defaulttags import CsrfTokenNode, URLNode, url
from django.template.loader_tags import IncludeNode, do_include
from django.templatetags import i18n
from django.urls import NoReverseMatch, get_script_prefix
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from accounts.paths import path_below
from config.quick_templates import render_value

register = Library()
register.tags |= i18n.register.tags
del register.tags["language"]  # a page has one language
register.filters |= i18n.register.filters


def _once(context: Context, find: Callable[[], Any]) -> Any:
    """Return what `find` returns, which stays the same for the whole page; ask it once."""
    kept: dict[Any, Any] = context.render_context.dicts[1]  # until the outermost is rendered
    try:
        return kept[find]
    except KeyError:
        found = kept[find] = find()
        return found


def _is_text(expression: FilterExpression) -> bool:
    """Tell whether an expression is a text in quotation marks, without filters."""
    return isinstance(expression.var, str) and not expression.filters


class FixedSentenceNode(i18n.TranslateNode):
    """Translates a sentence without variables once for each language."""

    def __init__(self, node: i18n.TranslateNode) -> None:
        super().__init__(node.filter_expression, node.noop, None, node.message_context)
        self.target: str | None = node.asvar
        self.translated: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        language = _once(context, get_language)
        words = self.translated.get(language)
        if words is None:
            words = self.translated[language] = super().render(context)
        if self.target is None:
            return words
        context[self.target] = words
        return ""


@register.tag("translate")
@register.tag("trans")
def translate(parser: Parser, token: Token) -> i18n.TranslateNode:
    node = i18n.do_translate(parser, token)
    sentence, context = node.filter_expression, node.message_context
    is_fixed = sentence.var.literal is not None and not sentence.filters
    return FixedSentenceNode(node) if is_fixed and (not context or _is_text(context)) else node


class PathNode(URLNode):
    """Makes the path of a page from its remembered pattern."""

    def render(self, context: Context) -> str:
        prefix = _once(context, get_script_prefix)
        args = [arg.resolve(context) for arg in self.args]
        try:
            path = path_below(prefix, self.view_name.var, *args)
        except NoReverseMatch:
            if self.asvar is None:
                raise
            path = ""
        if self.asvar is not None:
            context[self.asvar] = path
            return ""
        # `reverse` has quoted everything else that is special in HTML.
        is_safe = "&" not in path and "'" not in path
        return path if is_safe or not context.autoescape else conditional_escape(path)


class PhraseNode(i18n.BlockTranslateNode):
    """Translates a sentence with variables, which is found once for each language."""

    def __init__(self, node: i18n.BlockTranslateNode) -> None:
        vars(self).update(vars(node))
        self.sentence, self.names = self.render_token_list(self.singular)
        self.translated: dict[str | None, str] = {}

    def render(self, context: Context, nested: bool = False) -> str:
        language = _once(context, get_language)
        words = self.translated.get(language)
        if words is None:
            words = self.translated[language] = gettext(self.sentence)
        own = {name: value.resolve(context) for name, value in self.extra_context.items()}
        try:
            values = {
                name: render_value(own[name] if name in own else context[name], context)
                for name in self.names
            }
            return words % values
        except (KeyError, ValueError):  # a variable or the translation is not there
            return super().render(context, nested)


@register.tag("blocktranslate")
@register.tag("blocktrans")
def blocktranslate(parser: Parser, token: Token) -> i18n.BlockTranslateNode:
    """Return a PhraseNode; Django's node where there is a plural, a context or a target."""
    node = i18n.do_block_translate(parser, token)
    is_plain = not node.plural and not node.message_context and node.asvar is None
    return PhraseNode(node) if is_plain else node


@register.tag("url")
def quick_url(parser: Parser, token: Token) -> URLNode:
    """Return a PathNode; Django's node where names have a namespace, or arguments have names."""
    node = url(parser, token)
    is_plain = _is_text(node.view_name) and ":" not in node.view_name.var
    if not is_plain or node.kwargs:
        return node
    return PathNode(node.view_name, node.args, {}, node.asvar)


class PartNode(IncludeNode):
    """Includes the template that it found the first time, for as long as this one is kept."""

    found: Template | None = None

    def render(self, context: Context) -> SafeString:
        if self.found is None:
            assert context.template is not None  # noqa: S101  (the one that includes)
            self.found = context.template.engine.get_template(self.template.var)
        values = {name: value.resolve(context) for name, value in self.extra_context.items()}
        with context.push(values):
            return self.found.render(context)


@register.tag("include")
def include(parser: Parser, token: Token) -> IncludeNode:
    node = do_include(parser, token)
    if not _is_text(node.template) or node.isolated_context:
        return node
    return PartNode(node.template, extra_context=node.extra_context)


class FormTokenNode(CsrfTokenNode):
    """Makes the field with the token of forms once for a page."""

    KEY = "pli.form_token"

    def render(self, context: Context) -> str:
        kept: dict[Any, str] = context.render_context.dicts[0]
        if not kept.get(self.KEY):
            kept[self.KEY] = super().render(context)
        return kept[self.KEY]


@register.tag
def csrf_token(parser: Parser, token: Token) -> FormTokenNode:
    return FormTokenNode()
