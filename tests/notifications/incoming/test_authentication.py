"""What Authentication-Results headers say about a sender: real ones, and forged ones.

Each real shape names its source; people and domains in them are replaced by examples.
"""

import random
import time

import pytest

from notifications.mail_parser import Verdict, authenticate, parse

PASS, FAIL, MISSING = Verdict.PASS, Verdict.FAIL, Verdict.MISSING
RECEIVED = "Received: from client.example.net by mx.example.org with ESMTPS id 1; 10 Mar 2026"
DATED = "Tue, 10 Mar 2026 12:00:00 +0000"


def mail(*headers, sender="ann@gmail.example"):
    lines = [*headers, f"From: Ann <{sender}>", f"Date: {DATED}", "Subject: Re: x", "", "5", ""]
    return parse("\r\n".join(lines).encode())


def results(value, server="mx.example.org"):
    return f"Authentication-Results: {server}; {value}"


def verdict(*headers, sender="ann@gmail.example", ids=("mx.example.org",), **how):
    return authenticate(mail(*headers, sender=sender), ids, **how).verdict


# Real headers ------------------------------------------------------------------------------------

# GitHub lieser/dkim_verifier#31 and muan/github-gmail#86.
GMAIL = """Authentication-Results: mx.google.com;
       dkim=pass header.i=@gmail.example header.s=20230601 header.b="PR+cH4/R";
       spf=pass (google.com: domain of ann@gmail.example designates 2a00:1450::1 as permitted sender) smtp.mailfrom=ann@gmail.example;
       dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=gmail.example"""  # noqa: E501

# GitHub NousResearch/hermes-agent#110209: Gmail for a domain without DMARC and a bad SPF record.
GMAIL_WITHOUT_DMARC = """Authentication-Results: mx.google.com;
       dkim=pass header.i=@gmail.example header.s=google header.b=aB3;
       spf=neutral (google.com: 209.85.128.0 is neither permitted nor denied by best guess record for domain of ann@gmail.example) smtp.mailfrom=ann@gmail.example"""  # noqa: E501

# GitHub hardware/mailserver#91: DKIM fails, SPF and so DMARC pass.
GMAIL_WITHOUT_DKIM = """Authentication-Results: mx.google.com;
       dkim=fail header.i=@gmail.example;
       spf=pass (google.com: domain of ann@gmail.example designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@gmail.example;
       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=gmail.example"""  # noqa: E501

# GitHub chatmail/core, src/authres.rs: Outlook names no server, so nobody can tell whose it is.
OUTLOOK = """Authentication-Results: spf=pass (sender IP is 192.0.2.85)
 smtp.mailfrom=gmail.example; dkim=pass (signature was verified)
 header.d=gmail.example;dmarc=pass action=none
 header.from=gmail.example;compauth=pass reason=100"""

# The same as one's own Exchange server writes it that does name itself.
OUTLOOK_NAMED = OUTLOOK.replace(": spf", ": mail.protection.example; spf")

# GitHub chatmail/core, test-data/message/dkimchecks: what mx1.messagingengine.com wrote.
FASTMAIL = """Authentication-Results: mx1.messagingengine.com;
    x-csa=none;
    x-me-sender=none;
    x-ptr=pass smtp.helo=msg-1.gmail.example policy.ptr=msg-1.gmail.example
Authentication-Results: mx1.messagingengine.com;
    bimi=skipped (DMARC Policy is not at enforcement)
Authentication-Results: mx1.messagingengine.com;
    arc=none (no signatures found)
Authentication-Results: mx1.messagingengine.com;
    dkim=pass (1024-bit rsa key sha256) header.d=gmail.example
      header.i=@gmail.example header.b=KpmcEAgT header.a=rsa-sha256
      header.s=mailo x-bits=1024;
    dmarc=pass policy.published-domain-policy=none
      policy.applied-disposition=none policy.evaluated-disposition=none
      (p=none,d=none,d.eval=none) policy.policy-from=p
      header.from=gmail.example;
    iprev=pass smtp.remote-ip=192.0.2.11 (msg-1.gmail.example);
    spf=pass smtp.mailfrom=ann@gmail.example smtp.helo=msg-1.gmail.example"""

