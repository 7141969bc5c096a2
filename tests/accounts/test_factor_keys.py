"""The secrets of second factors are encrypted in the database, under keys that can be changed."""

import importlib
import json
import threading

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from cryptography.fernet import Fernet
from django.apps import apps
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from accounts import factor_keys
from tests.accounts.test_sign_in import SECRET, current_totp, is_signed_in, sign_in
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

OLD, NEW, OTHER = (Fernet.generate_key().decode() for _ in range(3))
SEED = "5eed" * 20


@pytest.fixture(autouse=True)
def keys(settings):
    """Begin with one key."""
    settings.FACTOR_KEYS = [OLD]
    return settings


def kept(person):
    """Return what the database keeps of a person's factors, by type."""
    return dict(Authenticator.objects.filter(user=person).values_list("type", "data"))


def opens(key, text):
    return Fernet(key).decrypt(text.encode()).decode()


def with_plain_factors(username):
    """Return somebody whose secrets lie in plain text, as they did before there were keys."""
    person = PersonFactory(username=username)
    totp, codes = Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES
    Authenticator.objects.create(user=person, type=totp, data={"secret": SECRET})
    data = {"seed": SEED, "used_mask": 5}
    Authenticator.objects.create(user=person, type=codes, data=data)
    return person


def codes_of(person):
    return RecoveryCodes(Authenticator.objects.get(user=person, type="recovery_codes"))


def rotate():
    call_command("rotate_factor_keys")


# Keeping -------------------------------------------------------------------------------------


def test_the_database_holds_neither_a_secret_nor_a_seed(ann):
    TOTP.activate(ann, SECRET)
    RecoveryCodes.activate(ann)
    factors = kept(ann)
    assert SECRET not in json.dumps(factors)
    assert opens(OLD, factors["totp"]["secret"]) == SECRET
    assert len(opens(OLD, factors["recovery_codes"]["seed"])) == 80


def test_secrets_that_are_encrypted_still_sign_in(client, another_browser, ann):
    TOTP.activate(ann, SECRET)
    RecoveryCodes.activate(ann)
    (code, *_) = codes_of(ann).get_unused_codes()
    for browser in (client, another_browser):
        sign_in(browser, "ann")
    client.post(reverse("mfa_authenticate"), {"code": current_totp()})
    another_browser.post(reverse("mfa_authenticate"), {"code": code})
    assert is_signed_in(client, ann)
    assert is_signed_in(another_browser, ann)


def test_a_new_key_writes_and_the_old_one_still_reads(client, ann, bob, keys):
    TOTP.activate(ann, SECRET)
    keys.FACTOR_KEYS = [NEW, OLD]
    TOTP.activate(bob, SECRET)
    assert opens(NEW, kept(bob)["totp"]["secret"]) == SECRET
    sign_in(client, "ann")
    client.post(reverse("mfa_authenticate"), {"code": current_totp()})
    assert is_signed_in(client, ann)


def test_what_was_kept_in_plain_text_still_signs_in(client):
    person = with_plain_factors("old")
    sign_in(client, "old")
    client.post(reverse("mfa_authenticate"), {"code": current_totp()})
    assert is_signed_in(client, person)


# Rotating ------------------------------------------------------------------------------------


def test_rotating_encrypts_everything_with_the_newest_key(keys, monkeypatch, capsys):
    monkeypatch.setattr(factor_keys, "BATCH", 2)
    plain = [with_plain_factors(f"plain{number}") for number in range(3)]
    before = [codes_of(person).get_unused_codes() for person in plain]
    ann = PersonFactory(username="ann")
    TOTP.activate(ann, SECRET)
    keys.FACTOR_KEYS = [NEW, OLD]
    rotate()
    assert "7 second factors" in capsys.readouterr().out
    keys.FACTOR_KEYS = [NEW]
    for person in (*plain, ann):
        assert opens(NEW, kept(person)["totp"]["secret"]) == SECRET
    assert [codes_of(person).get_unused_codes() for person in plain] == before
    assert [kept(person)["recovery_codes"]["used_mask"] for person in plain] == [5, 5, 5]


def test_rotating_twice_changes_nothing_the_second_time(capsys):
    person = with_plain_factors("plain")
    rotate()
    once = kept(person)
    capsys.readouterr()
    rotate()
    assert kept(person) == once
    assert "0 second factors" in capsys.readouterr().out


def test_rotating_leaves_passkeys_and_factors_without_a_secret_alone(ann, moderator):
    passkey = {"name": "Key", "credential": {"id": "abc"}}
    Authenticator.objects.create(user=ann, type="webauthn", data=passkey)
    rotate()
    assert kept(ann)["webauthn"] == passkey
    assert kept(moderator)["totp"] == {}


