"""An address is one thing: normalised where it enters, compared exactly."""

import re
from pathlib import Path

import allauth.account
import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import override
from hypothesis import example, given
from hypothesis import strategies as st

from accounts.addresses import InvalidAddress, normal_or_none, normalize_address
from accounts.models import User
from accounts.users import get_or_create_user_for
from games import errors
from games.services.invitations import invite
from tests.accounts.account_mails import code_to, letters_to
from tests.factories import ModeratorFactory, PersonFactory
from tests.games.play import refused
from tests.games.play import table as open_table

EVE = "eve@xn--bcher-kva.example"
WAYS_TO_WRITE_EVE = [
    EVE,
    "Eve@B\u00fccher.example",
    "EVE@BU\u0308CHER.EXAMPLE",
    " eve@bücher。example ",
]
NO_NORMAL_FORM = [
    *(
        "mi\u212ae@example.net",
        "m\u0131ke@example.net",
        "fay\u017f@example.net",
        "josé@example.net",
    ),
    *("fay@\u2764.example", "fay@xn--\u00e9.example", "fay@", "@example.net", "fay", ""),
    *("\ud800@example.net", "fay@\ud800.example", "fay@x.example\nBcc: eve@x.example"),
    "fay@" + "a." * 130 + "example",
]


# The normal form ---------------------------------------------------------------------------------


@pytest.mark.parametrize("written", WAYS_TO_WRITE_EVE)
def test_every_way_to_write_an_address_has_one_normal_form(written):
    assert normalize_address(written) == EVE


@pytest.mark.parametrize(
    ("address", "normal"),
    [
        ("Fay@Mini.Example", "fay@mini.example"),
        ("fay@m\u0131n\u0131.example", "fay@xn--mn-hpab.example"),
        ("fay@stra\u00dfe.example", "fay@xn--strae-oqa.example"),  # IDNA 2003 said strasse
        ("fay+Club@A--B.example", "fay+club@a--b.example"),
        ("a@b@c.example", "a@b@c.example"),
    ],
)
def test_what_differs_stays_different(address, normal):
    assert normalize_address(address) == normal


@pytest.mark.parametrize("address", NO_NORMAL_FORM)
def test_what_has_no_normal_form_is_refused(address):
    with pytest.raises(InvalidAddress):
        normalize_address(address)


@given(st.one_of(st.emails(), st.builds("{}@{}".format, st.text(max_size=9), st.text(max_size=9))))
@example("İ@İ.example")
def test_a_normal_form_is_lower_case_ascii_and_its_own_normal_form(address):
    normal = normal_or_none(address)
    if normal is not None:
        assert normal.isascii()
        assert normal == normal.lower() == normalize_address(normal)


# Signing up and in -------------------------------------------------------------------------------


def sign_up(client, email, username="dora"):
    answers = {"username": username, "email": email, "password1": "a long walk home"}
    return client.post(reverse("account_signup"), answers)


@pytest.fixture
def eve(db):
    return PersonFactory(username="eve", email=EVE)


@pytest.mark.django_db
@pytest.mark.parametrize("written", WAYS_TO_WRITE_EVE)
def test_signing_up_keeps_the_normal_form(client, written):
    sign_up(client, written)
    dora = User.objects.get(username="dora")
    assert dora.email == dora.emailaddress_set.get().email == EVE
    assert len(letters_to(EVE)) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("written", WAYS_TO_WRITE_EVE)
def test_nobody_signs_up_with_anothers_address_written_otherwise(client, eve, written):
    sign_up(client, written)
    assert not User.objects.filter(username="dora").exists()
    assert "There is an account with it already" in letters_to(EVE)[-1]


