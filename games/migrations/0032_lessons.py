"""Turns are judged, in games that are over and in lessons."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0031_program_levels'),
    ]

    operations = [
        migrations.CreateModel(
            name='Judgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('kept', models.BooleanField(verbose_name='kept the result')),
                ('best', models.TextField(verbose_name='best turn')),
                ('holding', models.PositiveIntegerField(null=True, verbose_name='turns that held')),
                ('choices', models.PositiveIntegerField(null=True, verbose_name='legal turns')),
                ('is_exact', models.BooleanField(verbose_name='known for certain')),
                ('value_before', models.FloatField(verbose_name='value before')),
                ('value_after', models.FloatField(verbose_name='value after')),
                ('distance_before', models.PositiveIntegerField(null=True, verbose_name='turns until the end, before')),
                ('distance_after', models.PositiveIntegerField(null=True, verbose_name='turns until the end, after')),
                ('depth', models.PositiveIntegerField(null=True, verbose_name='actions looked ahead')),
            ],
            options={
                'verbose_name': 'judgement',
                'verbose_name_plural': 'judgements',
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='game',
            name='is_lesson',
            field=models.BooleanField(db_default=False, default=False, help_text='Against programs alone: each turn is judged while the game is played.', verbose_name='lesson'),
        ),
        migrations.AddField(
            model_name='game',
            name='judge_due_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='turns are judged at'),
        ),
        migrations.AddField(
            model_name='game',
            name='judged_turns',
            field=models.PositiveIntegerField(db_default=0, default=0, verbose_name='turns judged'),
        ),
        migrations.AlterField(
            model_name='turn',
            name='via',
            field=models.CharField(choices=[('web', 'on the web'), ('mail', 'by mail'), ('api', 'by the API'), ('plan', 'as planned'), ('program', 'by a bot'), ('left', 'by leaving the game'), ('takeback', 'taken back'), ('copied', 'as in another game')], max_length=10, verbose_name='how'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('judge_due_at__isnull', False)), fields=['judge_due_at'], name='game_judge_due'),
        ),
        migrations.AddField(
            model_name='judgement',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='games.game'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='one_judgement_a_turn'),
        ),
    ]