# What Postfix 3.7 with OpenDKIM 2.11 and OpenDMARC 1.4.2, rspamd 3.4 and Exim 4.96 wrote on Debian
# 12, configured as docs/mail-in.md says; Postfix with OpenDKIM and Exim left forged headers below.
OPENDMARC = """Authentication-Results: mx.example.org; dmarc=pass (p=none dis=none) header.from=gmail.example
Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=gmail.example
Authentication-Results: mx.example.org;
\tdkim=pass (2048-bit key; unprotected) header.d=gmail.example header.i=@gmail.example header.a=rsa-sha1 header.s=sel header.b=O3E7PRHv;
\tdkim-atps=neutral"""  # noqa: E501
OPENDMARC_WITHOUT_DMARC = OPENDMARC.replace("dmarc=pass", "dmarc=none")
OPENDMARC_FORGED = """Authentication-Results: mx.example.org; dmarc=none (p=none dis=none) header.from=gmail.example
Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=evil.example
Authentication-Results: mx.example.org;
\tdkim=none;
\tdkim-atps=neutral
Received: from mx.example.org (unknown [192.0.2.9]) by mx.example.org (Postfix) with ESMTP id 45E0E6C8
Authentication-Results: mx.example.org; dmarc=pass header.from=gmail.example
Authentication-Results: mx.example.org; x=y"""  # noqa: E501
# The envelope's sender was "ann@gmail.example x"@evil.example.
OPENDMARC_QUOTED = """Authentication-Results: mx.example.org; dmarc=none (p=none dis=none) header.from=gmail.example
Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=gmail.example x"@evil.example
Authentication-Results: mx.example.org;
\tdkim=none;
\tdkim-atps=neutral"""  # noqa: E501
RSPAMD = """Authentication-Results: mx.example.org;
\tdkim=fail ("headers rsa verify failed") header.d=gmail.example header.s=sel header.b=ARiUySZ4;
\tspf=pass (mx.example.org: domain of ann@gmail.example designates 192.0.2.7 as permitted sender) smtp.mailfrom=ann@gmail.example;
\tdmarc=pass (policy=none) header.from=gmail.example"""  # noqa: E501
RSPAMD_WITHOUT_DMARC = RSPAMD.replace(
    "dmarc=pass (policy=none) header.from=gmail.example", "dmarc=none"
)
RSPAMD_FAIL = """Authentication-Results: mx.example.org;
\tdkim=none;
\tspf=pass (mx.example.org: domain of eve@evil.example designates 192.0.2.9 as permitted sender) smtp.mailfrom=eve@evil.example;
\tdmarc=fail reason="SPF not aligned (relaxed), No valid DKIM" header.from=gmail.example (policy=none)"""  # noqa: E501
# The envelope's sender was "a) ; dmarc=pass header.from=gmail.example; x=("@evil.example.
RSPAMD_INJECTED = """Authentication-Results: mx.example.org;
\tdkim=none;
\tspf=pass (mx.example.org: domain of "a) ; dmarc=pass header.from=gmail.example; x=(@evil.example" designates 192.0.2.9 as permitted sender) smtp.mailfrom="a) ; dmarc=pass header.from=gmail.example; x=(@evil.example";
\tdmarc=none"""  # noqa: E501
EXIM = """Authentication-Results: mx.example.org;
\tiprev=fail smtp.remote-ip=192.0.2.7;
\tspf=pass smtp.mailfrom=gmail.example"""
EXIM_FORGED = """Authentication-Results: mx.example.org;
\tiprev=fail smtp.remote-ip=192.0.2.9;
\tspf=pass smtp.mailfrom=evil.example
Received: from [192.0.2.9] (helo=evil.example) by mx.example.org with esmtp (Exim 4.96)
Authentication-Results: mx.example.org; dkim=pass header.d=gmail.example
Authentication-Results: mx.example.org; dmarc=pass header.from=gmail.example"""

# rspamd, lualib/lua_auth_results.lua: what its own users submit.
RSPAMD_SUBMITTED = """Authentication-Results: mx.example.org;
\tauth=pass smtp.auth=ann@gmail.example smtp.mailfrom=ann@gmail.example"""

# pastebin.com/657etyVM: Exim 4.90 with DKIM.
EXIM_DKIM = """Authentication-Results: mx.example.org;
\tdkim=pass header.d=gmail.example;
\tdkim=pass header.d=amazonses.com"""

# GitHub chatmail/core, src/authres.rs: OpenDKIM's on top.
OPENDKIM_ON_TOP = """Authentication-Results: mx.example.org;
\tdkim=fail reason="signature verification failed" (2048-bit key; secure) header.d=gmail.example header.i=@gmail.example header.b="kqh3WUKq";
\tdkim-atps=neutral
Authentication-Results: mx.example.org; dmarc=pass (p=quarantine dis=none) header.from=gmail.example
Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=ann@gmail.example"""  # noqa: E501

