"""Numbers that a host sets in the environment: refused at the start when they cannot be meant."""

from collections.abc import Mapping

from django.core.exceptions import ImproperlyConfigured


def env_int(
    environment: Mapping[str, str], name: str, *, default: int, least: int, most: int
) -> int:
    """Return a number from the environment, `default` where it is missing or empty.

    Raises ImproperlyConfigured, with a sentence that names it and says what could stand there.
    """
    said = environment.get(name, "").strip()
    if not said:
        return default
    # No number that has more digits than the greatest is looked at: `int` takes its time.
    digits = said.lstrip("0") or "0"
    if not (said.isascii() and said.isdigit() and len(digits) <= len(str(most))):
        raise _refused(name, said, least, most)
    if not least <= int(digits) <= most:
        raise _refused(name, said, least, most)
    return int(digits)


def _refused(name: str, said: str, least: int, most: int) -> ImproperlyConfigured:
    return ImproperlyConfigured(
        f"{name} is “{said}”, and must be a whole number from {least} to {most}."
    )
