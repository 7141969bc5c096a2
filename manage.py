#!/usr/bin/env python
"""Pli's commands."""

import gc
import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.dev")
    if sys.argv[1:2] not in (["serve"], ["drain"], ["listen"]):
        # Each process that shares its counters leaves a file behind: not those that end soon.
        os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
    gc.disable()  # what is loaded is no garbage: a tenth of the start. ConfigApp enables it again
    from config.startup import StartupRefused, end_process

    try:
        execute_from_command_line(sys.argv)
    except StartupRefused as refusal:
        if "receive_mail" in sys.argv:
            refusal.status = os.EX_TEMPFAIL  # the mail server keeps the mail and comes again
        end_process(refusal)