@pytest.mark.django_db
@pytest.mark.parametrize("written", WAYS_TO_WRITE_EVE)
def test_signing_in_takes_an_address_however_it_is_written(client, eve, written):
    client.post(reverse("account_login"), {"login": written, "password": "secret"})
    assert client.session["_auth_user_id"] == str(eve.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("written", WAYS_TO_WRITE_EVE)
def test_a_code_opens_for_an_address_however_it_is_written(client, eve, written):
    answer = client.post(reverse("account_request_login_code"), {"email": written})
    client.post(answer.url, {"code": code_to(EVE)})
    assert client.session["_auth_user_id"] == str(eve.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("written", WAYS_TO_WRITE_EVE)
def test_the_letter_that_resets_a_password_goes_to_the_normal_form(client, eve, written):
    client.post(reverse("account_reset_password"), {"email": written})
    assert "/accounts/password/reset/key/" in letters_to(EVE)[-1]


LOOKALIKES = ["m\u0131ke@k\u0131.example", "mi\u212ae@\u212a\u0131.example", "mike@k\u0131.example"]


@pytest.mark.django_db
@pytest.mark.parametrize("written", LOOKALIKES)
@pytest.mark.parametrize(
    "way", ["account_signup", "account_request_login_code", "account_reset_password"]
)
def test_a_lookalike_is_nobodys_address_to_any_form(client, way, written):
    """PostgreSQL: UPPER('ı') = 'I'. Python: '\u212a'.lower() = 'k'."""
    PersonFactory(username="mike", email="mike@ki.example")
    client.post(
        reverse(way), {"email": written, "username": "dora", "password1": "a long walk home"}
    )
    client.post(reverse("account_login"), {"login": written, "password": "secret"})
    assert letters_to("mike@ki.example") == []
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("way", ["account_signup", "account_reset_password"])
def test_letters_outside_ascii_before_the_at_are_refused_with_a_sentence(client, way, language):
    client.post(reverse("choose_language"), {"language": language})
    answers = {"username": "dora", "password1": "a long walk home", "email": "josé@example.net"}
    page = client.post(reverse(way), answers)
    said = {"en": "only Latin letters before the @", "fr": "sans accents, en lettres latines"}
    assert said[language] in page.text
    assert not User.objects.filter(username="dora").exists()


@pytest.mark.django_db
def test_an_address_is_added_in_its_normal_form_and_once(client, ann, eve):
    path = reverse("account_email")
    client.post(reverse("account_login"), {"login": "ann", "password": "secret"})
    client.post(reverse("account_reauthenticate"), {"password": "secret"})
    client.post(path, {"action_add": "", "email": "Ann@B\u00fccher.example"})
    code = code_to("ann@xn--bcher-kva.example")
    client.post(reverse("account_email_verification_sent"), {"code": code})
    assert ann.emailaddress_set.filter(email="ann@xn--bcher-kva.example", verified=True).exists()
    page = client.post(path, {"action_add": "", "email": "ANN@b\u00fccher.example"})
    assert "field-error" in page.text
    assert ann.emailaddress_set.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "the part before the @ may only use letters"),
        ("fr", "la partie avant le @ ne doit contenir que"),
    ],
)
def test_no_such_address_is_invited(ann, now, language, said):
    game = open_table(ann, now=now)
    with refused(
        errors.AddressNotLatin, "the part before the @ may only use letters", status=422
    ) as caught:
        invite(game_id=game.pk, by=ann, email="m\u0131ke@example.net", now=now)
    with override(language):
        assert said in caught.value.sentence


@pytest.mark.django_db
def test_an_address_is_invited_once_however_it_is_written(ann, now):
    game = open_table(ann, now=now)
    invite(game_id=game.pk, by=ann, email=EVE, now=now)
    with refused(errors.AlreadyInvited, "has already been invited", status=409):
        invite(game_id=game.pk, by=ann, email="Eve@B\u00fccher.example", now=now)
    with refused(errors.BadAddress, "is not an e-mail address", status=422):
        invite(game_id=game.pk, by=ann, email="eve@\u2764.example", now=now)


# Everything else that makes accounts -------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("written", WAYS_TO_WRITE_EVE)
def test_who_answers_an_invitation_is_found_however_the_address_is_written(eve, written):
    assert get_or_create_user_for(written, name="Eve", language="en") == eve


@pytest.mark.django_db
def test_a_lookalike_that_answers_an_invitation_is_somebody_new(db):
    fay = PersonFactory(username="fay", email="fay@mini.example")
    assert get_or_create_user_for("fay@m\u0131n\u0131.example", name="Fay", language="en") != fay


