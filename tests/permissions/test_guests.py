"""What a guest is answered: the same as a stranger to the games, but for the exceptions here."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.guests import create_guest
from tests.permissions import rows
from tests.permissions.asking import LOGIN, ONWARDS, WHO, Asker, outcome, sign_in
from tests.permissions.test_permissions_of_every_address import ROWS, address, expected
from tests.sample_site import SAID_IN_PRIVATE, SAID_TO_ONESELF

pytestmark = pytest.mark.django_db

REFUSED = 403

TO_SIGN_UP = dict.fromkeys(
    (
        *("profile_edit", "public_profile", "mail_preferences", "sign_ins", "usersessions_list"),
        *("notifications", "notifications_on", "notifications_off", "notifications_test"),
        *("webhooks", "webhook_add", "webhook_test", "webhook_secret", "webhook_on"),
        "webhook_remove",
        *("your_data", "your_data_file", "delete_account", "keep_account"),
        *("programs", "create_token", "revoke_token"),
        *("create_program", "program_settings", "delete_program"),
        *("account_reauthenticate", "account_email", "account_change_password"),
        *("mfa_index", "mfa_activate_totp", "mfa_deactivate_totp", "mfa_view_recovery_codes"),
        *("mfa_generate_recovery_codes", "mfa_download_recovery_codes", "mfa_list_webauthn"),
        *("mfa_add_webauthn", "mfa_remove_webauthn", "mfa_edit_webauthn"),
    ),
    (ONWARDS, ONWARDS),
)
"""The settings of an account: a guest has none, and is led to where they sign up."""

EXCEPTIONS = TO_SIGN_UP | {
    # A guest signs up or in to an account.
    "account_signup": (200, 200),
    "account_login": (200, 200),
    "account_request_login_code": (200, 200),
    # Steps that nobody can take before the first one.
    "account_confirm_login_code": (LOGIN, LOGIN),
    "account_email_verification_sent": (LOGIN, LOGIN),
    "mfa_authenticate": (LOGIN, LOGIN),
    "mfa_login_webauthn": (LOGIN, LOGIN),
    # A guest plays with nobody but bots, and says nothing.
    "seat_claim public": (405, REFUSED),
    "table_join open table": (405, REFUSED),
    "invitation_answer": (405, REFUSED),
    "table_link_join": (405, REFUSED),
    # A guest analyses their own games alone.
    "analysis over": (REFUSED, 405),
    "analysis_delete shared": (405, REFUSED),
    "follow": (405, REFUSED),
    "act_in_league": (405, REFUSED),
    "act_on_ladder": (405, REFUSED),
    "act_in_tournament": (405, REFUSED),
    "new_club": (200, REFUSED),
    "report player": (REFUSED, REFUSED),
    "report public game": (REFUSED, REFUSED),
}
"""What a guest is answered to GET and POST, by the row of tests/permissions/rows.py."""


@pytest.fixture(scope="module")
def asker(site):
    made = Asker(site)
    made.clients["guest"] = Client(raise_request_exception=False)
    sign_in(made.clients["guest"], create_guest(language="en", now=timezone.now()))
    return made


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.slow
def test_a_guest_is_answered_like_a_stranger_with_exceptions(row, site, asker):
    who = WHO if row.name.startswith("admin") else WHO[:-1]
    where = address(row, site)
    like_cat = (expected(row.safe, who)["cat"], expected(row.post, who)["cat"])
    answers = [asker.ask("guest", method, where, rows.SENT) for method in ("GET", "POST")]
    assert tuple(map(outcome, answers)) == EXCEPTIONS.get(str(row), like_cat)
    assert answers[0].written == []
    for said in (SAID_IN_PRIVATE, SAID_TO_ONESELF):
        assert not any(said.encode() in answer.content for answer in answers)


def test_every_exception_has_a_row():
    assert EXCEPTIONS.keys() - set(map(str, ROWS)) == set()
