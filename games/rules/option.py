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
        """Tell whether the option means anything with what else is chosen."""
        if self.only_with is None:
            return True
        key, value = self.only_with
        return options.get(key) == value

    def read(self, given: object) -> OptionValue:
        """Return the value that `given` (a typed value or a text of one) stands for.

        Raises OptionError when the option does not take it.
        """
        value: OptionValue
        if self.choices:
            value = self._read_choice(given)
        elif isinstance(self.default, bool):
            value = _YES_NO.get(str(given).strip().lower())
        else:
            return self._read_number(given)
        if value is None:
            raise OptionError(
                N_("“%(value)s” is not a value of “%(option)s”."),
                value=str(given)[:80],
                option=self.key,
            )
        return value

    def _read_choice(self, given: object) -> str | None:
        return next((value for value, _ in self.choices if value == given), None)

    def _read_number(self, given: object) -> int | None:
        off = given is None or str(given).strip() in ("", "None")
        if off and self.default is None:
            return None
        text = str(given).strip()
        low, high = self.minimum or 0, self.maximum or 0
        if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
            raise self._out_of_range(text, low, high)
        if not low <= int(text) <= high:
            raise self._out_of_range(text, low, high)
        return int(text)

    def _out_of_range(self, text: str, low: int, high: int) -> OptionError:
        return OptionError(
            N_("“%(option)s” takes a number from %(low)s to %(high)s, not “%(value)s”."),
            option=self.key,
            low=low,
            high=high,
            value=text[:80],
        )


_YES_NO = {"true": True, "1": True, "yes": True, "on": True} | {
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}
