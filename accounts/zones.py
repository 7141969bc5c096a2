"""Time zones: which there are, and which of them a user chooses from."""

from functools import cache
from itertools import groupby
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

_REGIONS = frozenset(
    [
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    ]
)


@cache
def known_zones() -> frozenset[str]:
    """Return every name of the time zone database (read once: it is hundreds of files)."""
    return frozenset(available_timezones())


def check_time_zone(name: str) -> None:
    """Raise ValidationError unless `name` is a zone of the time zone database."""
    if name not in known_zones():
        raise ValidationError(_("There is no time zone “%(name)s”."), params={"name": name[:80]})


def zone_choices(current: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the zones that are named after a place, by region, and always UTC and `current`."""
    names = {name for name in known_zones() if name.partition("/")[0] in _REGIONS}
    places = sorted(names | {"UTC", current})
    return [
        (region, [(name, name.partition("/")[2].replace("_", " ") or name) for name in group])
        for region, group in groupby(places, key=lambda name: name.partition("/")[0])
    ]
