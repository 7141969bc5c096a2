"""What every page can show about its reader's mail, and whether the site sends push messages."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from notifications.services.addresses import suspended_addresses


def mail(request: HttpRequest) -> dict[str, object]:
    limits: dict[str, object] = {
        "account_mails_an_hour": settings.ACCOUNT_MAILS_AN_HOUR,
        "offers_push": bool(settings.PUSH_KEY),
    }
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return limits
    if not getattr(user, "has_suspended_address", True):
        return limits
    suspended = SimpleLazyObject(lambda: list(suspended_addresses(user)))
    return {**limits, "suspended_addresses": suspended}