def test_rotating_encrypts_codes_that_were_brought_from_elsewhere(ann):
    data = {"migrated_codes": ["abc123", "def456"], "used_mask": 0}
    Authenticator.objects.create(user=ann, type="recovery_codes", data=data)
    rotate()
    first, second = kept(ann)["recovery_codes"]["migrated_codes"]
    assert (opens(OLD, first), opens(OLD, second)) == ("abc123", "def456")


def test_rotating_refuses_what_no_key_reads_by_name_and_loses_nothing(ann, bob, keys):
    TOTP.activate(ann, SECRET)
    lost = kept(ann)
    keys.FACTOR_KEYS = [OTHER]
    TOTP.activate(bob, SECRET)
    keys.FACTOR_KEYS = [NEW, OTHER]
    with pytest.raises(CommandError, match=r"PLI_FACTOR_KEYS reads 1 second factor\."):
        rotate()
    assert kept(ann) == lost
    assert opens(NEW, kept(bob)["totp"]["secret"]) == SECRET
    keys.FACTOR_KEYS = [NEW, OLD]
    rotate()
    assert opens(NEW, kept(ann)["totp"]["secret"]) == SECRET


def wait_for_a_blocked_lock():
    """Return once another connection waits for a lock."""
    with connection.cursor() as cursor:
        for _ in range(100_000):
            cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
            if cursor.fetchone():
                return
    raise AssertionError("nobody waits")


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_rotating_forgets_no_code_that_is_used_at_the_same_moment():
    person = with_plain_factors("plain")
    (code, *_) = codes_of(person).get_unused_codes()

    def work():
        try:
            rotate()
        finally:
            connection.close()

    rotating = threading.Thread(target=work)
    with transaction.atomic():
        assert codes_of(person).validate_code(code)
        rotating.start()
        wait_for_a_blocked_lock()
    rotating.join(60)
    assert opens(OLD, kept(person)["recovery_codes"]["seed"]) == SEED
    assert not codes_of(person).validate_code(code)


# The upgrade ---------------------------------------------------------------------------------

MIGRATION = "accounts.migrations.0006_encrypt_factor_secrets"


def test_the_upgrade_encrypts_what_is_there_and_can_be_taken_back():
    person = with_plain_factors("plain")
    before = kept(person)
    migration = importlib.import_module(MIGRATION)
    migration.encrypt(apps, None)
    assert opens(OLD, kept(person)["totp"]["secret"]) == SECRET
    assert opens(OLD, kept(person)["recovery_codes"]["seed"]) == SEED
    migration.decrypt(apps, None)
    assert kept(person) == before


# A key that is missing -----------------------------------------------------------------------


def test_signing_in_without_the_right_key_says_so_and_loses_nothing(client, ann, keys, caplog):
    TOTP.activate(ann, SECRET)
    before = kept(ann)
    sign_in(client, "ann")
    keys.FACTOR_KEYS = [OTHER]
    answer = client.post(reverse("mfa_authenticate"), {"code": current_totp()})
    assert answer.status_code == 503
    assert "Your second factor cannot be checked at the moment" in answer.text
    assert not is_signed_in(client, ann)
    assert kept(ann) == before
    assert "PLI_FACTOR_KEYS" in caplog.text
    keys.FACTOR_KEYS = [OLD]
    client.post(reverse("mfa_authenticate"), {"code": current_totp()})
    assert is_signed_in(client, ann)


def test_a_page_that_would_show_recovery_codes_says_so_too(ann, keys):
    RecoveryCodes.activate(ann)
    TOTP.activate(ann, SECRET)
    client = Client()
    sign_in(client, "ann")
    client.post(reverse("mfa_authenticate"), {"code": current_totp()})
    client.post(reverse("account_reauthenticate"), {"password": "secret"})
    assert client.get(reverse("mfa_view_recovery_codes")).status_code == 200
    keys.FACTOR_KEYS = [OTHER]
    answer = client.get(reverse("mfa_view_recovery_codes"))
    assert answer.status_code == 503
    assert "cannot be checked at the moment" in answer.text


# Checks --------------------------------------------------------------------------------------


def complaints():
    return [(one.id, one.msg) for one in run_checks() if one.id.startswith("accounts.")]


def test_one_key_or_several_are_right(keys):
    keys.FACTOR_KEYS = [NEW, OLD]
    assert complaints() == []


@pytest.mark.parametrize("wrong", [[], [""], ["short"], [NEW, "x" * 44], [NEW[:-1]], [NEW + "=="]])
def test_keys_that_are_none_are_refused_by_name_and_not_repeated(keys, wrong):
    keys.FACTOR_KEYS = wrong
    ((code, message),) = complaints()
    assert code == "accounts.E001"
    assert "PLI_FACTOR_KEYS" in message
    assert NEW[:-1] not in message
