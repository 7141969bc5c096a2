"""Whether this house is closed for maintenance: reading works then, writing waits."""

from games import errors
from games.models import Outage


def current_maintenance() -> Outage | None:
    """Return the maintenance that lasts now."""
    return Outage.objects.filter(kind=Outage.Kind.MAINTENANCE, ended_at=None).first()


def is_closed() -> bool:
    """Tell whether maintenance lasts now."""
    return current_maintenance() is not None


def check_open() -> None:
    """Raise ClosedForMaintenance while maintenance lasts."""
    maintenance = current_maintenance()
    if maintenance is not None:
        raise errors.ClosedForMaintenance(note=maintenance.note)
