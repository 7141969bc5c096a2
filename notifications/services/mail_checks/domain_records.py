"""What DNS says of our domains: MX, DKIM (RFC 6376, RFC 8463) and DMARC (RFC 7489).

SPF is in `spf`. Why this is our own code: docs/architecture.md, "Decisions".
"""

import base64
import binascii

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key
from django.conf import settings
from django.utils.translation import gettext as _

from notifications.services.mail_checks.base import CheckContext, Finding, fail, ok, warn
from notifications.services.mail_checks.dns_lookups import is_domain, is_local

WEAK_KEY, SHORT_KEY = 1024, 2048
"""Bits of an RSA key: one with fewer is not believed, or not for long."""

ED25519_BYTES = 32

POLICIES = ("none", "quarantine", "reject")


def check_reply_domain(context: CheckContext) -> Finding:
    """Check the name of the reply domain itself."""
    domain, main = context.reply_domain, str(settings.MAIL_DOMAIN).lower()
    names = {"domain": domain, "main": main}
    if not is_domain(domain):
        advice = _("Set PLI_REPLY_DOMAIN to a name such as play.example.org.")
        return fail(_("“%(domain)s” is not a domain.") % names, advice)
    if is_local(domain):
        advice = _("Set PLI_REPLY_DOMAIN to a domain of yours before you invite anybody.")
        only_here = _("“%(domain)s” is known only on this machine or in its own network.")
        return warn(only_here % names, advice)
    if domain != main and not domain.endswith(f".{main}"):
        advice = _("Use %(main)s or a subdomain of it, or receivers distrust our mail.") % names
        return warn(_("“%(domain)s” is neither %(main)s nor a subdomain of it.") % names, advice)
    return ok(_("Answers come to “%(domain)s”.") % names)


def not_public(domain: str) -> Finding:
    """Return that public DNS does not know this domain."""
    return warn(_("Not checked: “%(domain)s” is not in the public DNS.") % {"domain": domain})


def check_mx(context: CheckContext) -> Finding:
    """Check which servers take the mail of the reply domain."""
    domain = context.reply_domain
    if is_local(domain):
        return not_public(domain)
    names = {"domain": domain}
    hosts = context.dns.mail_servers(domain)
    if hosts == [""]:
        advice = _("Remove the record “MX 0 .” of %(domain)s and name your mail server.") % names
        return fail(_("%(domain)s says that it takes no mail at all.") % names, advice)
    advice = _("Add a record: %(domain)s. MX 10 and the name of your mail server.") % names
    if not hosts:
        if context.dns.addresses(domain):
            return warn(_("%(domain)s has no MX; mail goes to its address.") % names, advice)
        return fail(_("No server accepts mail for %(domain)s: it has no MX.") % names, advice)
    for host in hosts:
        if not context.dns.addresses(host):
            advice = _("Give it an address (A or AAAA), or name another server.")
            return fail(_("The mail server %(host)s has no address.") % {"host": host}, advice)
    return ok(_("Mail to %(domain)s goes to %(hosts)s.") % {**names, "hosts": ", ".join(hosts)})


def parse_tags(record: str) -> dict[str, str]:
    """Return the tags of a DKIM or DMARC record ("tag=value; tag=value"), names in lower case."""
    parts = (part.partition("=") for part in record.split(";"))
    return {name.strip().lower(): value.strip() for name, found, value in parts if found}


# DKIM --------------------------------------------------------------------------------------------


class BadKey(Exception):
    """The record is not a key; says why, in the active language where it is ours to say."""


