"""Security events in the reader's words."""

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import SecurityEvent

METHODS = {
    "password": _("with the password"),
    "code": _("with a code by e-mail"),
    "passkey": _("with a passkey"),
    "password_reset": _("with a new password"),
    "factor": _("with a second factor"),
    "sign-up": _("after signing up"),
}
FACTORS = {
    "totp": _("authenticator app"),
    "recovery_codes": _("recovery codes"),
    "webauthn": _("passkey"),
}


def title(event: SecurityEvent) -> str:
    """Return what happened."""
    if event.kind == SecurityEvent.Kind.FAILURE and event.details.get("again"):
        return gettext("Attempt to confirm your identity failed")
    return capfirst(event.get_kind_display())


def remarks(event: SecurityEvent) -> list[str]:
    """Return what else there is to say of it, the most important first."""
    details = event.details
    others = details.get("addresses", [])
    said = [
        gettext("on a new device") if details.get("new_device") else "",
        gettext("by an administrator") if details.get("by_staff") else "",
        METHODS.get(details.get("method", ""), ""),
        FACTORS.get(details.get("factor", ""), ""),
        details.get("email", ""),
        details.get("name", ""),
        gettext("before: %(former)s") % details if details.get("former") else "",
        ngettext("%(count)d time", "%(count)d times", event.times) % {"count": event.times}
        if event.times > 1
        else "",
        gettext("from %(addresses)s") % {"addresses": ", ".join(filter(None, others))}
        if len(others) > 1
        else "",
    ]
    return [str(remark) for remark in said if remark]
