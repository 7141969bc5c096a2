"""DMARC: what receivers do with mail that only claims to be ours (RFC 7489)."""

from django.utils.translation import gettext as _

from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.dns_lookups import DnsResolver, is_local
from notifications.services.mail_checks.domains import not_public
from notifications.services.mail_checks.findings import Finding, fail, ok, warn
from notifications.services.mail_checks.tags import tags_of

POLICIES = ("none", "quarantine", "reject")


def dmarc(case: CheckContext) -> Finding:
    """Ask for the policy of the From header's domain, and whether the envelope fits to it."""
    domain = case.sender_domain
    if is_local(domain):
        return not_public(domain)
    home, records = _published(case.zone, domain)
    said = {"name": f"_dmarc.{home or domain}"}
    publish = _("Publish a TXT record at %(name)s: v=DMARC1; p=none") % said
    if not records:
        return warn(_("There is no DMARC record; the great providers want one."), publish)
    if len(records) > 1:
        mend = _("Leave one and remove the others.")
        return fail(_("There are several DMARC records at %(name)s: none counts.") % said, mend)
    tags = tags_of(records[0])
    policy = _policy(tags, is_below=home != domain)
    if policy not in POLICIES:
        return fail(_("The DMARC record at %(name)s has no policy (“p=”).") % said, publish)
    return _fits({**said, "policy": policy}) if _is_aligned(case, home, tags) else _misfits(case)


def _fits(said: dict[str, str]) -> Finding:
    if said["policy"] == "none":
        mend = _("Once all mail passes, change it to p=quarantine.")
        return warn(_("The policy at %(name)s is “none”: forged mail is let through.") % said, mend)
    return ok(_("The policy at %(name)s is “%(policy)s”, and the envelope's domain fits.") % said)


def _published(zone: DnsResolver, domain: str) -> tuple[str, list[str]]:
    """Return the nearest domain with a policy, from this one upwards, and its records."""
    labels = domain.split(".")
    for start in range(max(1, len(labels) - 1)):
        name = ".".join(labels[start:])
        records = [text for text in zone.texts(f"_dmarc.{name}") if _is_policy(text)]
        if records:
            return name, records
    return "", []


def _is_policy(text: str) -> bool:
    return text.partition(";")[0].replace(" ", "") == "v=DMARC1"


def _policy(tags: dict[str, str], *, is_below: bool) -> str:
    own = tags.get("p", "").lower()
    return tags.get("sp", own).lower() if is_below else own


def _is_aligned(case: CheckContext, home: str, tags: dict[str, str]) -> bool:
    """Tell whether the envelope's domain counts as the From header's."""
    if tags.get("aspf", "r").lower() == "s":
        return case.reply_domain == case.sender_domain
    return case.reply_domain == home or case.reply_domain.endswith(f".{home}")


def _misfits(case: CheckContext) -> Finding:
    said = _("The envelope's domain %(envelope)s does not count as that of the sender, %(sender)s.")
    mend = _("Sign with DKIM for %(sender)s, or choose domains where one is below the other.")
    words = {"envelope": case.reply_domain, "sender": case.sender_domain}
    return warn(said % words, mend % words)
