"""Rename a field in the code only: the previous release uses the same column."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('accounts', '0011_plain_labels')]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex('user', 'user_program'),
                migrations.RenameField('user', 'is_program', 'is_bot'),
                migrations.AlterField(
                    model_name='user',
                    name='is_bot',
                    field=models.BooleanField(db_column='is_program', default=False, help_text='Plays by itself and gets no mail.', verbose_name='is a bot'),
                ),
                migrations.AddIndex(
                    model_name='user',
                    index=models.Index(condition=models.Q(('is_bot', True)), fields=['-id'], name='user_program'),
                ),
            ],
        ),
    ]