# AWS, "Contents of notifications for Amazon SES email receiving"; values as in examples of it.
SES = (
    "Authentication-Results: amazonses.com; spf=pass (spfCheck: domain of _spf.gmail.example "
    "designates 192.0.2.193 as permitted sender) client-ip=192.0.2.193; "
    "envelope-from=ann@gmail.example; helo=mail.gmail.example; dkim=pass header.i=@gmail.example; "
    "dmarc=pass header.from=gmail.example;"
)
SES_WITHOUT_DMARC = SES.replace("dmarc=pass", "dmarc=none")

# GitHub pimlie/authres_status#39: Yahoo's own words for DKIM and DMARC mean nothing to us.
YAHOO = """Authentication-Results: atlas207.free.mail.gq1.yahoo.com;
 dkim=dkim_pass header.i=@gmail.example header.s=@splio;
 spf=pass smtp.mailfrom=gmail.example;
 dmarc=success(p=QUARANTINE,sp=REJECT) header.from=gmail.example;"""

# RFC 8601, appendices B.3 to B.7, with their own domains.
RFC_NONE = "Authentication-Results: example.org 1; none"
RFC_SPF = "Authentication-Results: example.com; spf=pass smtp.mailfrom=example.net"
RFC_SEVERAL = """Authentication-Results: example.com;
          auth=pass (cram-md5) smtp.auth=sender@example.net;
          spf=pass smtp.mailfrom=example.net
Authentication-Results: example.com; iprev=pass
          policy.iprev=192.0.2.200
Received: from dialup-1-2-3-4.example.net by mail-router.example.com"""
RFC_TWO_SERVERS = """Authentication-Results: example.com;
          dkim=pass (good signature) header.d=example.com
Received: from mail-router.example.com by auth-checker.example.com
Authentication-Results: example.com;
          auth=pass (cram-md5) smtp.auth=sender@example.com;
          spf=fail smtp.mailfrom=example.com
Received: from dialup-1-2-3-4.example.net by mail-router.example.com"""
RFC_LIST = """Authentication-Results: example.com;
          dkim=pass reason="good signature"
            header.i=@mail-router.example.net;
          dkim=fail reason="bad signature"
            header.i=@newyork.example.com
Received: from mail-router.example.net by chicago.example.com
Authentication-Results: example.net;
          dkim=pass (good signature) header.i=@newyork.example.com"""
RFC_COMMENTS = """Authentication-Results: foo.example.net (foobar) 1 (baz);
    dkim (Because I like it) / 1 (One yay) = (wait for it) fail
      policy (A dot can go here) . (like that) expired
      (this surprised me) = (as I wasn't expecting it) 1362471462"""

SHAPES = {
    "gmail": (GMAIL, "mx.google.com", PASS),
    "gmail without DMARC": (GMAIL_WITHOUT_DMARC, "mx.google.com", PASS),
    "gmail without DKIM": (GMAIL_WITHOUT_DKIM, "mx.google.com", PASS),
    "outlook": (OUTLOOK, "mail.protection.example", MISSING),
    "outlook, named": (OUTLOOK_NAMED, "mail.protection.example", PASS),
    "opendmarc": (OPENDMARC, "mx.example.org", PASS),
    "rspamd": (RSPAMD, "mx.example.org", PASS),
    "rspamd without DMARC": (RSPAMD_WITHOUT_DMARC, "mx.example.org", PASS),
    "rspamd, failed": (RSPAMD_FAIL, "mx.example.org", FAIL),
    "rspamd, injected": (RSPAMD_INJECTED, "mx.example.org", FAIL),
    "rspamd, submitted": (RSPAMD_SUBMITTED, "mx.example.org", PASS),
    "exim": (EXIM, "mx.example.org", PASS),
    "exim, forged": (EXIM_FORGED, "mx.example.org", FAIL),
    "exim with DKIM": (EXIM_DKIM, "mx.example.org", PASS),
    "ses": (SES, "amazonses.com", PASS),
    "ses without DMARC": (SES_WITHOUT_DMARC, "amazonses.com", PASS),
    "yahoo": (YAHOO, "atlas207.free.mail.gq1.yahoo.com", PASS),
}


