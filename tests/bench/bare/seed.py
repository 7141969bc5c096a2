"""Fills the bare project: `python -m tests.bench.bare.seed PAIRS EACH FILE`.

So many pairs of players, and games of each pair; writes who they are to a file.
"""

import json
import sys
from pathlib import Path

from tests.bench.bare import app


def main(pairs: int, each: int, file: Path) -> None:
    """Make the tables, the players, their sessions and games."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    call_command("migrate", run_syncdb=True, verbosity=0)
    with connection.schema_editor() as editor:
        for model in app.MODELS:
            editor.create_model(model)
    users = User.objects.bulk_create(
        User(username=f"player{number}", password="x") for number in range(2 * pairs)
    )
    sessions = {}
    for user in users:
        session = SessionStore()
        session["_auth_user_id"] = str(user.pk)
        session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
        session["_auth_user_hash"] = user.get_session_auth_hash()
        session.save()
        sessions[user.pk] = session.session_key
    now = timezone.now()
    games = app.Game.objects.bulk_create(
        app.Game(first=first, second=second, deadline=now)
        for _ in range(each)
        for first, second in zip(users[::2], users[1::2], strict=True)
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    seeded = {
        "session_cookie": settings.SESSION_COOKIE_NAME,
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "table": app.Game._meta.db_table,
        "sessions": sessions,
        "games": [[game.pk, [game.first_id, game.second_id], 0] for game in games],
        "lines": [["x"] * 40],
        "ahead": 0,
    }
    file.write_text(json.dumps(seeded), "utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
