"""The lines about wishes, ladders, leagues and tournaments of the table in rows.py."""

from tests.permissions.asking import LOGIN, ONWARDS
from tests.permissions.blanks import (
    first_season,
    ladder_of_morpion,
    league_of_morpion,
    open_tournament_of,
    wish_of_ann,
)
from tests.permissions.row import MEMBERS, NOT_SAFE, Row, members

COMPETITION_ROWS = [
    Row("ladders", 200, 405),
    Row("ladder", 200, 405, ladder_of_morpion),
    Row("act_on_ladder", NOT_SAFE, members(ONWARDS), ladder_of_morpion),
    Row("moderate_ladder", NOT_SAFE, (LOGIN, 403, 403, 403, 409, 409), ladder_of_morpion),
    Row("leagues", 200, 405),
    Row("league", 200, 405, league_of_morpion),
    Row("season", 200, 405, first_season),
    Row("act_in_league", NOT_SAFE, members(ONWARDS), league_of_morpion),
    Row("moderate_season", NOT_SAFE, (LOGIN, 403, 403, 403, 404, 404), first_season),
    Row("tournaments", 200, 405),
    Row("new_tournament", MEMBERS, MEMBERS),
    Row("tournament", 200, 405, open_tournament_of),
    Row("act_in_tournament", NOT_SAFE, members(ONWARDS), open_tournament_of),
    Row("moderate_tournament", NOT_SAFE, (LOGIN, 403, 403, 403, 404, 404), open_tournament_of),
    Row("wishes", MEMBERS, members(422)),
    Row("change_wish", NOT_SAFE, (LOGIN, 404, ONWARDS, 404, 404, 404), wish_of_ann),
]
