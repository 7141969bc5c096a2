"""Tells whether a mail server refused a mail because there is no such address.

A server also refuses because it does not like the sender, the contents or the hour, or because a
mailbox is full. All that says nothing against the address, whatever reply code it comes with.
"""

import re

_CODE = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")

# Subject and detail of status codes (RFC 3463; 1.10 is RFC 7505).
_NO_SUCH_ADDRESS = frozenset(
    {("1", "1"), ("1", "2"), ("1", "3"), ("1", "6"), ("1", "10"), ("2", "1")}
)
"""Bad mailbox, domain or syntax, moved, a domain without mail, a mailbox that is disabled."""
_OTHER_CAUSE = frozenset({("2", "2"), ("2", "3"), ("2", "4"), ("3", "4")})
"""The mailbox is full, the mail too large for it, a mailing list, too large for the system."""
_OTHER_SUBJECTS = frozenset("67")
"""What the mail contains, and policies."""


def _any_of(*phrases: str) -> str:
    return f"(?:{'|'.join(phrases)})"


_MAILBOX = _any_of(
    *("user", "recipient", "account", "address", "addressee", "mailbox", "customer", "person"),
    "local part",
)
_MISSING = _any_of(
    *("unknown", "not known", "not found", r"could(?: not|n['’]t) be found", "not listed"),
    *("unavailable", "invalid", "disabled", "inactive", "deactivated", "closed", "expired"),
    *(r"does ?n[o'’]t exist", "not exist", r"no longer (?:exists?|valid|available|active)"),
    *("name not allowed", r"not (?:a )?valid", "unrouteable"),
)
_NO_SUCH_WORDS = re.compile(
    _any_of(
        "no such ",
        rf"\b(?:unknown|invalid|inactive|unrouteable) {_MAILBOX}",
        rf"\b{_MAILBOX}(?: name)?(?: \S+)?(?: is| was| has been)?:? {_MISSING}",
        r"\b(?:bad|invalid) (?:destination|recipient)",
        rf"not (?:our|a known|a valid) {_MAILBOX}",
        rf"no {_MAILBOX}(?: \S+)? (?:here|by that name)",
        r"(?:host|domain)(?: name)? not found",
        r"domain(?: \S+)? (?:does not|doesn't) exist",
        *("nxdomain", "non-?existent"),
        rf"(?:does not|doesn't) have (?:\S+ ){{0,2}}{_MAILBOX}",
    )
)
"""What servers say of an address that they do not have."""

_OTHER_WORDS = re.compile(
    _any_of(
        *("block", "black ?list", "spam", "reputation", r"\brates?\b", "frequen", r"\blimit"),
        *("quota", r"\bfull\b", "storage", "exceed", "too (?:many|much|large|big|fast)"),
        *(r"polic(?:y|ies)", r"\bspf\b", r"\bdkim\b", r"\bdmarc\b", r"\brbl\b", r"\bips?\b"),
        *("reverse dns", r"relay(?:ing)?(?: access)? (?:denied|not)", "unable to relay"),
        *("gr[ea]ylist", "temporar", "try again", r"\blater\b", "throttl", "unsolicited"),
    )
)
"""What servers say when the cause is another one."""

_ADDRESSES = re.compile(r"<[^<>]*>|\S+@\S+|https?://\S+")
"""Names in these prove nothing: anybody can be called “limit”."""


def is_no_such_address(text: str) -> bool:
    """Tell whether a refusal says that there is no such mailbox or domain, and nothing else.

    `text` is what the server said: reply code, status code and words.
    """
    words = _ADDRESSES.sub(" ", text.lower())
    words = " ".join(words.split())
    codes = [(subject, detail) for _, subject, detail in _CODE.findall(words)]
    if _OTHER_WORDS.search(words) or _OTHER_CAUSE.intersection(codes):
        return False
    if any(subject in _OTHER_SUBJECTS for subject, _ in codes):
        return False
    return not _NO_SUCH_ADDRESS.isdisjoint(codes) or bool(_NO_SUCH_WORDS.search(words))
