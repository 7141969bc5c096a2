"""The Celery app. Its tasks only say "look now": what there is to do stands in the database."""

import os

from celery import Celery

from config.schedule import beat_schedule

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")

app = Celery("pli")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.beat_schedule = beat_schedule()
app.autodiscover_tasks()
