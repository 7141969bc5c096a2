"""Write the words of all names, two thousand users at a time.

Not in one transaction: nobody waits for more than one batch. A migration that was interrupted can
be run again.
"""

from django.apps.registry import Apps
from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Max

from accounts.names import search_words

BATCH = 2000


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Write the words of everybody but guests."""
    words = apps.get_model("accounts", "SearchWord").objects
    people = apps.get_model("accounts", "User").objects.filter(guest_until=None)
    last = people.aggregate(last=Max("pk"))["last"] or 0
    for first in range(1, last + 1, BATCH):
        batch = people.filter(pk__gte=first, pk__lt=first + BATCH)
        with transaction.atomic():
            words.filter(user__in=batch).delete()
            words.bulk_create(
                words.model(user_id=pk, words=found)
                for pk, *names in batch.values_list("pk", "username", "display_name")
                for found in sorted(search_words(*names))
            )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("accounts", "0018_public_profiles"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
