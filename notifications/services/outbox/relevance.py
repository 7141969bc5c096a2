"""Whether a notice is still worth sending, asked just before it is sent."""

from games.queries import seen_at
from notifications.kinds.lookup import kind_of
from notifications.models import Cadence, Notice, SkipReason
from notifications.services.addresses import is_address_suspended
from notifications.services.preferences import cadence_of


def skip_reason(notice: Notice) -> SkipReason | None:
    """Return why a notice should not be sent now; None if it should."""
    kind = kind_of(notice.kind)
    if kind.can_be_switched_off and _is_switched_off(notice):
        return SkipReason.SWITCHED_OFF
    address = kind.address(notice)
    if not address:
        return SkipReason.NO_ADDRESS
    if not kind.has_fixed_address and is_address_suspended(address):
        return SkipReason.ADDRESS_SUSPENDED
    return SkipReason.SEEN if _was_seen(notice) else kind.skip_reason(notice)


def _is_switched_off(notice: Notice) -> bool:
    return notice.user is not None and cadence_of(notice.user, notice.kind) == Cadence.OFF


def _was_seen(notice: Notice) -> bool:
    """Tell whether a mail that may come later is not needed: its reader was at the page since."""
    if notice.user is None or notice.game is None or notice.event is None:
        return False
    if cadence_of(notice.user, notice.kind) != Cadence.LATER:
        return False
    seen = seen_at(notice.user, notice.game)
    return seen is not None and seen >= notice.event.at
