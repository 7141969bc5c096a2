"""Messages for the next page, in a cookie that has the prefix of the others."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class PrefixedCookieStorage(CookieStorage):
    """Keeps messages in a cookie of COOKIE_PREFIX."""

    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class MessageStorage(FallbackStorage):
    """Keeps messages in a cookie, and in the session where they are too long for one."""

    storage_classes = (PrefixedCookieStorage, SessionStorage)
