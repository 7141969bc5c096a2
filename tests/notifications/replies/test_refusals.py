"""What mail servers say when they refuse a mail: only “no such address” is held against it."""

import pytest
from django.conf import settings

from notifications.mail_parser.refusals import is_no_such_address

SAID = settings.BASE_DIR / "tests" / "corpus" / "refusals"


def rows(name):
    return (SAID / f"{name}.txt").read_text().splitlines()


@pytest.mark.parametrize("said", rows("no_such_address"))
def test_no_such_mailbox_or_domain(said):
    assert is_no_such_address(said)


@pytest.mark.parametrize("said", ["", *rows("other")])
def test_policy_reputation_rate_size_and_full_mailboxes_say_nothing_of_the_address(said):
    assert not is_no_such_address(said)
