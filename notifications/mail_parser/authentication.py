"""Reads what the host's own mail server found out about a mail's sender (RFC 8601).

Headers are parsed by `authres`. It recurses into comments, drops a whole header for one clause
that it cannot read, and needs time that grows with the square of the length: it is given one short
clause after the other, without comments.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import authres
import idna

from notifications.mail_parser.raw import ParsedMail

MOST_CHARACTERS = 8192
"""Characters of one header; a longer one is not read. The longest real ones have about 3,000."""

MOST_HEADERS, MOST_CLAUSES = 10, 50
"""Headers that count in one mail, and results in one of them; with more, none is read."""

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
    """A verdict and what it rests on.

    `results` are the results that counted, such as "dmarc=fail (example.org)", for the host to
    read. `ignored` is the number of headers with the server's name that did not count.
    """

    verdict: Verdict
    results: tuple[str, ...] = ()
    ignored: int = 0


class _Unreadable(Exception):
    """A header that may mean something else than it seems to."""


def authenticate(
    mail: ParsedMail, authserv_ids: Collection[str], *, every_header: bool = False
) -> Authentication:
    """Return whether the host's mail server confirms the domain of the From header.

    `authserv_ids` are the names, in lower case, that the server writes into its
    Authentication-Results headers. Only the topmost of these headers counts, with all that stand
    above the first Received header: a sender can write such headers too, but only below the
    server's. With `every_header` all of them count, which is safe only where the server removes
    those that arrive with a mail (RFC 8601, 5).

    A DMARC result decides (RFC 7489, 6.6.2). Without one, a DKIM or SPF pass for the domain of the
    From header, one above it or one below it is enough; so is SMTP authentication as the sender.
    An unreadable header, and senders of several domains, fail.
    """
    counting, ignored = _select_headers(mail.headers, authserv_ids, every_header=every_header)
    if not counting:
        return Authentication(Verdict.MISSING, ignored=ignored)
    try:
        results = _all_results(counting)
    except _Unreadable:
        return Authentication(Verdict.FAIL, ("unreadable",), ignored)
    verdict = Verdict.PASS if _is_confirmed(mail.senders, results) else Verdict.FAIL
    shown = [_describe(result) for result in results if result.method in _METHODS]
    return Authentication(verdict, tuple(shown), ignored)


# Which headers count -----------------------------------------------------------------------------


def _select_headers(
    headers: Sequence[tuple[str, str]], authserv_ids: Collection[str], *, every_header: bool
) -> tuple[list[str], int]:
    """Return the values of the headers that count, and how many others have the server's name."""
    counting: list[str] = []
    ignored, below_received = 0, False
    for name, value in headers:
        if name == "received":
            below_received = True
        elif name == _HEADER and _authserv_id(value) in authserv_ids:
            if every_header or not counting or not below_received:
                counting.append(value)
            else:
                ignored += 1
    return counting, ignored


def _authserv_id(value: str) -> str:
    """Return the name of the server that a header claims to be from, in lower case."""
    return next(iter(value[:MOST_CHARACTERS].partition(";")[0].split()), "").lower()


# What a header says ------------------------------------------------------------------------------


def _all_results(values: Sequence[str]) -> list[authres.core.AuthenticationResult]:
    if len(values) > MOST_HEADERS:
        raise _Unreadable
    return [result for value in values for result in _results(value)]


def _results(value: str) -> Iterator[authres.core.AuthenticationResult]:
    """Yield the results in a header. Raises _Unreadable.

    A clause that authres cannot read counts for nothing: some servers write such ones beside
    others that are well formed.
    """
    if len(value) > MOST_CHARACTERS:
        raise _Unreadable
    head, *clauses = _clauses(value)
    if len(clauses) > MOST_CLAUSES:
        raise _Unreadable
    if head.split()[1:] not in ([], ["1"]):  # another version must not be read (RFC 8601, 2.2)
        raise _Unreadable
    for clause in clauses:
        try:
            yield from authres.AuthenticationResultsHeader.parse_value(f"x; {clause}").results
        except authres.AuthResError:
            continue


