"""`python -m tests.chaos.shifted SECONDS -m celery ...`: a Python program whose clock is ahead."""

import runpy
import sys
from datetime import datetime, timedelta

import time_machine

if __name__ == "__main__":
    ahead, words = float(sys.argv[1]), sys.argv[2:]
    time_machine.travel(datetime.now().astimezone() + timedelta(seconds=ahead), tick=True).start()
    if words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")
