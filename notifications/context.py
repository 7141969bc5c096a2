"""What every page knows of its reader's mail."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from notifications.services.addresses import suspended_addresses


def mail(request: HttpRequest) -> dict[str, object]:
    """Return the reader's addresses that mail came back from, looked up when a page asks."""
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return {}
    return {"suspended_addresses": SimpleLazyObject(lambda: list(suspended_addresses(user)))}
