"""Count the results of the games that are over, for some hundred players at a time.

Not in one transaction: on a big database the end of a game waits for no more than one batch. A
migration that was interrupted can be run again. `manage.py results check` compares the counts with
the games afterwards.
"""

from django.apps.registry import Apps
from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Max

BATCH = 500
"""How many numbers of users are gone through at once."""

COUNTS = """
own.user_id BETWEEN %s AND %s AND game.status = 'finished' AND NOT EXISTS (
  SELECT 1 FROM games_seat AS taken JOIN accounts_user AS bot ON bot.id = taken.user_id
  WHERE taken.game_id = game.id AND bot.is_program
)"""

SOMEBODY_LOST = """
EXISTS (SELECT 1 FROM games_seat AS behind WHERE behind.game_id = game.id AND behind.place > 1)"""

STATEMENTS = {
    "games_kindresults": f"""
INSERT INTO games_kindresults (player_id, rules_slug, played, won, drawn, out_of_time)
SELECT own.user_id, game.rules_slug, COUNT(*),
  SUM(CASE WHEN own.place = 1 AND {SOMEBODY_LOST} THEN 1 ELSE 0 END),
  SUM(CASE WHEN {SOMEBODY_LOST} THEN 0 ELSE 1 END),
  SUM(CASE WHEN own.left_because = 'timeout' OR (game.ending = 'timeout' AND own.place > 1)
    THEN 1 ELSE 0 END)
FROM games_game AS game JOIN games_seat AS own ON own.game_id = game.id
WHERE {COUNTS}
GROUP BY own.user_id, game.rules_slug
""",
    "games_opponentresults": f"""
INSERT INTO games_opponentresults (player_id, opponent_id, played, won, drawn)
SELECT own.user_id, other.user_id, COUNT(*),
  SUM(CASE WHEN own.place < other.place THEN 1 ELSE 0 END),
  SUM(CASE WHEN own.place = other.place THEN 1 ELSE 0 END)
FROM games_game AS game
JOIN games_seat AS own ON own.game_id = game.id
JOIN games_seat AS other ON other.game_id = game.id AND other.number <> own.number
WHERE {COUNTS} AND NOT EXISTS (
  SELECT 1 FROM games_seat AS third WHERE third.game_id = game.id AND third.number > 1
)
GROUP BY own.user_id, other.user_id
""",
}


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Write the counts of every player anew."""
    connection = schema_editor.connection
    if connection.vendor == "postgresql":
        schema_editor.execute("ANALYZE games_game, games_seat")  # it may just have been restored
    last = apps.get_model("accounts", "User").objects.aggregate(last=Max("pk"))["last"] or 0
    for first in range(1, last + 1, BATCH):
        span = (first, first + BATCH - 1)
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(f"LOCK TABLE {', '.join(STATEMENTS)} IN SHARE ROW EXCLUSIVE MODE")
            for table, statement in STATEMENTS.items():
                cursor.execute(f"DELETE FROM {table} WHERE player_id BETWEEN %s AND %s", span)
                cursor.execute(statement, span)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0028_results"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
