"""Guests: users who play without having signed up. They have a name, but no password or address."""

from __future__ import annotations

import random
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.models import Language, NameTaken, User, check_name_is_free

chance = random.SystemRandom()

DIGITS = 5
"""Of the number in a guest's name, one more after each TRIES names that were taken."""

TRIES = 10


@transaction.atomic
def create_guest(*, language: str, now: datetime) -> User:
    """Return a new user with a free name such as “Guest 40213”, in that language."""
    for attempt in range(10 * TRIES):
        digits = DIGITS + attempt // TRIES
        number = chance.randrange(10 ** (digits - 1), 10**digits)
        guest = User(
            username=f"guest-{number}",
            display_name=gettext("Guest %(number)s") % {"number": number},
            language=language if language in Language.values else Language.ENGLISH,
            guest_until=now + settings.GUEST_LIFETIME,
        )
        guest.set_unusable_password()
        try:
            for name in (guest.username, guest.display_name):
                check_name_is_free(name)
            with transaction.atomic():
                guest.save(force_insert=True)
        except NameTaken:
            continue
        return guest
    raise RuntimeError("no guest's name is free")


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest who sends a request. Works on the sign-in and sign-up pages too."""
    guest: User | None = getattr(request, "guest", None)
    if guest is None and getattr(request.user, "is_guest", False):
        guest = request.user  # type: ignore[assignment]
    return guest


def forget_addresses(guest: User) -> None:
    """Delete the addresses that a guest gave at sign-up and has not confirmed."""
    EmailAddress.objects.filter(user=guest, verified=False).delete()
    if guest.email:
        guest.email = ""
        guest.save(update_fields=["email"])


def close_guest(guest: User) -> None:
    """Close the account of a guest whose time is over: nobody can use it, its names are free."""
    forget_addresses(guest)
    sessions = UserSession.objects.filter(user=guest)
    Session.objects.filter(session_key__in=sessions.values("session_key")).delete()
    sessions.delete()
    guest.username, guest.display_name = f"former-guest-{guest.pk}", ""
    guest.set_unusable_password()
    guest.guest_until, guest.is_active = None, False
    guest.save(update_fields=["username", "display_name", "password", "guest_until", "is_active"])
    guest.search_words.all().delete()
