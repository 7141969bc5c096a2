"""Players follow others."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def person(related_name: str) -> models.ForeignKey:
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to=settings.AUTH_USER_MODEL,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0019_fill_search_words"),
    ]

    operations = [
        migrations.CreateModel(
            name="Follow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="since")),
                ("by", person("follows")),
                ("of", person("followed_by")),
            ],
            options={
                "verbose_name": "player who is followed",
                "verbose_name_plural": "players who are followed",
                "constraints": [
                    models.UniqueConstraint(fields=("by", "of"), name="one_follow_a_pair"),
                    models.CheckConstraint(
                        condition=models.Q(("by", models.F("of")), _negated=True),
                        name="nobody_follows_themselves",
                    ),
                ],
            },
        ),
    ]
