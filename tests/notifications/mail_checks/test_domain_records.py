"""What `maildoctor` says of the reply domain, MX, SPF, DKIM and DMARC."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from notifications.services.mail_checks.base import Severity
from notifications.services.mail_checks.dns_lookups import DnsResolver
from notifications.services.mail_checks.domain_records import (
    check_dkim,
    check_dmarc,
    check_mx,
    check_reply_domain,
)
from notifications.services.mail_checks.run import run_checks
from notifications.services.mail_checks.spf import check_spf

REPLY, SENDER = "play.pli.example.org", "pli.example.org"
KEY, POLICY = f"pli._domainkey.{SENDER}", f"_dmarc.{SENDER}"


def published(key):
    data = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(data).decode()


# The reply domain --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("domain", "level"),
    [
        (SENDER, "ok"),
        (REPLY, "ok"),
        ("notpli.example.org", "warn"),
        ("example.net", "warn"),
        ("localhost", "warn"),
        ("play_it.example.org", "fail"),
        ("-play.example.org", "fail"),
        ("play..example.org", "fail"),
        ("a" * 64 + ".example.org", "fail"),
        ("", "fail"),
    ],
)
def test_the_reply_domain_is_a_name_at_or_below_the_mail_domain(case, host, domain, level):
    host.REPLY_DOMAIN = domain
    found = check_reply_domain(case)
    assert found.severity == level
    assert bool(found.advice) is (level != "ok")


# MX ----------------------------------------------------------------------------------------------


def test_mail_goes_to_the_servers_in_their_order(case, names):
    names.known = {
        (REPLY, "MX"): ["20 b.example.org.", "10 a.example.org."],
        ("a.example.org", "A"): ["192.0.2.1"],
        ("b.example.org", "AAAA"): ["2001:db8::1"],
    }
    found = check_mx(case)
    assert (found.severity, found.sentence) == (
        "ok",
        f"Mail to {REPLY} goes to a.example.org, b.example.org.",
    )


@pytest.mark.parametrize(
    ("known", "level", "said"),
    [
        ({}, "fail", "has no MX"),
        ({(REPLY, "A"): ["192.0.2.1"]}, "warn", "mail goes to its address"),
        ({(REPLY, "MX"): ["0 ."]}, "fail", "takes no mail at all"),
        ({(REPLY, "MX"): ["10 gone.example.org."]}, "fail", "gone.example.org has no address"),
    ],
)
def test_without_a_server_nothing_arrives(case, names, known, level, said):
    names.known = known
    found = check_mx(case)
    assert found.severity == level
    assert said in found.sentence
    assert found.advice


# SPF ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        "v=spf1 ip4:192.0.2.7 -all",
        "v=spf1 ip4:192.0.2.0/24 ~all",
        "V=SPF1 IP4:192.0.2.7 -ALL",
        "v=spf1 include:spf.example.net -all",
        "v=spf1 mx -all",
        "v=spf1 a:out.example.org -all",
        "v=spf1 a:out.example.org/24 -all",
        "v=spf1 redirect=spf.example.net",
        "v=spf1 ip6:2001:db8::/32 ?ip4:192.0.3.1 ip4:192.0.2.7 -all",
    ],
)
def test_spf_that_names_us_is_well(case, names, record):
    names.known = {
        (REPLY, "MX"): ["10 out.example.org."],
        ("out.example.org", "A"): ["192.0.2.7"],
    }
    names.txt(REPLY, "something=else", record)
    names.txt("spf.example.net", "v=spf1 ip4:192.0.2.7 -all")
    found = check_spf(case)
    assert (found.severity, found.advice) == ("ok", "")
    assert "names 192.0.2.7" in found.sentence


@pytest.mark.parametrize(
    ("records", "level", "said"),
    [
        ([], "fail", "no SPF record"),
        (["v=spf10 -all", "spf1"], "fail", "no SPF record"),
        (["v=spf1 mx -all", "v=spf1 a -all"], "fail", "several"),
        (["v=spf1 ip4:192.0.2.8 -all"], "fail", "does not name 192.0.2.7"),
        (["v=spf1 -ip4:192.0.2.7 ip4:192.0.2.0/24 -all"], "fail", "does not name"),
        (["v=spf1 ~ip4:192.0.2.7 -all"], "fail", "does not name"),
        (["v=spf1 ip4:192.0.2.7 +all"], "warn", "lets anybody send"),
        (["v=spf1 all"], "warn", "lets anybody send"),
        (["v=spf1 ip4:192.0.2.777 -all"], "fail", "cannot be used"),
        (["v=spf1 ipv4:192.0.2.7 -all"], "fail", "“ipv4:192.0.2.7” is not valid"),
        (["v=spf1 include:nothing.example.net -all"], "fail", "nothing.example.net has no record"),
    ],
)
def test_spf_that_does_not_name_us_is_told(case, names, records, level, said):
    names.txt(REPLY, *records)
    found = check_spf(case)
    assert found.severity == level
    assert said in found.sentence
    assert found.advice


@pytest.mark.parametrize(("asked", "level"), [(10, "ok"), (11, "fail")])
def test_spf_may_ask_dns_ten_times(case, names, asked, level):
    names.txt(REPLY, "v=spf1 include:more.example.net ip4:192.0.2.7 -all")
    rest = " ".join(f"a:host{number}.example.net" for number in range(asked - 1))
    names.txt("more.example.net", f"v=spf1 {rest} -all")
    assert check_spf(case).severity == level


def test_spf_that_includes_itself_comes_to_an_end(case, names):
    names.txt(REPLY, f"v=spf1 include:{REPLY} include:{REPLY} -all")
    assert check_spf(case).severity == "fail"


def test_spf_without_our_address_is_shown(case, names):
    names.txt(REPLY, "v=spf1 mx -all")
    case.ip = ""
    found = check_spf(case)
    assert found.severity == "ok"
    assert "v=spf1 mx -all" in found.sentence
    assert "--ip" in found.sentence


# DKIM --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bits", "level"), [(2048, "ok"), (1024, "warn")])
def test_an_rsa_key_should_be_long(case, names, bits, level):
    key = published(rsa.generate_private_key(65537, bits))
    names.txt(KEY, f"v=DKIM1; k=rsa; p={key}")
    assert check_dkim(case).severity == level


def test_an_ed25519_key_has_32_bytes(case, names):
    names.txt(KEY, f"v=DKIM1; k=ed25519; p={base64.b64encode(b'x' * 32).decode()}")
    assert check_dkim(case).severity == "ok"
    names.txt(KEY, f"v=DKIM1; k=ed25519; p={base64.b64encode(b'x' * 31).decode()}")
    assert "31 bytes" in check_dkim(case).sentence


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([], "There is no key"),
        (["v=DKIM1; p="], "revoked"),
        (["v=DKIM1; k=rsa"], "“p=” is missing"),
        (["v=DKIM1; p=not*base64"], "is not a key"),
        (["v=DKIM1; p=AAAA"], "is not a key"),
        (["v=DKIM2; p=AAAA"], "v=DKIM2"),
        (["v=DKIM1; p=AAAA", "v=DKIM1; p=AAAB"], "several"),
        ([f"p={published(ec.generate_private_key(ec.SECP256R1()))}"], "is not a key"),
    ],
)
def test_what_is_no_key_is_told(case, names, records, said):
    names.txt(KEY, *records)
    found = check_dkim(case)
    assert found.severity == "fail"
    assert said in found.sentence
    assert found.advice


def test_a_key_is_not_asked_for_without_its_name(case, names):
    case.dkim_selector = ""
    found = check_dkim(case)
    assert found.severity == "warn"
    assert "--dkim-selector" in found.advice


# DMARC -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "record", "level", "said"),
    [
        (POLICY, "v=DMARC1; p=reject", "ok", "“reject”"),
        (POLICY, "v=DMARC1; p=quarantine; aspf=r", "ok", "“quarantine”"),
        (POLICY, "v=DMARC1; p=none", "warn", "“none”"),
        (POLICY, "v=DMARC1; p=reject; aspf=s", "warn", "is not aligned"),
        (POLICY, "v=DMARC1; rua=mailto:a@example.org", "fail", "no policy"),
        (POLICY, "v=DMARC1; p=never", "fail", "no policy"),
        (POLICY, "v=DMARC10; p=reject", "warn", "no DMARC record"),
        ("_dmarc.example.org", "v=DMARC1; p=reject", "ok", "_dmarc.example.org is “reject”"),
        ("_dmarc.example.org", "v=DMARC1; p=reject; sp=none", "warn", "“none”"),
    ],
)
def test_dmarc(case, names, at, record, level, said):
    names.txt(at, record)
    found = check_dmarc(case)
    assert found.severity == level
    assert said in found.sentence
    assert bool(found.advice) is (level != "ok")


def test_two_dmarc_records_are_none(case, names):
    names.txt(POLICY, "v=DMARC1; p=reject", "v=DMARC1; p=none")
    assert check_dmarc(case).severity == "fail"


def test_an_envelope_of_another_domain_does_not_count_as_ours(case, names, host):
    names.txt(POLICY, "v=DMARC1; p=reject")
    host.REPLY_DOMAIN = "notpli.example.org"
    assert "is not aligned" in check_dmarc(case).sentence
    host.REPLY_DOMAIN = SENDER
    assert check_dmarc(case).severity == "ok"


# No answer ---------------------------------------------------------------------------------------

ASKING = {"MX", "SPF", "DKIM", "DMARC"}


@pytest.mark.parametrize("is_there", [True, False])
def test_without_dns_each_record_is_a_warning(db, case, names, is_there):
    names.is_ill = True
    if not is_there:
        case.dns = DnsResolver(None)
    found = dict(run_checks(case))
    assert {found[name].severity for name in ASKING} == {Severity.WARN}
    assert all("DNS query failed" in found[name].sentence for name in ASKING)


def test_without_a_public_domain_dns_is_not_asked(db, case, names, host):
    host.MAIL_DOMAIN = host.REPLY_DOMAIN = "localhost"
    host.DEFAULT_FROM_EMAIL = "Pli <games@localhost>"
    found = dict(run_checks(case))
    assert {found[name].sentence for name in ASKING} == {
        "Not checked: “localhost” is not in the public DNS."
    }
