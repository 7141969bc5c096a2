"""Name models plainly. Changes no table: the previous release runs on the same ones."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

RENAMED = {
    "MessagesTold": ("MailedMessages", "mailed messages", "mailed messages"),
    "MailPlan": ("DigestSchedule", "digest schedule", "digest schedules"),
    "ErrorAnswer": ("ErrorReply", "error reply", "error replies"),
}


def rename(old, new, singular, plural):
    return [
        migrations.RenameModel(old, new),
        migrations.AlterModelTable(new, f"notifications_{old.lower()}"),
        migrations.AlterModelOptions(
            new, {"verbose_name": singular, "verbose_name_plural": plural}
        ),
    ]


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("notifications", "0011_plain_labels"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                *(one for old, new in RENAMED.items() for one in rename(old, *new)),
                migrations.AlterField(
                    model_name="mailedmessages",
                    name="user",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mailed_messages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    model_name="mailedmessages",
                    name="game",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mailed_messages",
                        to="games.game",
                    ),
                ),
                migrations.AlterField(
                    model_name="digestschedule",
                    name="user",
                    field=models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="digest_schedule",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
