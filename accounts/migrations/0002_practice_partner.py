from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import migrations


def seat_the_practice_partner(apps, schema_editor):
    people = apps.get_model("accounts", "User").objects
    people.get_or_create(
        username=settings.PRACTICE_PARTNER_USERNAME,
        defaults={
            "display_name": "Practice partner",
            "is_program": True,
            "password": make_password(None),
        },
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [migrations.RunPython(seat_the_practice_partner, migrations.RunPython.noop)]
