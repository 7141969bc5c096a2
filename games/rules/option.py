"""What can be chosen when a table is made, declared as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.errors import N_, OptionError

OptionValue = str | int | bool | None
Options = Mapping[str, OptionValue]

_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen when a table is made; forms and checks are built from it.

    Exactly one shape: `choices` (value, label), a range `minimum`..`maximum` (with `default` None
    the option may be left off), or a yes/no (`default` is a bool). `only_with` is the key of an
    earlier option and the value without which this one means nothing: it is not offered then, and
    has its default.
    """

    key: str
    label: str
    default: OptionValue
    choices: tuple[tuple[str, str], ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    help: str = ""
    only_with: tuple[str, OptionValue] | None = None

    def applies(self, options: Options) -> bool:
        """Tell whether the option means anything with these other choices."""
        if self.only_with is None:
            return True
        key, value = self.only_with
        return options.get(key) == value

    def read(self, given: object) -> OptionValue:
        """Return the value that `given`, a typed value or its text, means. Raises OptionError."""
        text = str(given).strip()
        value: OptionValue
        if self.choices:
            value = next((choice for choice, _ in self.choices if choice == given), None)
        elif isinstance(self.default, bool):
            value = _YES_NO.get(text.lower())
        elif self.default is None and (given is None or text in ("", "None")):
            return None
        else:
            low, high = self.minimum or 0, self.maximum or 0
            is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
            if not is_number or not low <= int(text) <= high:
                raise OptionError(
                    N_("“%(option)s” takes a number from %(low)s to %(high)s, not “%(value)s”."),
                    option=self.key,
                    low=low,
                    high=high,
                    value=text[:80],
                )
            return int(text)
        if value is None:
            raise OptionError(
                N_("“%(value)s” is not a value of “%(option)s”."),
                value=str(given)[:80],
                option=self.key,
            )
        return value


_YES_NO = {"true": True, "1": True, "yes": True, "on": True} | {
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}
