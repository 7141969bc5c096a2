"""What the lists of mail share."""

from typing import ClassVar

from django.http import HttpRequest

from games.admin import ReadOnlyAdmin
from games.admin.addresses import HidesAddresses
from games.admin.reasons import ReasonRequiredMixin


class MailList(HidesAddresses, ReadOnlyAdmin, ReasonRequiredMixin):
    """Mails, or addresses: moderators look, hosts mend."""

    changes: ClassVar[str]
    """The permission that lets hosts mend what is listed."""

    def has_mend_permission(self, request: HttpRequest) -> bool:
        """Tell whether somebody may mend what is listed."""
        return request.user.has_perm(self.changes)
