"""Refuses to start a process with unsafe settings. One message names all that is wrong."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn, TypeVar

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")


class StartupRefused(ImproperlyConfigured):
    """Something must be changed before Pli starts. The message names all of it.

    `status` is the exit status of the process (sysexits.h). EX_CONFIG: it is no use to try again.
    """

    def __init__(self, problems: list[str], status: int = os.EX_CONFIG) -> None:
        self.problems, self.status = problems, status
        lines = "".join(f"\n  - {problem}" for problem in problems)
        super().__init__(f"Pli does not start:{lines}\nREADME.md and docs/hosting.md say more.")


def check_settings() -> None:
    """Raise StartupRefused if a setting is missing, wrong or unsafe.

    For every process. The database is only asked when the process is refused anyway, so that
    everything is named at once.
    """
    from django.conf import settings

    from config.checks import wrong_values

    problems = [*settings.STARTUP_PROBLEMS, *wrong_values()]
    if not problems:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # Django's: apps are still loading
        try:
            check_accounts()
        except StartupRefused as refusal:
            problems += refusal.problems
    raise StartupRefused(problems)


def check_accounts() -> None:
    """Raise StartupRefused if people can sign in with the public passwords of the demonstration.

    For processes that serve others in production; does nothing elsewhere. Hashes one password for
    each account that has a name of the demonstration: about 0.1 s.
    """
    from django.conf import settings
    from django.db import DatabaseError

    if not settings.PRODUCTION:
        return
    try:
        names = ", ".join(_accounts_with_public_password())
    except (DatabaseError, ImproperlyConfigured) as error:
        problem = f"The database does not answer ({type(error).__name__})."
        raise StartupRefused([problem], os.EX_TEMPFAIL) from error
    if names:
        raise StartupRefused(
            [
                f"Everybody knows the passwords of {names}: `make run` made these accounts. Choose "
                "an empty database (PLI_VAR, DATABASE_URL), or another password for each account: "
                "manage.py changepassword NAME"
            ]
        )


def _accounts_with_public_password() -> Iterator[str]:
    """Yield the user names of the demonstration whose public password was not changed."""
    from django.contrib.auth.hashers import check_password
    from django.db import connection
    from django.db.models import Q

    from accounts.models import User
    from config import demo

    is_file = connection.vendor == "sqlite"
    if is_file and not Path(str(connection.settings_dict["NAME"])).exists():
        return  # to ask would make the file
    if User._meta.db_table not in connection.introspection.table_names():
        return
    for account in demo.ACCOUNTS:
        # A moderator may have given them another name: they keep their address.
        people = User.objects.filter(Q(username=account.username) | Q(email=account.address))
        for name, password in people.values_list("username", "password"):
            if check_password(account.password, password):
                yield name


def load(make: Callable[[], T]) -> T:
    """Return what `make` returns if this process may serve others; end the process otherwise.

    For what other programs import (web servers, Celery): an exception would be a traceback.
    """
    from django.db import connections

    try:
        made = make()
        check_accounts()
        connections.close_all()  # workers may be forked, which must not share connections
    except StartupRefused as refusal:
        end_process(refusal)
    return made


def end_process(refusal: StartupRefused) -> NoReturn:
    """Write why the process does not start, and end it."""
    print(refusal, file=sys.stderr, flush=True)  # noqa: T201  (there is no logging yet)
    sys.exit(refusal.status)
