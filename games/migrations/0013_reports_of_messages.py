"""Let messages be reported, each once by the same person, and the queue be filtered quickly."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0012_kinds_so_far'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='report',
            name='message',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.message', verbose_name='message'),
        ),
        migrations.AddField(
            model_name='report',
            name='told_at',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='reporter told'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(fields=['state', '-id'], name='report_by_state'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(fields=['reason', '-id'], name='report_by_reason'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(fields=['assignee', '-id'], name='report_by_assignee'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(fields=['reporter', 'made_at'], name='report_by_reporter'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(condition=models.Q(('closed_at__isnull', False), ('told_at__isnull', True)), fields=['closed_at'], name='report_answer_untold'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(condition=models.Q(('message__isnull', False), ('state__in', ['open', 'taken'])), fields=('reporter', 'message'), name='one_waiting_report_of_a_message'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(condition=models.Q(('message__isnull', True), ('person__isnull', False), ('state__in', ['open', 'taken'])), fields=('reporter', 'person'), name='one_waiting_report_of_a_person'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(condition=models.Q(('message__isnull', True), ('person__isnull', True), ('state__in', ['open', 'taken'])), fields=('reporter', 'game'), name='one_waiting_report_of_a_game'),
        ),
    ]
