"""Why a notice was not sent, as a value. `reason` stays: the previous release reads and writes it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("notifications", "0007_internal_errors_and_unconfirmed_mails"),
    ]

    operations = [
        migrations.AddField(
            model_name="notice",
            name="skip_reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("no-address", "This person has no verified address."),
                    ("switched-off", "This person switched such mail off."),
                    ("not-their-turn", "It was not this player's turn any more."),
                    ("game-over", "The game was over already."),
                    ("invitation-closed", "The invitation did not stand any more."),
                    ("address-suspended", "Mail to this address came back."),
                    ("offer-closed", "The offer did not stand any more."),
                    ("offer-unknown", "This person had not heard of the offer."),
                    ("told-together", "It was told in another mail."),
                    ("told-in-digest", "It was told in the digest."),
                    ("seen", "This person saw it on the page."),
                    ("answered", "This person has answered already."),
                    ("not-staff", "This person does not look after this house any more."),
                    ("nothing-to-tell", "There was nothing to tell any more."),
                    (
                        "unconfirmed",
                        "It may not have arrived: the mail server did not confirm it.",
                    ),
                ],
                db_default="",
                default="",
                max_length=20,
                verbose_name="reason",
            ),
        ),
    ]
