"""Index what hosts filter and search lists of mail by: the newest rows of each, however many."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0015_what_moderators_look_for'),
        ('notifications', '0009_what_hosts_mend'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='incomingmail',
            name='user',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='incoming_mails', to=settings.AUTH_USER_MODEL, verbose_name='person'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='user',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL, verbose_name='person'),
        ),
        migrations.AddIndex(
            model_name='incomingmail',
            index=models.Index(fields=['user', '-id'], name='incoming_by_person'),
        ),
        migrations.AddIndex(
            model_name='mailpreference',
            index=models.Index(fields=['kind', '-id'], name='preference_by_kind'),
        ),
        migrations.AddIndex(
            model_name='mailpreference',
            index=models.Index(fields=['cadence', '-id'], name='preference_by_cadence'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['user', '-id'], name='notice_by_person'),
        ),
    ]
