"""Tables, pairs and order, computed from the rows of games alone, without the code that is tested.

The rules are those of docs/leagues.md: 2 points for a win, 1 for a draw; then Sonneborn-Berger, the
points among those who are equal in both, games won, and the order of the start.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from statistics import correlation

from games.models import Game, LadderChallenge, LeagueGame, Seat, TournamentGame, WishGame


def results_of(rows):
    """Return the games that are finished and not annulled: both players, and the points of each."""
    rows = [row for row in rows.select_related("game") if row.second_id and row.game_id]
    seats = Seat.objects.filter(game__in=[row.game_id for row in rows])
    places = {(one.game_id, one.number): one.place for one in seats}
    found = []
    for row in rows:
        if row.annulled_at is None and row.game.status == "finished":
            first, second = places[row.game_id, 0], places[row.game_id, 1]
            points = (1, 1) if first == second else (2, 0) if first < second else (0, 2)
            found.append((row.first_id, row.second_id, *points))
    return found


def table_by_hand(order, results, free=()):
    """Return each player, best first, with points and Sonneborn-Berger. `free`: 2 points each."""
    games = defaultdict(list)
    for first, second, won, lost in results:
        if first in order and second in order:
            games[first].append((second, won))
            games[second].append((first, lost))
    points = {one: sum(won for _, won in games[one]) + 2 * free.count(one) for one in order}
    berger = {
        one: sum((Fraction(won, 2) * points[other] for other, won in games[one]), Fraction())
        for one in order
    }
    equal = {one: (points[one], berger[one]) for one in order}

    def rank(one):
        among = sum(won for other, won in games[one] if equal[other] == equal[one])
        wins = sum(won == 2 for _, won in games[one])
        return (*equal[one], among, wins, -order.index(one))

    best = sorted(order, key=rank, reverse=True)
    return [(one, points[one], float(berger[one])) for one in best]


def division_by_hand(division):
    """Return the table of a division; those whose games do not count are last, without points."""
    entries = list(division.entries.order_by("order"))
    rows = LeagueGame.objects.filter(division=division)
    void = []
    for entry in entries:
        if entry.left_at is not None:
            own = rows.filter(first=entry) | rows.filter(second=entry)
            before = own.filter(game__ended_at__lt=entry.left_at).count()
            if before * 2 < own.count():
                void.append(entry.pk)
    order = [one.pk for one in entries if one.pk not in void]
    table = table_by_hand(order, results_of(rows))
    return table + [(one, 0, 0.0) for one in void]


def swiss_by_hand(tournament):
    """Return the table of a Swiss tournament."""
    numbered = tournament.entrants.exclude(number=None).order_by("number")
    rows = TournamentGame.objects.filter(round__tournament=tournament)
    free = list(rows.filter(second=None).values_list("first", flat=True))
    return table_by_hand(list(numbered.values_list("pk", flat=True)), results_of(rows), free)


def shown(table):
    """Return what a page shows of a table, as the functions above do."""
    return [(row.player, row.points, row.sonneborn_berger) for row in table.standings]


# Who met whom ------------------------------------------------------------------------------------


def check_pairs_of_division(division, legs):
    """Check that each pair of a division has exactly the games that were promised."""
    players = list(division.entries.values_list("pk", flat=True))
    rows = LeagueGame.objects.filter(division=division).values_list("first", "second", "leg")
    games = Counter((frozenset((first, second)), leg) for first, second, leg in rows)
    pairs = {frozenset((one, two)) for one in players for two in players if one != two}
    assert games == Counter({(pair, leg): 1 for pair in pairs for leg in range(1, legs + 1)})


def check_pairs_of_swiss(tournament):
    """Check that nobody met twice, had two games in a round, or was free twice."""
    rows = list(
        TournamentGame.objects.filter(round__tournament=tournament).values_list(
            "round", "first", "second"
        )
    )
    pairs = Counter(frozenset(pair) for _, *pair in rows)  # who is free meets nobody
    seats = Counter((of, one) for of, *pair in rows for one in pair if one is not None)
    assert {*pairs.values(), *seats.values()} <= {1}


def check_challenges():
    """Check that no challenge was made while another of the same two went on."""
    free_from = {}
    for one in LadderChallenge.objects.order_by("made_at", "pk"):
        pair = frozenset((one.challenger_id, one.challenged_id))
        assert free_from.get(pair, one.made_at) <= one.made_at, one.pk
        free_from[pair] = one.ended_at or one.made_at.max.replace(tzinfo=one.made_at.tzinfo)


def check_wish_games():
    """Check that no wish brought two together who were playing each other just then."""
    of_pair = defaultdict(list)
    players = defaultdict(set)
    for game, user in Seat.objects.values_list("game", "user"):
        players[game].add(user)
    for pk, started_at, ended_at in Game.objects.values_list("pk", "started_at", "ended_at"):
        of_pair[frozenset(players[pk])].append((pk, started_at, ended_at))
    wished = dict(WishGame.objects.values_list("game", "began_at"))
    # The wishes of accounts that are deleted are deleted too.
    assert max(Counter(WishGame.objects.values_list("game", flat=True)).values()) == 2
    for game, began_at in wished.items():
        for other, started_at, ended_at in of_pair[frozenset(players[game])]:
            overlaps = started_at <= began_at and (ended_at is None or ended_at > began_at)
            assert other == game or not overlaps, (game, other)


def rank_correlation(pairs):
    """Return Spearman's rank correlation of two columns."""
    ranks = []
    for column in zip(*pairs, strict=True):
        place = {value: rank for rank, value in enumerate(sorted(column))}
        ranks.append([place[value] for value in column])
    return correlation(*ranks)
