"""One list of chores for the loop and for Celery's beat, naming tasks that exist."""

import inspect

from celery import current_app
from django.conf import settings
from django.utils.module_loading import import_string

from config.schedule import CHORES


def tasks():
    current_app.loader.import_default_modules()
    return {name for name in current_app.tasks if not name.startswith("celery.")}


def test_every_task_has_its_regular_round_and_every_round_its_task():
    assert {name for name, _ in CHORES} == tasks()


def test_a_chore_can_be_called_on_the_spot_under_its_name():
    for name, _ in CHORES:
        task = import_string(name)
        assert task.name == name
        assert inspect.signature(task.run).return_annotation in (int, "int")


def test_beat_follows_the_chores_and_lets_unheard_messages_expire():
    beat = current_app.conf.beat_schedule
    assert {(entry["task"], entry["schedule"]) for entry in beat.values()} == set(CHORES)
    for entry in beat.values():
        assert 0 < entry["options"]["expires"] <= 60


def test_bells_ring_for_tasks_that_exist():
    rung = {task for bell in settings.BELLS.values() for task in bell}
    assert rung
    assert rung <= tasks()
