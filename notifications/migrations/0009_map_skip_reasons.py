"""Give notices whose reason is one of our English sentences its value, a batch at a time.

`reason` keeps the sentence: the previous release compares it.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SENTENCES = {
    "This person has no verified address.": "no-address",
    "This person switched such mail off.": "switched-off",
    "It was not this player's turn any more.": "not-their-turn",
    "The game was over already.": "game-over",
    "The invitation did not stand any more.": "invitation-closed",
    "Mail to this address came back.": "address-suspended",
    "The offer did not stand any more.": "offer-closed",
    "This person had not heard of the offer.": "offer-unknown",
    "It was told in another mail.": "told-together",
    "It was told in the digest.": "told-in-digest",
    "This person saw it on the page.": "seen",
    "This person has answered already.": "answered",
    "This person does not look after this house any more.": "not-staff",
    "There was nothing to tell any more.": "nothing-to-tell",
    "It may not have arrived: the mail server did not confirm it.": "unconfirmed",
}

BATCH = 5000
"""Notices that one statement changes: the older processes wait for no long lock."""


def map_sentences(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    notices = apps.get_model("notifications", "Notice").objects.using(
        schema_editor.connection.alias
    )
    whens = [models.When(reason=said, then=models.Value(to)) for said, to in SENTENCES.items()]
    newest = notices.aggregate(newest=models.Max("pk"))["newest"] or 0
    for first in range(0, newest + 1, BATCH):
        some = notices.filter(pk__gte=first, pk__lt=first + BATCH)
        some = some.filter(state__in=["dropped", "sent"], reason__in=SENTENCES)
        some.update(skip_reason=models.Case(*whens))


class Migration(migrations.Migration):

    # Each batch commits by itself.
    atomic = False

    dependencies = [
        ("notifications", "0008_skip_reason"),
    ]

    operations = [
        migrations.RunPython(map_sentences, migrations.RunPython.noop),
    ]