@pytest.mark.parametrize("place", ["above", "below"])
@pytest.mark.parametrize("name", SHAPES)
def test_real_headers_confirm_the_real_sender_and_nobody_else(name, place):
    header, server, expected = SHAPES[name]
    header = header.replace("\n", "\r\n")
    headers = [header, RECEIVED] if place == "above" else [RECEIVED, header]
    assert verdict(*headers, ids=[server]) == expected
    other = {PASS: FAIL}.get(expected, expected)
    assert verdict(*headers, ids=[server], sender="ann@example.org") == other


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (OPENDMARC, PASS),
        (OPENDMARC_WITHOUT_DMARC, PASS),
        (OPENDMARC_FORGED, FAIL),
        (OPENDMARC_QUOTED, FAIL),
    ],
)
def test_what_opendmarc_writes_above_the_received_header_of_postfix_is_believed(header, expected):
    assert verdict(header.replace("\n", "\r\n"), RECEIVED) == expected
    assert verdict(header.replace("\n", "\r\n"), RECEIVED, sender="ann@example.org") == FAIL


@pytest.mark.parametrize("header", [FASTMAIL, OPENDKIM_ON_TOP], ids=["fastmail", "opendkim"])
def test_several_headers_count_above_the_received_header_or_by_the_setting(
    header,
):
    ids, header = ["mx.example.org", "mx1.messagingengine.com"], header.replace("\n", "\r\n")
    assert verdict(header, RECEIVED, ids=ids) == PASS
    assert verdict(RECEIVED, header, ids=ids) == FAIL
    assert verdict(RECEIVED, header, ids=ids, every_header=True) == PASS
    found = authenticate(mail(RECEIVED, header), ids)
    assert found.ignored == header.count("Authentication-Results") - 1


@pytest.mark.parametrize(
    ("header", "server", "sender", "expected"),
    [
        (RFC_NONE, "example.org", "sender@example.org", FAIL),
        (RFC_SPF, "example.com", "sender@example.net", PASS),
        (RFC_SPF, "example.com", "sender@example.com", FAIL),
        (RFC_SEVERAL, "example.com", "sender@example.net", PASS),
        (RFC_SEVERAL, "example.com", "sender@example.com", FAIL),
        (RFC_TWO_SERVERS, "example.com", "sender@example.com", PASS),
        (RFC_LIST, "example.com", "sender@newyork.example.com", FAIL),
        (RFC_LIST, "example.net", "sender@newyork.example.com", PASS),
        (RFC_COMMENTS, "foo.example.net", "sender@example.com", FAIL),
    ],
)
def test_the_examples_of_the_rfc_are_read(header, server, sender, expected):
    header = header.replace("\n", "\r\n")
    assert verdict(header, RECEIVED, ids=[server], sender=sender) == expected


# What decides ------------------------------------------------------------------------------------

DKIM, SPF = "dkim=pass header.d=gmail.example", "spf=pass smtp.mailfrom=ann@gmail.example"
DMARC = "dmarc=pass header.from=gmail.example"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (DMARC, PASS),
        ("DMARC=PASS HEADER.FROM=GMAIL.EXAMPLE", PASS),
        ("dmarc=pass header.from=ann@gmail.example.", PASS),
        (f"dmarc=fail header.from=gmail.example; {DKIM}; {SPF}", FAIL),
        (f"{DMARC}; dmarc=fail header.from=gmail.example", FAIL),
        (f"{DMARC}; dmarc=none header.from=gmail.example", FAIL),
        ("dmarc=pass header.from=elsewhere.example", FAIL),
        ("dmarc=pass header.from=mail.gmail.example", FAIL),
        ("dmarc=pass", FAIL),
        (f"dmarc=none header.from=gmail.example; {DKIM}", PASS),
        (f"dmarc=temperror header.from=gmail.example; {SPF}", PASS),
        (f"dmarc=permerror header.from=gmail.example; {SPF}", PASS),
        (f"dmarc=bestguesspass header.from=gmail.example; {SPF}", PASS),
        ("dmarc=none header.from=gmail.example", FAIL),
        ("dmarc=temperror header.from=gmail.example; spf=temperror; dkim=temperror", FAIL),
        ("dkim=pass header.d=mail.gmail.example", PASS),
        ("dkim=pass header.i=@gmail.example", PASS),
        ("dkim=pass header.d=elsewhere.example header.i=@gmail.example", FAIL),
        ("dkim=pass header.d=gmail.example header.d=elsewhere.example", FAIL),
        ("dkim=pass header.d=example", FAIL),
        ("dkim=pass header.d=notgmail.example", FAIL),
        ("dkim=pass", FAIL),
        ("dkim=policy header.d=gmail.example", FAIL),
        (f"dkim=fail header.d=gmail.example; {SPF}", PASS),
        (f"spf=fail smtp.mailfrom=ann@gmail.example; {DKIM}", PASS),
        ("spf=fail smtp.mailfrom=ann@gmail.example; dkim=fail header.d=gmail.example", FAIL),
        ("spf=softfail smtp.mailfrom=ann@gmail.example; dkim=none", FAIL),
        ("spf=pass smtp.mailfrom=eve@elsewhere.example", FAIL),
        ("spf=pass smtp.helo=gmail.example", FAIL),
        ("spf=pass smtp.mailfrom=", FAIL),
        ("arc=pass; iprev=pass; x-dmarc=pass header.from=gmail.example", FAIL),
        ("auth=pass smtp.auth=ann", FAIL),
        ("auth=fail smtp.auth=ann@gmail.example", FAIL),
        ("none", FAIL),
        ("", FAIL),
    ],
)
def test_dmarc_decides_and_without_it_dkim_or_spf_for_the_same_domain(value, expected):
    assert verdict(results(value)) == expected


