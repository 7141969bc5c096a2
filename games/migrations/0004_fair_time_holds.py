from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_clocks_of_running_games'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'active'), _negated=True), models.Q(('seat_to_move__isnull', False), ('started_at__isnull', False), ('time_left__isnull', False)), _connector='OR'), name='active_game_has_mover_and_time'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'active'), _negated=True), models.Q(('clock_since__isnull', False), ('deadline__isnull', False), ('stopped_for', '')), models.Q(models.Q(('stopped_for', ''), _negated=True), ('clock_since__isnull', True), ('deadline__isnull', True), ('reminder_at__isnull', True), ('stopped_at__isnull', False)), _connector='OR'), name='active_game_has_deadline_or_reason'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('stopped_for__in', ['', 'moderator']), ('stopped_until__isnull', False), _connector='OR'), name='stop_has_an_end'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('status', 'active'), models.Q(('deadline__isnull', True), ('program_due_at__isnull', True), ('reminder_at__isnull', True), ('seat_to_move__isnull', True), ('stopped_for', ''), ('stopped_until__isnull', True)), _connector='OR'), name='clock_is_of_active_games_only'),
        ),
    ]
