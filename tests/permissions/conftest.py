"""The site of which everybody asks everything."""

import logging

import pytest
from django.db import transaction
from django.utils import timezone

from tests.sample_site import populate


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker):
    """One site for all rows: whatever is asked there is taken back."""
    logging.disable(logging.ERROR)  # each refusal would be written down
    with django_db_blocker.unblock(), transaction.atomic():
        yield populate(now=timezone.now())
        transaction.set_rollback(True)
    logging.disable(logging.NOTSET)
