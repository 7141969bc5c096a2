"""One list of periodic tasks for `drain` and for Celery's beat, naming tasks that exist."""

import inspect
import shlex

import yaml
from celery import current_app
from django.conf import settings
from django.utils.module_loading import import_string

from config import serve
from config.schedule import PERIODIC_TASKS, QUEUES, late_after


def tasks():
    current_app.loader.import_default_modules()
    return {name for name in current_app.tasks if not name.startswith("celery.")}


def test_every_task_has_its_regular_round_and_every_round_its_task():
    assert {name for name, _ in PERIODIC_TASKS} == tasks()


def test_a_chore_can_be_called_on_the_spot_under_its_name():
    for name, _ in PERIODIC_TASKS:
        task = import_string(name)
        assert task.name == name
        assert inspect.signature(task.run).return_annotation in (int, "int")


def test_beat_follows_the_chores_and_its_messages_outlive_any_period():
    beat = current_app.conf.beat_schedule
    assert {(entry["task"], entry["schedule"]) for entry in beat.values()} == set(PERIODIC_TASKS)
    longest = max(seconds for _, seconds in PERIODIC_TASKS)
    for entry in beat.values():
        assert entry["options"]["expires"] >= 5 * longest
        assert entry["options"]["headers"] == {"period": entry["schedule"]}


def queue_of(task):
    return current_app.amqp.router.route({}, task)["queue"].name


def test_each_chore_has_one_queue_to_which_celery_sends_it():
    assert len(PERIODIC_TASKS) == len(dict(PERIODIC_TASKS))
    for queue, tasks in QUEUES.items():
        assert {queue_of(task) for task, _ in tasks} == {queue}


def test_clocks_share_no_queue_with_what_talks_to_a_mail_server():
    talking = {"notifications.tasks.send_notices", "notifications.tasks.poll_mailbox"}
    assert set(dict(QUEUES["mail"])) == talking
    pushed = {"notifications.tasks.send_pushes", "notifications.tasks.send_webhooks"}
    assert set(dict(QUEUES["push"])) == pushed
    for task in ("games.tasks.beat_heart", "games.tasks.time_out_games", "games.tasks.end_stops"):
        assert queue_of(task) == "clocks"
    events = ["notifications.tasks.make_notices", "notifications.tasks.process_mails"]
    assert {queue_of(task) for task in events} == {"chores"}


def test_a_worker_that_is_told_no_queue_takes_from_all():
    assert set(current_app.amqp.queues.consume_from) == set(QUEUES)


def queues_of(command):
    return command[command.index("--queues") + 1].split(",")


def test_serve_starts_one_worker_for_each_queue(settings):
    settings.CELERY_BROKER_URL = "redis://localhost/0"
    commands = serve.celery_commands().values()
    workers = [queues_of(command) for command in commands if "worker" in command]
    assert sorted(workers) == sorted([queue] for queue in QUEUES)


def test_compose_starts_one_worker_for_each_queue():
    services = yaml.safe_load((settings.BASE_DIR / "compose.yaml").read_text())["services"]
    commands = [service.get("command", []) for service in services.values()]
    commands = [shlex.split(one) if isinstance(one, str) else one for one in commands]
    workers = [queues_of(command) for command in commands if "worker" in command]
    assert sorted(workers) == sorted([queue] for queue in QUEUES)


def test_the_worker_that_thinks_has_a_thread_for_quick_turns(settings):
    services = yaml.safe_load((settings.BASE_DIR / "compose.yaml").read_text())["services"]
    for command in (
        serve.celery_commands()["worker for programs"],
        services["programs"]["command"],
    ):
        assert command[command.index("--pool") + 1] == "threads"
        assert command[command.index("--concurrency") + 1] == "2"


def test_a_clock_is_late_before_a_minute_has_passed_twice():
    assert late_after("games.tasks.time_out_games") == 60
    assert late_after("games.tasks.check_services") == 90
    assert late_after("notifications.tasks.send_notices") == 300


def test_wakeups_are_for_tasks_that_exist():
    woken = {task for each in settings.WAKEUP_TASKS.values() for task in each}
    assert woken
    assert woken <= tasks()
