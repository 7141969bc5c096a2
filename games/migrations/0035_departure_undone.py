

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0034_end_undone'),
    ]

    operations = [
        migrations.AlterField(
            model_name='event',
            name='kind',
            field=models.CharField(choices=[('opened', 'table opened'), ('challenged', 'player challenged'), ('invited', 'address invited'), ('joined', 'seat taken'), ('left', 'seat left'), ('declined', 'invitation declined'), ('closed', 'table closed'), ('started', 'game begun'), ('turn-played', 'turn played'), ('turn-undone', 'turn undone'), ('taken-back', 'turns taken back'), ('reminder-due', 'time runs low'), ('offer-made', 'offer made'), ('offer-declined', 'offer declined'), ('offer-withdrawn', 'offer withdrawn'), ('offer-accepted', 'offer accepted'), ('time-granted', 'more time given'), ('clock-stopped', 'clock stopped'), ('clock-started', 'clock resumes'), ('vacation-begun', 'vacation begun instead of a time-out'), ('seat-sought', 'looking for a substitute'), ('seat-taken-over', 'seat taken over'), ('departed', 'player left the game'), ('departure-undone', 'departure undone'), ('ended', 'game over'), ('end-undone', 'end undone'), ('message-said', 'message written'), ('moderated', 'a moderator acted')], max_length=20, verbose_name='kind'),
        ),
    ]
