"""`flush`, which Django runs after each test that commits, puts the tables back."""

from typing import Any

from django.core.management.commands import flush

from tests import table_snapshot


class Command(flush.Command):
    help = "Let every table hold what the migrations left in it, which is quicker than Django's."

    def handle(self, *args: Any, **options: Any) -> None:
        table_snapshot.restore()
