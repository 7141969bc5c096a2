"""Encrypt the secrets of second factors, which were kept in plain text."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from accounts.factor_keys import decrypt_all, encrypt_all


def encrypt(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    encrypt_all(apps.get_model("mfa", "Authenticator"))


def decrypt(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    decrypt_all(apps.get_model("mfa", "Authenticator"))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_indexes_of_other_tables"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]
    operations = [migrations.RunPython(encrypt, decrypt)]