def check_dkim(context: CheckContext) -> Finding:
    """Check the key of the selector under the domain of our From header."""
    if is_local(context.sender_domain):
        return not_public(context.sender_domain)
    if not context.dkim_selector:
        advice = _(
            "Use --dkim-selector NAME: the “s=” in the DKIM-Signature that your server adds."
        )
        return warn(_("Not checked: the name of the key is not known."), advice)
    name = f"{context.dkim_selector}._domainkey.{context.sender_domain}"
    values: dict[str, object] = {"name": name}
    publish = _("Publish the key that your mail server signs with as TXT of %(name)s.") % values
    records = context.dns.texts(name)
    if not records:
        return fail(_("There is no key at %(name)s.") % values, publish)
    if len(records) > 1:
        advice = _("Leave one and remove the others.")
        return fail(_("There are several TXT records at %(name)s.") % values, advice)
    tags = parse_tags(records[0])
    if tags.get("p", None) == "":
        return fail(_("The key at %(name)s is revoked (“p=” is empty).") % values, publish)
    try:
        bits = key_bits(tags)
    except BadKey as error:
        not_a_key = _("The record at %(name)s is not a key: %(why)s")
        return fail(not_a_key % {**values, "why": error}, publish)
    values["bits"] = bits
    advice = _("Make a new key of 2048 bits.")
    if bits and bits < WEAK_KEY:
        weak = _("The key at %(name)s has %(bits)s bits: it is too short, and receivers ignore it.")
        return fail(weak % values, advice)
    if bits and bits < SHORT_KEY:
        return warn(_("The key at %(name)s has only %(bits)s bits.") % values, advice)
    return ok(_("There is a key at %(name)s.") % values)


def key_bits(tags: dict[str, str]) -> int:
    """Return the bits of a published RSA key, 0 for Ed25519. Raises BadKey."""
    if tags.get("v", "DKIM1") != "DKIM1":
        raise BadKey(f"v={tags['v']}")
    if "p" not in tags:
        raise BadKey(_("“p=” is missing"))
    try:
        data = base64.b64decode("".join(tags["p"].split()), validate=True)
    except binascii.Error as error:
        raise BadKey(str(error)) from error
    if tags.get("k", "rsa") == "ed25519":
        if len(data) != ED25519_BYTES:
            raise BadKey(_("%(size)s bytes instead of 32") % {"size": len(data)})
        return 0
    try:
        key = load_der_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise BadKey(str(error).partition(".")[0]) from error
    if not isinstance(key, RSAPublicKey):
        raise BadKey(type(key).__name__)
    return key.key_size


# DMARC -------------------------------------------------------------------------------------------


def check_dmarc(context: CheckContext) -> Finding:
    """Check the policy of the From header's domain, and whether the envelope's is aligned."""
    sender = context.sender_domain
    if is_local(sender):
        return not_public(sender)
    # The nearest domain with a policy, from this one upwards.
    labels = sender.split(".")
    home, records = "", []
    for start in range(max(1, len(labels) - 1)):
        name = ".".join(labels[start:])
        texts = context.dns.texts(f"_dmarc.{name}")
        records = [one for one in texts if one.partition(";")[0].replace(" ", "") == "v=DMARC1"]
        if records:
            home = name
            break
    values = {"name": f"_dmarc.{home or sender}"}
    publish = _("Publish a TXT record at %(name)s: v=DMARC1; p=none") % values
    if not records:
        return warn(_("There is no DMARC record; large providers require one."), publish)
    if len(records) > 1:
        advice = _("Leave one and remove the others.")
        several = _("There are several DMARC records at %(name)s: none counts.")
        return fail(several % values, advice)
    tags = parse_tags(records[0])
    policy = tags.get("p", "").lower()
    policy = tags.get("sp", policy).lower() if home != sender else policy
    if policy not in POLICIES:
        return fail(_("The DMARC record at %(name)s has no policy (“p=”).") % values, publish)
    envelope = context.reply_domain
    if tags.get("aspf", "r").lower() == "s":
        is_aligned = envelope == sender
    else:
        is_aligned = envelope == home or envelope.endswith(f".{home}")
    if not is_aligned:
        domains = {"envelope": envelope, "sender": sender}
        said = _(
            "The envelope's domain %(envelope)s is not aligned with the sender's domain %(sender)s."
        )
        advice = _("Sign with DKIM for %(sender)s, or choose a domain and a subdomain of it.")
        return warn(said % domains, advice % domains)
    if policy == "none":
        advice = _("Once all mail passes, change it to p=quarantine.")
        said = _("The policy at %(name)s is “none”: forged mail is let through.")
        return warn(said % values, advice)
    said = _("The policy at %(name)s is “%(policy)s”, and the envelope's domain is aligned.")
    return ok(said % {**values, "policy": policy})