def _clauses(value: str) -> list[str]:
    """Return what stands between the semicolons of a header, without comments.

    Raises _Unreadable for what a sender can make a server write with a DKIM domain or an envelope
    sender of their own choice (CVE-2020-12272; Chen et al., "Composition Kills", USENIX Security
    2020): quotes and comments that do not end, a comment right behind a property's value, a
    semicolon within quotes.
    """
    kept, depth, is_quoted = [""], 0, False
    for piece in _PIECE.findall(value):
        if piece == '"' and not depth:
            is_quoted = not is_quoted
        if piece in {"(", ")"} and not is_quoted:
            depth += 1 if piece == "(" else -1
            if depth < 0 or _ends_in_value(kept[-1]):
                raise _Unreadable
            kept.append(" ")
        elif not depth:
            kept.append(piece)
        if is_quoted and piece == ";":
            raise _Unreadable
    if depth or is_quoted:
        raise _Unreadable
    return "".join(kept).split(";")


def _ends_in_value(text: str) -> bool:
    """Tell whether a text ends within the value of a property (type.name=value)."""
    name, _, value = re.split(r"\s", text)[-1].partition("=")
    return "." in name and bool(value)


# What follows from the results -------------------------------------------------------------------


def _is_confirmed(
    senders: Collection[str], results: Sequence[authres.core.AuthenticationResult]
) -> bool:
    domains = {_domain(sender) for sender in senders}
    if len(domains) != 1:
        return False
    (domain,) = domains
    dmarc = [result for result in results if result.method == "dmarc"]
    if any(result.result == "fail" for result in dmarc):
        return False
    if dmarc and all(_is_pass(result, "header", "from", {domain}) for result in dmarc):
        return True
    return any(_is_pass_for(domain, senders, result) for result in results)


def _is_pass_for(
    domain: str, senders: Collection[str], result: authres.core.AuthenticationResult
) -> bool:
    """Tell whether a result confirms the domain, or the one sender, without DMARC."""
    if result.result != "pass":
        return False
    if result.method == "auth":
        return _values(result, "smtp", "auth") == set(senders)
    if result.method == "spf":
        return _is_aligned(domain, _domains(result, "smtp", "mailfrom"))
    if result.method == "dkim":
        signers = _domains(result, "header", "d") or _domains(result, "header", "i")
        return _is_aligned(domain, signers)
    return False


def _is_pass(
    result: authres.core.AuthenticationResult, kind: str, name: str, domains: set[str]
) -> bool:
    return result.result == "pass" and _domains(result, kind, name) == domains


def _is_aligned(domain: str, others: Collection[str]) -> bool:
    """Tell whether all others are the domain or stand above or below it, top-level ones never.

    RFC 7489, 3.1 compares organizational domains, for which one needs a list of public suffixes:
    two that stand beside each other are not taken for one here.
    """
    return bool(others) and all(other and _is_related(domain, other) for other in others)


def _is_related(one: str, other: str) -> bool:
    upper, lower = sorted((one, other), key=len)
    return one == other or ("." in upper and lower.endswith(f".{upper}"))


def _values(result: authres.core.AuthenticationResult, kind: str, name: str) -> set[str]:
    """Return the values of a property, in lower case: it should have one."""
    found = [one for one in result.properties if (one.type, one.name) == (kind, name)]
    return {str(one.value or "").lower() for one in found}


def _domains(result: authres.core.AuthenticationResult, kind: str, name: str) -> set[str]:
    return {_domain(value) for value in _values(result, kind, name)}


def _domain(address: str) -> str:
    """Return the domain of an address, or the one given, in lower case as DNS has it."""
    domain = address.rpartition("@")[2].rstrip(".").lower()
    if domain.isascii():
        return domain
    try:
        return idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        return domain


def _describe(result: authres.core.AuthenticationResult) -> str:
    """Return a result in a few words, with the domain it is about but with no address."""
    kinds = [("header", "from"), ("header", "d"), ("header", "i"), ("smtp", "mailfrom")]
    domains = next(filter(None, (_domains(result, *kind) for kind in kinds)), ())
    about = f" ({', '.join(sorted(domains))})" if any(domains) else ""
    return f"{result.method}={result.result}{about}"[:_LONGEST_RESULT]
