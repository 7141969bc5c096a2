"""Migrations can be applied while the older processes still run."""

import pytest
from django.conf import settings
from django_migration_linter import MigrationLinter

# Makes what is reported unique. No older process writes reports: none can break.
UNIQUE_BEFORE_ANYBODY_WROTE = ["0013_reports_of_messages"]


@pytest.mark.postgresql
@pytest.mark.django_db
def test_no_migration_breaks_processes_that_still_run(capsys):
    linter = MigrationLinter(
        str(settings.BASE_DIR),
        include_apps=["accounts", "games", "notifications"],
        no_cache=True,
        quiet=["ok", "ignore"],
        ignore_name=UNIQUE_BEFORE_ANYBODY_WROTE,
    )
    linter.lint_all_migrations()
    assert linter.nb_total > 3
    assert not linter.has_errors, capsys.readouterr().out
