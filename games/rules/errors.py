"""Sentences for people that can be translated later, and the errors that carry them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

_SHOWN = 40


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for "translate later")
    """Mark a string for translation without translating it: the rules do not know languages."""
    return text


@dataclass(frozen=True, slots=True)
class TranslatableText:
    """A sentence that can be translated later: an English template and its values.

    A value may be a TranslatableText itself (a part such as "in the centre"): it is translated
    too.
    """

    template: str
    values: Mapping[str, str | int | TranslatableText] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template % self.values

    def translated(self, gettext: Callable[[str], str]) -> str:
        """Return the sentence in the language of `gettext`."""
        return gettext(self.template) % {
            key: value.translated(gettext) if isinstance(value, TranslatableText) else value
            for key, value in self.values.items()
        }


class RulesError(Exception):
    """Anything that the rules refuse; `sentence` is the reason, for a person."""

    def __init__(self, template: str, **values: str | int | TranslatableText) -> None:
        self.sentence = TranslatableText(template, values)
        super().__init__(str(self.sentence))


class OptionError(RulesError):
    """An option that the game does not have, or a value that it does not take."""


class BadPosition(RulesError):
    """A text that is not exactly a dumped position of this game."""


class BadRecord(RulesError):
    """A list of turns that the rules cannot follow from the start."""


class MoveError(RulesError):
    """An action or a turn that is refused. `legal` has notations if they are few and not secret."""

    kind: ClassVar[str]

    def __init__(self, template: str, **values: str | int | TranslatableText) -> None:
        super().__init__(template, **values)
        self.legal: tuple[str, ...] = ()


class InvalidMoveError(MoveError):
    """The text is no notation of this game."""

    kind = "unreadable"


class IllegalMoveError(MoveError):
    """The text is notation, but nothing that the rules allow here."""

    kind = "illegal"


class AmbiguousMoveError(MoveError):
    """The text could mean more than one legal action."""

    kind = "ambiguous"


def shown(text: str) -> str:
    """Return a text that somebody typed, cut and made printable, to be quoted in a sentence."""
    clean = "".join(char if char.isprintable() else " " for char in text[: _SHOWN + 1]).strip()
    return clean[:_SHOWN] + "…" if len(clean) > _SHOWN else clean
