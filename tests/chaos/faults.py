"""What is done to a running service, in an order that a seed decides."""

import random
import signal
import time
from contextlib import suppress

from django.db import DatabaseError, InterfaceError, close_old_connections

from games.models import Game


class Faults:
    """Injects one fault after the other; every fault ends before the next begins."""

    def __init__(self, cluster, seed):
        self.cluster = cluster
        self.chance = random.Random(f"{seed} faults")
        self.done = []
        disk = [self.fill_disk] if cluster.postgres.mounted else []
        self.kinds = [
            self.kill, self.kill, self.kill, self.freeze, self.freeze, self.stop_postgres,
            self.stop_redis, self.hang_redis, self.slow_mail, self.refuse_mail, self.lying_mail,
            self.hold_lock, self.shift_clock, *disk,
        ]  # fmt: skip

    def run(self, until, *, pause):
        """Inject every kind once in a random order, then again, until the time is over."""
        bag = []
        while time.time() < until:
            bag = bag or self.chance.sample(self.kinds, len(self.kinds))
            fault = bag.pop()
            began = time.time()
            what = fault()
            self.done.append((began, time.time(), what))
            print(f"{time.strftime('%H:%M:%S')} {what}", flush=True)
            self._wait(self.chance.uniform(*pause))

    def _wait(self, seconds):
        """Wait, and restart what has fallen meanwhile, as a supervisor does."""
        last = time.time() + seconds
        while time.time() < last:
            time.sleep(0.5)
            self.cluster.restart_fallen()
            if not self.cluster.postgres.is_running():
                self.cluster.postgres.start()

    def _any(self, *kinds):
        names = [n for n in self.cluster.commands if not kinds or n.split("-")[0] in kinds]
        return self.chance.choice(names)

    def kill(self):
        name = self._any()
        self.cluster.processes.kill(name)
        self._wait(self.chance.uniform(0.5, 5))
        self.cluster.start_again(name)
        return f"killed {name}"

    def freeze(self):
        name = self._any()
        self.cluster.signal(name, signal.SIGSTOP)
        self._wait(self.chance.uniform(5, 15))
        self.cluster.signal(name, signal.SIGCONT)
        return f"froze {name}"

    def stop_postgres(self):
        self.cluster.postgres.stop()
        self._sleep(0, 5)
        self.cluster.postgres.start()
        return "stopped PostgreSQL at once"

    def stop_redis(self):
        self.cluster.stop_redis()
        self._wait(self.chance.uniform(3, 12))
        self.cluster.start_redis()
        return "stopped Redis"

    def hang_redis(self):
        self.cluster.redis.send_signal(signal.SIGSTOP)
        self._wait(self.chance.uniform(5, 12))
        self.cluster.redis.send_signal(signal.SIGCONT)
        return "hung Redis"

    def slow_mail(self):
        return self._mail("slow", "the mail server took two seconds a command")

    def refuse_mail(self):
        return self._mail("refuse", "the mail server refused")

    def lying_mail(self):
        return self._mail("lie", "the mail server took mails and hung up")

    def _mail(self, mode, words):
        self.cluster.sink.mode = mode
        self._wait(self.chance.uniform(6, 15))
        self.cluster.sink.mode = "good"
        return words

    def hold_lock(self):
        close_old_connections()
        with suppress(DatabaseError, InterfaceError):
            keys = list(Game.objects.filter(deadline__isnull=False).values_list("pk", flat=True))
            if keys:
                with self.cluster.locked_game(self.chance.choice(keys)):
                    self._wait(self.chance.uniform(4, 8))
        return "held a game's lock"

    def shift_clock(self):
        """Restart a process with a clock that is 5.5 minutes ahead or 90 s behind."""
        name = self._any("web", "clocks", "chores", "mail", "beat", "listen")
        ahead = self.chance.choice([330.0, -90.0])
        self.cluster.processes.kill(name)
        self.cluster.start_again(name, ahead=ahead)
        self._wait(self.chance.uniform(12, 20))
        self.cluster.processes.kill(name)
        self.cluster.start_again(name)
        return f"{name} with a clock {ahead:+.0f} s off"

    def fill_disk(self):
        self.cluster.postgres.fill_disk()
        self._sleep(3, 8)
        self.cluster.postgres.free_disk()
        if not self.cluster.postgres.answers():
            self.cluster.postgres.stop()
            self.cluster.postgres.start()
        return "filled the database's disk"

    def _sleep(self, least, most):
        """Wait without restarting anything: what depends on the database falls again anyway."""
        time.sleep(self.chance.uniform(least, most))