def test_only_headers_of_the_named_server_count():
    assert verdict(results(DMARC)) == PASS
    assert verdict(results(DMARC, server="MX.Example.ORG")) == PASS
    assert verdict(results(DMARC, server="mx.example.org 1")) == PASS
    assert verdict(results(DMARC, server="mx.example.org 2")) == FAIL
    for other in ("mx.example.com", "xmx.example.org", "mx.example.org.evil.example", "", "mx"):
        assert verdict(results(DMARC, server=other)) == MISSING
    assert verdict(f"ARC-{results(DMARC)}", f"X-{results(DMARC)}") == MISSING
    assert verdict(results(DMARC), ids=["mx2.example.org", "mx.example.org"]) == PASS
    assert verdict() == MISSING


def test_a_mail_from_several_domains_is_not_confirmed():
    assert verdict(results(DMARC), sender="ann@gmail.example>, <a@gmail.example") == PASS
    both = results(f"{DKIM}; dkim=pass header.d=elsewhere.example")
    assert verdict(both, sender="ann@gmail.example>, <eve@elsewhere.example") == FAIL
    assert verdict(results(DMARC), sender="nobody") == FAIL


def test_a_domain_with_accents_is_what_dns_calls_it():
    header = results("dmarc=pass header.from=xn--bcher-kva.example")
    assert verdict(header, sender="ann@bücher.example") == PASS
    assert verdict(header, sender="ann@bucher.example") == FAIL


def test_the_results_are_shown_without_addresses():
    found = authenticate(mail(results(f"dmarc=fail header.from=gmail.example; {SPF}; x=y")), IDS)
    assert found.results == ("dmarc=fail (gmail.example)", "spf=pass (gmail.example)")


# Forged and hostile headers ----------------------------------------------------------------------

IDS = ["mx.example.org"]


@pytest.mark.parametrize("genuine", ["spf=none", "dmarc=fail header.from=gmail.example", "none"])
@pytest.mark.parametrize(
    "below", [[results(DMARC)], [RECEIVED, results(DMARC)], [results(DKIM)] * 3]
)
def test_what_a_sender_writes_below_the_servers_header_counts_for_nothing(genuine, below):
    assert verdict(RECEIVED, results(genuine), *below) == FAIL
    assert verdict(results(genuine), RECEIVED, *below) == FAIL


def test_a_header_of_another_of_the_named_servers_below_counts_for_nothing_either():
    ids = ["mx1.example.org", "mx2.example.org"]
    headers = [RECEIVED, results("spf=none", ids[0]), results(DMARC, ids[1])]
    assert verdict(*headers, ids=ids) == FAIL
    assert verdict(*headers, ids=ids[1:]) == PASS


