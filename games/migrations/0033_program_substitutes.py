"""Programs may take seats over that were left, where the terms of a table say so."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0032_lessons'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='substitute_level',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='level of a program that takes a seat over'),
        ),
        migrations.AlterField(
            model_name='game',
            name='on_timeout',
            field=models.CharField(choices=[('withdraw', 'it leaves the game, and the others play on'), ('substitute', 'somebody else may take it over'), ('program', 'a program takes it over'), ('partner', 'its partner plays for it too')], db_default='withdraw', default='withdraw', max_length=10, verbose_name='when time runs out'),
        ),
    ]
