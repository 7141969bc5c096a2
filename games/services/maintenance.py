"""Whether the site is closed for maintenance: reading works then, writing waits."""

from games import errors
from games.models import Outage


def is_closed() -> bool:
    """Tell whether the site is closed for maintenance."""
    return Outage.current_maintenance() is not None


def check_open() -> None:
    """Raise ClosedForMaintenance while the site is closed for maintenance."""
    maintenance = Outage.current_maintenance()
    if maintenance is not None:
        raise errors.ClosedForMaintenance(note=maintenance.note)
