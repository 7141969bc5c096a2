from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0039_wishes"),
    ]

    operations = [
        migrations.AddField(
            model_name="puzzle",
            name="is_played",
            field=models.BooleanField(
                db_default=False, default=False, verbose_name="from a game that was played here"
            ),
        ),
    ]
