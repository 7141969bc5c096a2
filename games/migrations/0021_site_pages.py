"""Hosts write the pages About, Privacy and Contact themselves."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0020_check_pages_and_mail_in"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SitePage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        choices=[
                            ("about", "About"),
                            ("privacy", "Privacy"),
                            ("contact", "Contact"),
                        ],
                        max_length=10,
                        verbose_name="page",
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("fr", "French")],
                        max_length=8,
                        verbose_name="language",
                    ),
                ),
                ("text", models.TextField(verbose_name="text")),
                ("updated_at", models.DateTimeField(verbose_name="changed")),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
            ],
            options={
                "verbose_name": "page of the site",
                "verbose_name_plural": "pages of the site",
                "ordering": ["name", "language"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("name", "language"),
                        name="one_text_of_a_page_and_language",
                        violation_error_message="This page already has a text in this language.",
                    )
                ],
            },
        ),
    ]