@pytest.mark.django_db
def test_hosts_make_accounts_with_normal_addresses(client):
    client.force_login(ModeratorFactory(username="keeper"))
    path = reverse("admin:accounts_user_add")
    answers = {"username": "dora", "usable_password": "false"}
    page = client.post(path, answers | {"email": "m\u0131ke@example.net"})
    assert "only Latin letters before the @" in page.text
    client.post(path, answers | {"email": "Dora@B\u00fccher.example"})
    assert User.objects.get(username="dora").email == "dora@xn--bcher-kva.example"


@pytest.mark.django_db
def test_superusers_add_normal_addresses(client, ann):
    client.force_login(ModeratorFactory(username="keeper"))
    path = reverse("admin:account_emailaddress_add")
    page = client.post(path, {"user": ann.pk, "email": "m\u0131ke@example.net"})
    assert "only Latin letters before the @" in page.text
    client.post(path, {"user": ann.pk, "email": "Ann@B\u00fccher.example"})
    assert ann.emailaddress_set.filter(email="ann@xn--bcher-kva.example").exists()


@pytest.mark.django_db
def test_the_command_line_makes_accounts_with_normal_addresses():
    with pytest.raises(CommandError, match="only Latin letters before the @"):
        call_command(
            "createsuperuser", username="dora", email="m\u0131ke@example.net", interactive=False
        )
    call_command(
        "createsuperuser", username="dora", email="Dora@B\u00fccher.org", interactive=False
    )
    assert User.objects.get(username="dora").email == "dora@xn--bcher-kva.org"


# The database ------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    "written", ["Ann@else.example", "ann@b\u00fccher.example", "\u0131@x.example"]
)
def test_the_database_takes_only_normal_forms(ann, written):
    row = EmailAddress(user=ann, email=written)
    with pytest.raises(IntegrityError), transaction.atomic():
        EmailAddress.objects.bulk_create([row])
    with pytest.raises(IntegrityError), transaction.atomic():
        EmailAddress.objects.filter(user=ann).update(email=written)
    assert ann.emailaddress_set.get().email == ann.email


@pytest.mark.django_db
def test_a_verified_address_is_one_accounts(ann, bob):
    with pytest.raises(IntegrityError), transaction.atomic():
        EmailAddress.objects.create(user=bob, email="ANN@example.org", verified=True)


@pytest.mark.django_db
def test_a_row_of_allauths_is_normalised_or_refused_when_it_is_saved(ann):
    assert EmailAddress.objects.create(user=ann, email="A@B\u00fccher.example").email == (
        "a@xn--bcher-kva.example"
    )
    with pytest.raises(ValidationError):
        EmailAddress.objects.create(user=ann, email="m\u0131ke@example.net")


# The source --------------------------------------------------------------------------------------

OURS = ("accounts", "games", "notifications", "config")
CASELESS = re.compile(
    r"""(?:email|address|sender|recipient)\w*__i(?:exact|contains|startswith|endswith|regex|n_lower)
    | (?:Lower|Upper|Collate)\(\s*["'][\w]*(?:email|address|sender)
    | (?:LOWER|UPPER)\(\s*"?(?:email|address|sender)""",
    re.VERBOSE,
)


def test_no_code_of_ours_compares_addresses_without_case():
    read = 0
    for folder in OURS:
        for path in (settings.BASE_DIR / folder).rglob("*.py"):
            read += 1
            if path.parent.name != "migrations":
                assert CASELESS.search(path.read_text()) is None, path
    assert read > 200


@pytest.mark.parametrize(
    "line", ["email__iexact=x", "address__istartswith", 'Lower("email")', "UPPER(address)"]
)
def test_the_search_above_finds_what_it_looks_for(line):
    assert CASELESS.search(line)


def test_allauth_compares_user_names_alone_without_case():
    """A new version that looks for addresses so would have to be looked at before it is used."""
    found = []
    for path in Path(allauth.account.__file__).parent.rglob("*.py"):
        if "migrations" not in path.parts and "tests" not in path.parts:
            lines = path.read_text().splitlines()
            found += [line.strip() for line in lines if re.search("__i[a-z]|Lower|Upper", line)]
    compared = [line for line in found if not line.startswith(("def ", "return ", "#"))]
    assert {line for line in compared if "__iexact" in line} == {
        'Q(**{f"{app_settings.USER_MODEL_USERNAME_FIELD}__iexact": u})'
    }
