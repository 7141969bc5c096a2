"""Whether this house is closed for maintenance: reading works then, writing waits."""

from games.models import Outage
from games.services.errors.house import ClosedForMaintenance


def standing_maintenance() -> Outage | None:
    """Return the maintenance that lasts now."""
    return Outage.objects.filter(kind=Outage.Kind.MAINTENANCE, ended_at=None).first()


def is_closed() -> bool:
    """Tell whether maintenance lasts now."""
    return standing_maintenance() is not None


def check_open() -> None:
    """Raise ClosedForMaintenance while maintenance lasts."""
    maintenance = standing_maintenance()
    if maintenance is not None:
        raise ClosedForMaintenance(note=maintenance.note)
