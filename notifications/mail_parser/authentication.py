"""Reads what the site's own mail server found out about a mail's sender (RFC 8601).

Headers are parsed by `authres`. It recurses into comments, drops a whole header for one clause
that it cannot read, and needs time that grows with the square of the length. So it gets one short
clause after the other, without comments.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

import authres
import idna
from authres.core import AuthenticationResult

from notifications.mail_parser.parsed_mail import ParsedMail

MOST_CHARACTERS = 8192
"""Characters of one header; a longer one is not read. The longest real ones have about 3,000."""

MOST_HEADERS, MOST_CLAUSES = 10, 50
"""Headers that count in one mail, and results in one of them; if there are more, none is read."""

_HEADER = "authentication-results"
_METHODS = ("dmarc", "dkim", "spf", "auth")
_LONGEST_RESULT = 120
_PIECE = re.compile(r'\\.|["();]|[^"();\\]+|\\', re.DOTALL)


class Verdict(StrEnum):
    """What the results say about the sender. MISSING: the server has written no results."""

    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Authentication:
    """A verdict and the results that lead to it.

    `results` are the results that counted, such as "dmarc=fail (example.org)", for administrators
    to read. `ignored` is the number of headers with the server's name that did not count.
    """

    verdict: Verdict
    results: tuple[str, ...] = ()
    ignored: int = 0


class _AmbiguousHeader(Exception):
    """A header that may mean something else than it seems to."""


def authenticate(
    mail: ParsedMail, authserv_ids: Collection[str], *, every_header: bool = False
) -> Authentication:
    """Return whether the site's mail server confirms the domain of the From header.

    `authserv_ids` are the names, in lower case, that the server writes into its
    Authentication-Results headers. Only the topmost of these headers counts, with all that are
    above the first Received header: a sender can write such headers too, but only below the
    server's. With `every_header` all of them count, which is safe only if the server removes
    those that arrive with a mail (RFC 8601, 5).

    A DMARC result decides (RFC 7489, 6.6.2). Without one, a DKIM or SPF pass for the domain of the
    From header, one above it or one below it is enough; so is SMTP authentication as the sender.
    An ambiguous header, and senders of several domains, fail.
    """
    counting: list[str] = []
    ignored, is_below_received = 0, False
    for name, value in mail.headers:
        is_below_received = is_below_received or name == "received"
        if name != _HEADER:
            continue
        server = next(iter(value[:MOST_CHARACTERS].partition(";")[0].split()), "").lower()
        if server not in authserv_ids:
            continue
        if every_header or not counting or not is_below_received:
            counting.append(value)
        else:
            ignored += 1
    if not counting:
        return Authentication(Verdict.MISSING, ignored=ignored)
    try:
        if len(counting) > MOST_HEADERS:
            raise _AmbiguousHeader
        results = [result for value in counting for result in _parse_results(value)]
    except _AmbiguousHeader:
        return Authentication(Verdict.FAIL, ("unreadable",), ignored)
    verdict = Verdict.PASS if _is_confirmed(mail.senders, results) else Verdict.FAIL
    shown = []
    for result in results:
        if result.method in _METHODS:
            kinds = [("header", "from"), ("header", "d"), ("header", "i"), ("smtp", "mailfrom")]
            domains = next(filter(None, (_domains(result, *kind) for kind in kinds)), set())
            about = f" ({', '.join(sorted(domains))})" if any(domains) else ""
            shown.append(f"{result.method}={result.result}{about}"[:_LONGEST_RESULT])
    return Authentication(verdict, tuple(shown), ignored)


# What a header says ------------------------------------------------------------------------------


def _parse_results(value: str) -> list[AuthenticationResult]:
    """Return the results in a header. Raises _AmbiguousHeader.

    A clause that authres cannot parse counts for nothing: some servers write such ones beside
    others that are well formed.
    """
    if len(value) > MOST_CHARACTERS:
        raise _AmbiguousHeader
    head, *clauses = _split_clauses(value)
    if len(clauses) > MOST_CLAUSES:
        raise _AmbiguousHeader
    if head.split()[1:] not in ([], ["1"]):  # another version must not be read (RFC 8601, 2.2)
        raise _AmbiguousHeader
    results: list[AuthenticationResult] = []
    for clause in clauses:
        try:
            results += authres.AuthenticationResultsHeader.parse_value(f"x; {clause}").results
        except authres.AuthResError:
            continue
    return results


def _split_clauses(value: str) -> list[str]:
    """Return the texts between the semicolons of a header, without comments.

    Raises _AmbiguousHeader for what a sender can make a server write with a DKIM domain or an
    envelope sender of their own choice (CVE-2020-12272; Chen et al., "Composition Kills", USENIX
    Security 2020): quotes and comments that do not end, a comment right behind a property's value,
    a semicolon within quotes.
    """
    kept, depth, is_quoted = [""], 0, False
    for piece in _PIECE.findall(value):
        if piece == '"' and not depth:
            is_quoted = not is_quoted
        if piece in {"(", ")"} and not is_quoted:
            depth += 1 if piece == "(" else -1
            # A property is type.name=value.
            name, _, property_value = re.split(r"\s", kept[-1])[-1].partition("=")
            if depth < 0 or ("." in name and property_value):
                raise _AmbiguousHeader
            kept.append(" ")
        elif not depth:
            kept.append(piece)
        if is_quoted and piece == ";":
            raise _AmbiguousHeader
    if depth or is_quoted:
        raise _AmbiguousHeader
    return "".join(kept).split(";")


# What follows from the results -------------------------------------------------------------------


def _is_confirmed(senders: Collection[str], results: Sequence[AuthenticationResult]) -> bool:
    domains = {_domain_of(sender) for sender in senders}
    if len(domains) != 1:
        return False
    (domain,) = domains
    dmarc = [result for result in results if result.method == "dmarc"]
    if any(result.result == "fail" for result in dmarc):
        return False
    if dmarc and all(
        result.result == "pass" and _domains(result, "header", "from") == domains
        for result in dmarc
    ):
        return True
    for result in results:  # without DMARC
        if result.result != "pass":
            continue
        confirmed: set[str] = set()
        if result.method == "auth" and _values(result, "smtp", "auth") == set(senders):
            return True
        if result.method == "spf":
            confirmed = _domains(result, "smtp", "mailfrom")
        elif result.method == "dkim":
            confirmed = _domains(result, "header", "d") or _domains(result, "header", "i")
        if _is_aligned(domain, confirmed):
            return True
    return False


def _is_aligned(domain: str, others: Collection[str]) -> bool:
    """Tell whether all others are the domain, or above or below it, top-level ones never.

    RFC 7489, 3.1 compares organizational domains, for which one needs a list of public suffixes:
    two domains beside each other do not count as one here.
    """
    for other in others:
        upper, lower = sorted((domain, other), key=len)
        is_related = domain == other or ("." in upper and lower.endswith(f".{upper}"))
        if not other or not is_related:
            return False
    return bool(others)


def _values(result: AuthenticationResult, kind: str, name: str) -> set[str]:
    """Return the values of a property, in lower case: it should have one."""
    found = [one for one in result.properties if (one.type, one.name) == (kind, name)]
    return {str(one.value or "").lower() for one in found}


def _domains(result: AuthenticationResult, kind: str, name: str) -> set[str]:
    return {_domain_of(value) for value in _values(result, kind, name)}


def _domain_of(address: str) -> str:
    """Return the domain of an address, or the domain itself, in lower case as DNS has it."""
    domain = address.rpartition("@")[2].rstrip(".").lower()
    if domain.isascii():
        return domain
    try:
        return idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        return domain
