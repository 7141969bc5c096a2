"""The lines about wishes, ladders, leagues and tournaments of the table in rows.py."""

from tests.permissions.asking import LOGIN, ONWARDS
from tests.permissions.blanks import (
    first_season,
    ladder_of_ann_s_club,
    ladder_of_morpion,
    league_of_morpion,
    match_of_ann,
    open_tournament_of,
    slug_of_ann_s_club,
    wish_of_ann,
)
from tests.permissions.row import MEMBERS, NOT_SAFE, Row, members

API_ROWS = [
    Row("api:ladders", 401, 405),
    Row("api:ladder", 401, 405, ladder_of_morpion),
    Row("api:act_on_ladder", 405, 401, lambda site: [*ladder_of_morpion(site), "join"]),
    Row("api:challenge_on_ladder", 405, 401, ladder_of_morpion),
    Row("api:ladder_challenges", 401, 405),
    Row("api:answer_ladder_challenge", 405, 401, lambda site: [1, "accept"]),
    Row("api:tournaments", 401, 401),
    Row("api:tournament", 401, 405, open_tournament_of),
    Row("api:act_in_tournament", 405, 401, lambda site: [*open_tournament_of(site), "join"]),
]

FOR_ANN = (LOGIN, 403, 200, 403, 403, 403)
"""The pages of ann's club for its members."""

ACTS_FOR_ANN = (LOGIN, 403, ONWARDS, 403, 403, 403)
"""What only members of ann's club can do."""

WITHOUT_OPPONENT = (LOGIN, 403, 404, 403, 403, 403)
"""The page of a challenge that names no club."""

COMPETITION_ROWS = [
    *API_ROWS,
    Row("clubs", 200, 405),
    Row("new_club", MEMBERS, members(ONWARDS)),
    Row("club", 200, 405, slug_of_ann_s_club),
    Row("act_in_club", NOT_SAFE, members(404), slug_of_ann_s_club),
    Row("new_club_table", FOR_ANN, FOR_ANN, slug_of_ann_s_club),
    Row("challenge_club", WITHOUT_OPPONENT, WITHOUT_OPPONENT, slug_of_ann_s_club),
    Row("club_ladder", FOR_ANN, NOT_SAFE, ladder_of_ann_s_club),
    Row("act_on_club_ladder", NOT_SAFE, ACTS_FOR_ANN, ladder_of_ann_s_club),
    Row("club_match", 200, 405, match_of_ann),
    Row("act_in_club_match", NOT_SAFE, members(404), match_of_ann),
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
