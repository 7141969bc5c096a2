"""Migrations can be applied while the older processes still run."""

import pytest
from django.conf import settings
from django_migration_linter import MigrationLinter

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]

WEAKER = ["0048_club_ladders"]
"""Migrations whose unique constraints let pass all that one did which they replace.

So no older process can break them; the linter knows only that a constraint is new.
"""


def linted(**options):
    linter = MigrationLinter(
        str(settings.BASE_DIR),
        include_apps=["config", "accounts", "games", "notifications"],
        no_cache=True,
        quiet=["ok", "ignore"],
        **options,
    )
    linter.lint_all_migrations()
    return linter


def test_no_migration_breaks_processes_that_still_run(capsys):
    linter = linted(ignore_name=WEAKER)
    assert linter.nb_total > 3
    assert not linter.has_errors, capsys.readouterr().out


def test_a_weaker_constraint_is_all_that_is_excused(capsys):
    linter = linted(include_name=WEAKER, exclude_migration_tests=["ADD_UNIQUE"])
    assert linter.nb_valid + linter.nb_warnings == len(WEAKER)
    assert not linter.has_errors, capsys.readouterr().out
