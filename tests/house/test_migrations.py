"""Migrations can be applied while the older processes still run."""

import pytest
from django.conf import settings
from django_migration_linter import MigrationLinter


@pytest.mark.postgresql
@pytest.mark.django_db
def test_no_migration_breaks_processes_that_still_run(capsys):
    linter = MigrationLinter(
        str(settings.BASE_DIR),
        include_apps=["config", "accounts", "games", "notifications"],
        no_cache=True,
        quiet=["ok", "ignore"],
    )
    linter.lint_all_migrations()
    assert linter.nb_total > 3
    assert not linter.has_errors, capsys.readouterr().out
