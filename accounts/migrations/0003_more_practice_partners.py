from django.contrib.auth.hashers import make_password
from django.db import migrations

# As many as the largest game has seats, less one: somebody alone can try every game.
PARTNERS = {"practice-2": "Second practice partner", "practice-3": "Third practice partner"}


def seat_them(apps, schema_editor):
    people = apps.get_model("accounts", "User").objects
    for username, name in PARTNERS.items():
        people.get_or_create(
            username=username,
            defaults={"display_name": name, "is_program": True, "password": make_password(None)},
        )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_practice_partner")]

    operations = [migrations.RunPython(seat_them, migrations.RunPython.noop)]
