"""Note which names are taken, so that nobody can have one that looks like another's."""

from collections import defaultdict

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from accounts.names import name_keys

BATCH = 2000


def take(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Assign each key to the oldest user who has it. User names come before display names."""
    taken = apps.get_model("accounts", "TakenName")
    people = apps.get_model("accounts", "User").objects.order_by("pk")
    owners: dict[str, int] = {}
    alike = defaultdict(set)
    for field in ("username", "display_name"):
        for pk, name in people.values_list("pk", field).iterator(BATCH):
            for key in name_keys(name):
                if owners.setdefault(key, pk) != pk:
                    alike[key].add(pk)
    taken.objects.bulk_create(
        (taken(key=key, user_id=pk) for key, pk in owners.items()), batch_size=BATCH
    )
    for key, others in sorted(alike.items()):
        print(  # noqa: T201
            f"  The name “{key}” is user {owners[key]}'s; it looks like a name of user "
            f"{', '.join(map(str, sorted(others)))}, who can keep it."
        )


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0009_only_normal_addresses"),
    ]

    operations = [
        migrations.CreateModel(
            name='TakenName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200, unique=True, verbose_name='key')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='taken_names', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'verbose_name': 'taken name',
                'verbose_name_plural': 'taken names',
            },
        ),
        migrations.RunPython(take, migrations.RunPython.noop),
    ]