@pytest.mark.parametrize(
    "value",
    [
        # CVE-2020-12272: the domain of a signature is gmail.example(.evil.example)
        "dkim=pass header.d=gmail.example(.evil.example) header.s=mail",
        "dkim=pass header.d=gmail.example(.evil.example; spf=none (x)",
        'dkim=pass header.d=gmail.example".evil.example; dkim=pass header.d=a"b.evil.example',
        # An envelope sender in quotes that ends the comment around it.
        'spf=pass (domain of "a) ; dmarc=pass header.from=gmail.example; x=("@evil.example '
        'designates 192.0.2.1) smtp.mailfrom="a) ; dmarc=pass header.from=gmail.example; '
        'x=("@evil.example',
        'spf=pass smtp.mailfrom="ann@gmail.example"@evil.example',
        "spf=pass smtp.mailfrom=ann@gmail.example,@evil.example",
        "dkim=pass header.d=gmail.example\\.evil.example",
        f"(comment ; {DMARC};)",
        f"((nested) {DMARC};)",
        f'x="; {DMARC}"',
        f"dkim=fail ({DMARC};",
        f") {DMARC}",
        f"x) ; dmarc=fail header.from=gmail.example; (y; {DKIM}",
        f'" {DMARC}',
        "dmarc (pass) =fail header.from=gmail.example",
        "spf=none dmarc=pass header.from=gmail.example",
        "dmarcx=pass header.from=gmail.example",
        "nonesuch=pass",
        "dmarc=pass header.from=gmail.example\0.evil.example",
        "dmarc=pass reason=header.from=gmail.example",
    ],
)
def test_what_a_sender_can_smuggle_into_the_servers_header_confirms_nothing(value):
    assert verdict(results(value)) == FAIL


@pytest.mark.parametrize(
    "value",
    [
        f"(a (nested (comment)) with \\( and ; in it) {DMARC}",
        f'x=y reason="a \\" quoted (text)"; {DMARC}',
        f"\r\n\t{DMARC}",
        f"; ;{DMARC};;",
        f"iprev=pass policy.iprev=2001:db8::1; broken; {DMARC}",
        f"spf=pass (sender IP is 192.0.2.1)smtp.mailfrom=a@gmail.example; {DMARC}",
        "dmarc=pass(p=NONE) header.from=gmail.example",
        'dkim=pass header.b="a/b" header.d="gmail.example"',
    ],
)
def test_odd_but_honest_headers_are_read(value):
    assert verdict(results(value)) == PASS


HUGE = {
    "a long header": [results("x" * 60_000)],
    "a long header in front": [results(f"{'x' * 9000}; {DMARC}")],
    "open comments": [results("(" * 60_000)],
    "nested comments": [results("(" * 30_000 + ")" * 30_000)],
    "thousands of results": [results("spf=pass smtp.mailfrom=a; " * 2400 + DMARC)],
    "thousands of headers": [results("spf=none")] * 1200,
    "properties": [results("spf=pass" + " smtp.b=c" * 800)] * 8,
    "unknown properties": [results("spf=pass" + " a.b=c" * 1300)] * 7,
    "quoted pairs": [results('spf=pass smtp.a="' + "\\a" * 3900 + '"')] * 8,
    "blanks": [results("spf=pass" + " \t" * 3900)] * 8,
    "labels": [results("spf=pass smtp.mailfrom=" + "a." * 3900)] * 8,
    "semicolons": [results(";" * 8000)] * 8,
}


@pytest.mark.parametrize("every_header", [False, True])
@pytest.mark.parametrize("name", HUGE)
def test_no_header_takes_long(name, every_header):
    taken = mail(*HUGE[name])
    began = time.process_time()
    found = authenticate(taken, IDS, every_header=every_header)
    assert time.process_time() - began < 3
    assert found.verdict == FAIL
    assert sum(map(len, found.results)) < 10_000


def test_too_many_results_or_headers_are_not_read():
    assert verdict(results("a=b;" * 49 + DMARC)) == PASS
    assert verdict(results("a=b;" * 50 + DMARC)) == FAIL
    assert verdict(*[results("spf=none")] * 9, results(DKIM), RECEIVED) == PASS
    assert verdict(*[results("spf=none")] * 10, results(DKIM), RECEIVED) == FAIL


def test_any_header_is_read_without_an_error():
    chance = random.Random(1)
    pieces = [
        "spf",
        "dkim",
        "dmarc",
        "header",
        "smtp",
        ".from",
        "mailfrom",
        "pass",
        "none",
        "reason",
    ]
    pieces += [*'=;() "\\.@/1-:<>{}%\t\0é\x7f\x85\u2028']
    for _ in range(3000):
        value = "".join(chance.choices(pieces, k=chance.randrange(30)))
        assert verdict(results(value), sender="ann@elsewhere.example") == FAIL
