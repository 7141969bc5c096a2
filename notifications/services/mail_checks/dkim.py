"""DKIM: the key that our mails are signed with (RFC 6376, RFC 8463)."""

import base64
import binascii

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key
from django.utils.translation import gettext as _

from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.dns_lookups import is_local
from notifications.services.mail_checks.domains import not_public
from notifications.services.mail_checks.findings import Finding, fail, ok, warn
from notifications.services.mail_checks.tags import tags_of

SHORTEST, SHORT = 1024, 2048
"""Bits of an RSA key: fewer are not believed, or not for long."""

ED25519_SIZE = 32


class BadKey(Exception):
    """What is published is no key."""


def dkim(case: CheckContext) -> Finding:
    """Ask for the key of the selector under the domain of our From header."""
    if is_local(case.sender_domain):
        return not_public(case.sender_domain)
    if not case.dkim_selector:
        mend = _("Say --dkim-selector NAME: the “s=” in the DKIM-Signature that your server adds.")
        return warn(_("Not asked: the name of the key is not known."), mend)
    name = f"{case.dkim_selector}._domainkey.{case.sender_domain}"
    return _judged(name, case.zone.texts(name))


def _judged(name: str, records: list[str]) -> Finding:
    said: dict[str, object] = {"name": name}
    publish = _("Publish the key that your mail server signs with as TXT of %(name)s.") % said
    if not records:
        return fail(_("There is no key at %(name)s.") % said, publish)
    if len(records) > 1:
        mend = _("Leave one and remove the others.")
        return fail(_("There are several TXT records at %(name)s.") % said, mend)
    tags = tags_of(records[0])
    if tags.get("p", None) == "":
        return fail(_("The key at %(name)s is revoked (“p=” is empty).") % said, publish)
    try:
        bits = key_bits(tags)
    except BadKey as error:
        return fail(
            _("The record at %(name)s is not a key: %(why)s") % {**said, "why": error}, publish
        )
    return _strong_enough(bits, said)


def _strong_enough(bits: int, said: dict[str, object]) -> Finding:
    said = {**said, "bits": bits}
    mend = _("Make a new key of 2048 bits.")
    if bits and bits < SHORTEST:
        return fail(_("The key at %(name)s has %(bits)s bits: nobody believes it.") % said, mend)
    if bits and bits < SHORT:
        return warn(_("The key at %(name)s has only %(bits)s bits.") % said, mend)
    return ok(_("There is a key at %(name)s.") % said)


def key_bits(tags: dict[str, str]) -> int:
    """Return the bits of a published RSA key, 0 for Ed25519. Raises BadKey."""
    if tags.get("v", "DKIM1") != "DKIM1":
        raise BadKey(f"v={tags['v']}")
    try:
        data = base64.b64decode("".join(tags["p"].split()), validate=True)
    except KeyError:
        raise BadKey(_("“p=” is missing")) from None
    except binascii.Error as error:
        raise BadKey(str(error)) from error
    if tags.get("k", "rsa") == "ed25519":
        if len(data) != ED25519_SIZE:
            raise BadKey(_("%(size)s bytes instead of 32") % {"size": len(data)})
        return 0
    return _rsa_bits(data)


def _rsa_bits(data: bytes) -> int:
    try:
        key = load_der_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise BadKey(str(error).partition(".")[0]) from error
    if not isinstance(key, RSAPublicKey):
        raise BadKey(type(key).__name__)
    return key.key_size
