"""A service of its own with programs, for tests: `python -m tests.api.programs_playing TASK ...`.

`prepare NAMES` makes people with tokens and programs with tokens, and prints the secrets.
"""

import json
import sys

import django
from django.utils import timezone


def prepare(*names):
    """Print a token for each name; one that ends in "-bot" is a program of “owner”."""
    from accounts.models import User
    from accounts.programs import create_program
    from tests.api.client import token_for
    from tests.factories import PersonFactory

    owner, now = PersonFactory(username="owner"), timezone.now()
    secrets = {}
    for name in names:
        if name.endswith("-bot"):
            user = create_program(owner=owner, username=name)
        else:
            user = PersonFactory(username=name)
        secrets[name] = token_for(User.objects.get(pk=user.pk), now=now)
    print(json.dumps(secrets))  # noqa: T201


if __name__ == "__main__":
    django.setup()
    {"prepare": prepare}[sys.argv[1]](*sys.argv[2:])
