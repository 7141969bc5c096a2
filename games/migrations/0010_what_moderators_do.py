"""What moderators do to games, and the indexes of their lists."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_reminders_put_off'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='game',
            options={'permissions': [('moderate', 'Can moderate games')], 'verbose_name': 'game', 'verbose_name_plural': 'games'},
        ),
        migrations.AddField(
            model_name='game',
            name='conversation_closed_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='conversation closed'),
        ),
        migrations.AlterField(
            model_name='event',
            name='kind',
            field=models.CharField(choices=[('opened', 'table opened'), ('challenged', 'player challenged'), ('invited', 'address invited'), ('joined', 'seat taken'), ('left', 'seat left'), ('declined', 'invitation declined'), ('closed', 'table closed'), ('started', 'game begun'), ('turn-played', 'turn played'), ('reminder-due', 'time runs low'), ('offer-made', 'offer made'), ('offer-declined', 'offer declined'), ('offer-withdrawn', 'offer withdrawn'), ('offer-accepted', 'offer accepted'), ('time-granted', 'more time given'), ('clock-stopped', 'clock stopped'), ('clock-started', 'clock goes on'), ('seat-sought', 'somebody sought for a seat'), ('seat-taken-over', 'seat taken over'), ('departed', 'player left the game'), ('ended', 'game over'), ('moderated', 'a moderator acted')], max_length=20, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='seat',
            name='left_because',
            field=models.CharField(blank=True, choices=[('agreed', 'by agreement'), ('resigned', 'by resignation'), ('timeout', 'on time'), ('aborted', 'aborted by a player'), ('never-begun', 'the first turn was never played'), ('withdrawn', 'the table was withdrawn'), ('declined', 'the invitation was declined'), ('expired', 'nobody answered'), ('unreachable', 'a player could not be reached'), ('adjudicated', 'decided by a moderator'), ('broken-off', 'broken off by a moderator'), ('removed', 'taken out of the game by a moderator')], default='', max_length=20, verbose_name='why'),
        ),
        migrations.AlterField(
            model_name='turn',
            name='via',
            field=models.CharField(choices=[('web', 'on the web'), ('mail', 'by mail'), ('api', 'by the API'), ('plan', 'as planned'), ('program', 'by a program'), ('left', 'by leaving'), ('takeback', 'taken back by a moderator')], max_length=10, verbose_name='how'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['kind', '-id'], name='event_by_kind'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['status', '-id'], name='game_by_status'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['rules_slug', '-id'], name='game_by_rules'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['is_public', '-id'], name='game_by_openness'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('stopped_for', ''), _negated=True), fields=['stopped_for', '-id'], name='game_stands'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('stopped_at__isnull', False)), fields=['stopped_at'], name='game_stands_since'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['user', '-game'], name='seat_by_player'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(condition=models.Q(('game__isnull', False), ('state__in', ['open', 'taken'])), fields=['game'], name='report_of_a_game_waits'),
        ),
    ]
