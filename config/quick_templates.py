"""Templates whose variables are found and shown with less work: the same result as Django's.

A page of a game looks four hundred variables up. Django first tries each name as a key, which
raises an error at every object, and each missing name is also described for a log.
"""

from typing import Any

from django.conf import settings
from django.template import Context, Engine, Template, TemplateDoesNotExist, VariableDoesNotExist
from django.template.base import (
    FilterExpression,
    Lexer,
    Node,
    NodeList,
    Parser,
    Token,
    Variable,
    VariableNode,
    render_value_in_context,
)
from django.template.loaders import base, cached
from django.utils.html import escape
from django.utils.safestring import SafeString

_MISSING = object()


class QuickVariable(Variable):
    """A variable by its name, such as `game.pk`. Django itself finds what is unusual."""

    def find(self, context: Context) -> Any:
        """Return the value, or _MISSING."""
        first, *names = self.lookups or ()
        for scope in reversed(context.dicts):
            if first in scope:
                value = scope[first]
                break
        else:
            return _MISSING  # nothing else is found in a context
        for name in names:
            kind = type(value)
            try:
                if kind is dict:
                    value = value[name]
                elif hasattr(kind, "__getitem__") or callable(value):
                    return self._find_slowly(context)
                else:
                    value = getattr(value, name)
            except Exception:  # Django decides what it means, and may raise it again
                return self._find_slowly(context)
        return self._find_slowly(context) if callable(value) else value

    def _find_slowly(self, context: Context) -> Any:
        try:
            return super()._resolve_lookup(context)  # type: ignore[misc]
        except VariableDoesNotExist:
            return _MISSING

    def _resolve_lookup(self, context: Context) -> Any:
        value = self.find(context)
        if value is _MISSING:
            raise VariableDoesNotExist("Failed lookup for key [%s] in %r", (self.var, context))
        return value


class QuickExpression(FilterExpression):
    """A variable with filters, or without."""

    def __init__(self, token: str, parser: Parser) -> None:
        super().__init__(token, parser)
        if isinstance(self.var, Variable) and self.var.lookups and not self.var.translate:
            self.var = QuickVariable(self.var.var)
        self.is_plain = isinstance(self.var, QuickVariable) and not self.filters

    def resolve(self, context: Context, ignore_failures: bool = False) -> Any:
        if not self.is_plain or self.var.translate:  # which {% translate %} sets later
            return super().resolve(context, ignore_failures)
        value = self.var.find(context)
        if value is not _MISSING:
            return value
        if ignore_failures:
            return None
        assert context.template is not None  # noqa: S101  (the one that is rendered)
        invalid = context.template.engine.string_if_invalid
        return invalid % self.var if "%s" in invalid else invalid


class QuickVariableNode(VariableNode):
    """Shows a text or a whole number as it is; all else as Django does."""

    def render(self, context: Context) -> str:
        return render_value(self.filter_expression.resolve(context), context)


def render_value(value: Any, context: Context) -> str:
    """Return what render_value_in_context does."""
    kind = type(value)
    if kind is SafeString:
        return value
    if kind is str:
        return escape(value) if context.autoescape else value
    if kind is int and not settings.USE_THOUSAND_SEPARATOR:
        return str(value)
    return render_value_in_context(value, context)


class QuickParser(Parser):
    """Parses templates into what is above."""

    def compile_filter(self, token: str) -> FilterExpression:
        return QuickExpression(token, self)

    def extend_nodelist(self, nodelist: NodeList, node: Node, token: Token) -> None:
        if type(node) is VariableNode:
            node = QuickVariableNode(node.filter_expression)
        super().extend_nodelist(nodelist, node, token)


class QuickTemplate(Template):
    """A template; Django's own while it is debugged, which shows where an error is."""

    def compile_nodelist(self) -> NodeList:
        if self.engine.debug:
            return super().compile_nodelist()
        libraries, builtins = self.engine.template_libraries, self.engine.template_builtins
        tokens = Lexer(self.source).tokenize()
        return QuickParser(tokens, libraries, builtins, self.origin).parse()


class _QuickLoader(base.Loader):
    def get_template(self, template_name: str, skip: Any = None) -> Template:
        tried = []
        for origin in self.get_template_sources(template_name):
            if skip is not None and origin in skip:
                tried.append((origin, "Skipped to avoid recursion"))
                continue
            try:
                contents = self.get_contents(origin)  # type: ignore[attr-defined]
            except TemplateDoesNotExist:
                tried.append((origin, "Source does not exist"))
                continue
            return QuickTemplate(contents, origin, template_name, self.engine)
        raise TemplateDoesNotExist(template_name, tried=tried)


class Loader(cached.Loader, _QuickLoader):
    """Finds templates as Django does with APP_DIRS, and keeps them."""

    def __init__(self, engine: Engine) -> None:
        folders = ("filesystem", "app_directories")
        super().__init__(engine, [f"django.template.loaders.{name}.Loader" for name in folders])
