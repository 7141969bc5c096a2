"""Let the database refuse addresses that are not in their normal form.

allauth's own constraint, one verified row an address, means by this one account an address. Models
cannot declare it: the table is allauth's.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SQLITE_TRIGGER = """CREATE TRIGGER {name} BEFORE {event} ON account_emailaddress
WHEN NEW.email <> lower(NEW.email) OR length(NEW.email) <> length(CAST(NEW.email AS BLOB))
BEGIN SELECT RAISE(ABORT, 'an address must be in its normal form'); END"""

PUT = {
    "postgresql": [
        "ALTER TABLE account_emailaddress ADD CONSTRAINT emailaddress_is_normal "
        "CHECK (email = lower(email) AND octet_length(email) = char_length(email))",
        "DROP INDEX address_by_mailbox",
        "CREATE INDEX address_by_mailbox ON account_emailaddress "
        "((REPLACE(email, '.', '')) text_pattern_ops)",
    ],
    "sqlite": [
        SQLITE_TRIGGER.format(name="emailaddress_is_normal", event="INSERT"),
        SQLITE_TRIGGER.format(name="emailaddress_stays_normal", event="UPDATE OF email"),
    ],
}
TAKE_AWAY = {
    "postgresql": [
        "ALTER TABLE account_emailaddress DROP CONSTRAINT emailaddress_is_normal",
        "DROP INDEX address_by_mailbox",
        "CREATE INDEX address_by_mailbox ON account_emailaddress "
        "((REPLACE(LOWER(email), '.', '')) text_pattern_ops)",
    ],
    "sqlite": [
        "DROP TRIGGER emailaddress_is_normal",
        "DROP TRIGGER emailaddress_stays_normal",
    ],
}


def put(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in PUT.get(schema_editor.connection.vendor, []):
        schema_editor.execute(statement)


def take_away(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in TAKE_AWAY.get(schema_editor.connection.vendor, []):
        schema_editor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0008_addresses_in_normal_form"),
    ]

    operations = [
        migrations.RunPython(put, take_away),
    ]
