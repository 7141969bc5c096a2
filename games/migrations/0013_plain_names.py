"""Rename models and fields in the code only: the previous release uses the same tables."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0011_clock_names'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField('game', 'maker', 'creator'),
                migrations.AlterField(
                    model_name='game',
                    name='creator',
                    field=models.ForeignKey(db_column='maker_id', on_delete=django.db.models.deletion.PROTECT, related_name='tables_made', to=settings.AUTH_USER_MODEL, verbose_name='created by'),
                ),
                migrations.RenameField('game', 'maker_seat', 'creator_seat'),
                migrations.AlterField(
                    model_name='game',
                    name='creator_seat',
                    field=models.PositiveSmallIntegerField(blank=True, db_column='maker_seat', help_text='Empty: chance decides who sits where.', null=True, verbose_name="the creator's seat"),
                ),
                migrations.RemoveIndex('game', 'game_program_due'),
                migrations.RemoveConstraint('game', 'clock_is_of_active_games_only'),
                migrations.RenameField('game', 'program_due_at', 'bot_due_at'),
                migrations.AlterField(
                    model_name='game',
                    name='bot_due_at',
                    field=models.DateTimeField(blank=True, db_column='program_due_at', null=True, verbose_name='the bot moves at'),
                ),
                migrations.AddIndex(
                    model_name='game',
                    index=models.Index(condition=models.Q(('bot_due_at__isnull', False)), fields=['bot_due_at'], name='game_program_due'),
                ),
                migrations.AddConstraint(
                    model_name='game',
                    constraint=models.CheckConstraint(condition=models.Q(('status', 'active'), models.Q(('bot_due_at__isnull', True), ('deadline__isnull', True), ('reminder_at__isnull', True), ('seat_to_move__isnull', True), ('stop_reason', ''), ('stopped_until__isnull', True)), _connector='OR'), name='clock_is_of_active_games_only'),
                ),
                migrations.RenameField('seat', 'stand_in', 'played_by_partner'),
                migrations.AlterField(
                    model_name='seat',
                    name='played_by_partner',
                    field=models.ForeignKey(blank=True, db_column='stand_in_id', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='partner_seats', to=settings.AUTH_USER_MODEL, verbose_name='played by the partner'),
                ),
                migrations.RenameModel('Takeover', 'Substitution'),
                migrations.AlterModelTable('substitution', 'games_takeover'),
                migrations.AlterField(
                    model_name='substitution',
                    name='seat',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='substitutions', to='games.seat'),
                ),
            ],
        ),
    ]
