"""Index what moderators filter and search lists by: the newest rows of each, however many."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0014_what_hosts_look_at'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='announcement',
            name='announcement_until',
        ),
        migrations.AlterField(
            model_name='event',
            name='actor',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='who'),
        ),
        migrations.AlterField(
            model_name='message',
            name='author',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='messages', to=settings.AUTH_USER_MODEL, verbose_name='author'),
        ),
        migrations.AddIndex(
            model_name='act',
            index=models.Index(fields=['by', '-id'], name='act_by'),
        ),
        migrations.AddIndex(
            model_name='announcement',
            index=models.Index(fields=['-until', '-id'], name='announcement_newest'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['actor', '-id'], name='event_by_actor'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('stopped_for', ''), _negated=True), fields=['-id'], name='game_stands_at_all'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['author', '-id'], name='message_of_author'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(condition=models.Q(('hidden_at__isnull', False)), fields=['-id'], name='message_hidden'),
        ),
        migrations.AddIndex(
            model_name='outage',
            index=models.Index(fields=['-began_at', '-id'], name='outage_newest'),
        ),
    ]
