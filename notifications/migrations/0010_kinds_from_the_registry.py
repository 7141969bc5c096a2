"""Take the kinds of mail from their registry: a new one needs no migration. Changes no table."""

from django.db import migrations, models

import notifications.kinds.registry


class Migration(migrations.Migration):

    dependencies = [
        ("notifications", "0009_map_skip_reasons"),
    ]

    operations = [
        migrations.AlterField(
            model_name="mailpreference",
            name="kind",
            field=models.CharField(
                choices=notifications.kinds.registry.choices, max_length=20, verbose_name="kind"
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=notifications.kinds.registry.choices, max_length=20, verbose_name="kind"
            ),
        ),
    ]
