"""The grammar of commands that start games: `tables`, `join 12` and their like.

A line that only begins with such a word is talk, unless what follows has the form of an argument:
“join us on Friday” is no command, “join 12 now” is one in a wrong form. Behind “new” stand at most
two words for the game, then “with” and an opponent, and terms behind commas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from notifications.mail_parser.phrases import fold


@dataclass(frozen=True, slots=True)
class TablesCommand:
    """Send the list of open tables."""


@dataclass(frozen=True, slots=True)
class JoinCommand:
    """Sit down at the open table with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class LeaveCommand:
    """Leave the open table with this number, or cancel it; 0: that of the letter."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class NewCommand:
    """Open a table; `line` is the command as it was written, `terms` what stands between commas.

    `game` is empty if only the form is asked for, `opponent` if anybody may join. `level` is that
    of a program as the opponent; None: the opponent is no program.
    """

    line: str
    game: str = ""
    opponent: str = ""
    terms: tuple[str, ...] = ()
    level: int | None = None


@dataclass(frozen=True, slots=True)
class FindCommand:
    """Join the oldest open table of this game (empty: of any game), or wish for an opponent.

    `terms` is what stands between commas.
    """

    game: str = ""
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WishesCommand:
    """Send the list of one's wishes for opponents."""


@dataclass(frozen=True, slots=True)
class WithdrawWishCommand:
    """Withdraw the wish for opponents with this number; 0: the one with this game and these terms.

    Without a game it is the only wish.
    """

    game: str = ""
    terms: tuple[str, ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class LeaguesCommand:
    """Send the list of leagues."""


@dataclass(frozen=True, slots=True)
class LeagueCommand:
    """Join the next season of a league, skip it, or leave the league.

    `action` is join, skip or leave; `game` names the league, empty: the only one that can be meant.
    `partner` is who is asked to play with one.
    """

    action: str
    game: str = ""
    partner: str = ""


@dataclass(frozen=True, slots=True)
class LaddersCommand:
    """Send the list of ladders."""


@dataclass(frozen=True, slots=True)
class LadderCommand:
    """Join a ladder, leave it, or challenge a player on it.

    `action` is join, leave or challenge; `game` names the ladder, and is empty if none is named;
    `opponent` is who is challenged.
    """

    action: str
    game: str
    opponent: str = ""


@dataclass(frozen=True, slots=True)
class LadderAnswerCommand:
    """Accept or decline the challenge of which a letter of a ladder told."""

    accepts: bool


@dataclass(frozen=True, slots=True)
class TournamentsCommand:
    """Send the list of tournaments."""


@dataclass(frozen=True, slots=True)
class TournamentCommand:
    """Join a tournament, leave it, or cancel it.

    `action` is join, leave or cancel; `number` is that of the tournament, 0: the one that can be
    meant; `key` is that of its link.
    """

    action: str
    number: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class Misformed:
    """A command in a wrong form; `reason` is that of `NotUnderstood`."""

    reason: str


StartingCommand: TypeAlias = (
    TablesCommand
    | JoinCommand
    | LeaveCommand
    | NewCommand
    | FindCommand
    | WishesCommand
    | WithdrawWishCommand
    | LeaguesCommand
    | LeagueCommand
    | LaddersCommand
    | LadderCommand
    | LadderAnswerCommand
    | TournamentsCommand
    | TournamentCommand
)

LONGEST = 300

_TABLES = re.compile(r"(?:list )?(?:open )?tables|tables (?:ouvertes|libres)|liste des tables")
_TABLE = r"(?: (?:the )?table| la table)?"
_JOIN = re.compile(rf"(?:join|rejoindre)(?P<rest>{_TABLE}(?: *(?:#|n°|\d).*)?)")
_NUMBER = re.compile(rf"{_TABLE} *(?:#|n°)? ?(\d{{1,9}})")
_LEAVE = re.compile(
    r"(?:(?:i )?leave|quit|(?:je )?quitter?|partir)"
    r"(?: (?:the |this |my )?table| (?:la|cette|ma) table)?"
    r"(?: *(?:#|n°)? ?(?P<left>\d{1,9}))?"
    r"|(?:cancel|close|annuler|fermer) (?:(?:the |this |my |la |cette |ma )?table)"
    r"(?: *(?:#|n°)? ?(?P<cancelled>\d{1,9}))?"
)
_GAME = r"(?P<game>[^\W\d_]+(?:[ -][^\W\d_]+)?)"
_TERMS = r"(?: *, *[^,]*[^, ])*"
_WITH = r"(?:with|against|avec|contre)"
_PROGRAM = (
    r"(?:(?:a|the|un|le) )?(?:bot|program|programme)"
    r"(?:,? (?:(?:at|of|de) )?(?:level|niveau) ?\d{1,2})?(?![^\s,])"
)
_LOWEST_LEVEL = 1
_NEW = re.compile(
    r"(?:new|nouveau|nouvelle)(?: (?:game|partie)(?: (?:of|de)| d['’])?)?"
    rf"(?: (?!{_WITH} ){_GAME}(?: {_WITH} (?P<opponent>{_PROGRAM}|\S+))?"
    rf"(?P<terms>{_TERMS}))?",
    re.IGNORECASE,
)
_OPPONENT = re.compile(rf"{_WITH} ({_PROGRAM}|\S+)", re.IGNORECASE)
_IS_PROGRAM = re.compile(_PROGRAM, re.IGNORECASE)
_FIND = re.compile(
    r"(?:find(?: me)?(?: an)? opponents?(?: (?:for|at))?|trouver(?: un| des)? adversaires?"
    rf"(?: (?:pour|au|a))?)(?: {_GAME}(?P<terms>{_TERMS}))?"
)
_WISHES = re.compile(r"(?:list )?(?:my )?wishes|(?:liste des |mes |les )?souhaits")
_WITHDRAW_WISH = re.compile(
    r"(?:(?:withdraw|cancel|end|drop) (?:the |my )?wish(?: (?:for|of))?"
    r"|(?:retirer|annuler|supprimer) (?:le |mon )?souhait(?: (?:pour|de|du))?)"
    rf"(?: {_GAME}(?P<terms>{_TERMS})| ?(?:#|n°)? ?(?P<number>\d{{1,9}}))?"
)

_LEAGUES = re.compile(r"(?:list )?(?:the )?leagues|(?:liste des |les )?ligues")
_OF_LEAGUE = rf"(?: (?!with |avec )(?:of |de |du |d['’])?{_GAME})?"
_LEAGUE = {
    "join": rf"join (?:the )?league{_OF_LEAGUE}(?: with (?P<who>\S+))?"
    rf"|(?:rejoindre|entrer dans) la ligue{_OF_LEAGUE.replace('<game>', '<jeu>')}"
    r"(?: avec (?P<qui>\S+))?",
    "skip": rf"skip (?:the |next |the next )?season{_OF_LEAGUE}"
    rf"|passer la (?:prochaine )?saison{_OF_LEAGUE.replace('<game>', '<jeu>')}",
    "leave": rf"leave (?:the )?league{_OF_LEAGUE}"
    rf"|quitter la ligue{_OF_LEAGUE.replace('<game>', '<jeu>')}",
}
_LEAGUE_ACTIONS = {action: re.compile(line) for action, line in _LEAGUE.items()}

_LADDERS = re.compile(r"(?:list )?(?:the )?ladders|(?:liste des |les )?echelles")
_ON_LADDER = (
    rf"(?:the )?ladder(?: (?:of )?{_GAME})?"
    r"|l['’] ?echelle(?: (?:de |du |d['’])?(?P<jeu>\S+(?: \S+)?))?"
)
_LADDER_ACTIONS = {
    "join": re.compile(rf"(?:join|rejoindre) (?:{_ON_LADDER})"),
    "leave": re.compile(rf"(?:leave|quitter) (?:{_ON_LADDER})"),
    "challenge": re.compile(rf"(?:challenge|defier) (?P<who>\S+) (?:on|sur) (?:{_ON_LADDER})"),
}

_TOURNAMENTS = re.compile(
    r"(?:list )?(?:the |open |my )?tournaments|(?:liste des |les |mes )?tournois(?: ouverts)?",
    re.IGNORECASE,
)
_KEY = r"[\w-]{10,40}"
_OF_LINK = rf"(?: (?:(?:with )?key|(?:avec la )?cl[ée]):? (?P<key>{_KEY}))?"
_TOURNAMENT = (
    r" (?:the |this |my |le |ce |mon )?(?:tournament|tournoi)"
    rf"(?: ?(?:#|n°)? ?(?P<number>\d{{1,9}}){_OF_LINK}"
    rf"|:? <?https?://\S{{1,100}}/(?P<linked>\d{{1,9}})/(?:\?key=(?P<link_key>{_KEY}))?>?)?"
)
_TOURNAMENT_ACTIONS = {
    action: re.compile(words + _TOURNAMENT, re.IGNORECASE)
    for action, words in {
        "join": "(?:join|rejoindre)",
        "leave": "(?:leave|quitter)",
        "cancel": "(?:cancel|annuler)",
    }.items()
}


def read_starting(text: str) -> StartingCommand | Misformed | None:
    """Return the command on a line; None if it is talk."""
    line = " ".join(text.split()).rstrip(" .!?…;,:*_`'\"«»“”„‘’")
    plain = fold(line) if len(line) <= LONGEST else ""
    if _TABLES.fullmatch(plain):
        return TablesCommand()
    if found := _read_league(plain) or _read_ladder(plain) or _read_wish(plain):
        return found
    if plain and (about := _read_tournament(line)):
        return about
    if join := _JOIN.fullmatch(plain):
        number = _NUMBER.fullmatch(join["rest"])
        return JoinCommand(int(number[1])) if number else Misformed("join")
    if leave := _LEAVE.fullmatch(plain):
        return LeaveCommand(int(leave["left"] or leave["cancelled"] or 0))
    return _read_new(line) if plain else None


def _terms_in(text: str | None) -> tuple[str, ...]:
    """Return what stands between the commas behind a game."""
    return tuple(filter(None, map(str.strip, (text or "").split(","))))


def _read_league(plain: str) -> LeaguesCommand | LeagueCommand | None:
    """Return the command about leagues on a folded line; None if it is none."""
    if _LEAGUES.fullmatch(plain):
        return LeaguesCommand()
    for action, pattern in _LEAGUE_ACTIONS.items():
        if asked := pattern.fullmatch(plain):
            found = asked.groupdict()
            partner = found.get("who") or found.get("qui") or ""
            return LeagueCommand(action, asked["game"] or asked["jeu"] or "", partner)
    return None


def _read_wish(plain: str) -> FindCommand | WishesCommand | WithdrawWishCommand | None:
    """Return the command about wishes for opponents on a folded line; None if it is none."""
    if _WISHES.fullmatch(plain):
        return WishesCommand()
    if find := _FIND.fullmatch(plain):
        return FindCommand(find["game"] or "", _terms_in(find["terms"]))
    if withdrawn := _WITHDRAW_WISH.fullmatch(plain):
        number = int(withdrawn["number"] or 0)
        return WithdrawWishCommand(withdrawn["game"] or "", _terms_in(withdrawn["terms"]), number)
    return None


def _read_ladder(plain: str) -> LaddersCommand | LadderCommand | None:
    """Return the command about ladders on a folded line; None if it is none."""
    if _LADDERS.fullmatch(plain):
        return LaddersCommand()
    for action, pattern in _LADDER_ACTIONS.items():
        if asked := pattern.fullmatch(plain):
            opponent = asked["who"] if action == "challenge" else ""
            return LadderCommand(action, asked["game"] or asked["jeu"] or "", opponent)
    return None


def _read_tournament(line: str) -> TournamentsCommand | TournamentCommand | None:
    """Return the command about tournaments on a line; None if it is none.

    The line is not folded, because capitals matter in the key of a link.
    """
    if _TOURNAMENTS.fullmatch(line):
        return TournamentsCommand()
    for action, pattern in _TOURNAMENT_ACTIONS.items():
        if asked := pattern.fullmatch(line):
            number = int(asked["number"] or asked["linked"] or 0)
            return TournamentCommand(action, number, asked["key"] or asked["link_key"] or "")
    return None


def _read_new(line: str) -> NewCommand | Misformed | None:
    """Return the command that opens a table; None if the line is none."""
    new = _NEW.fullmatch(line)
    if new is None:
        return None
    terms: list[str] = []
    opponents = [new["opponent"]] if new["opponent"] else []
    for term in _terms_in(new["terms"]):
        named = _OPPONENT.fullmatch(term)
        (opponents if named else terms).append(named[1] if named else term)
    opponent = "".join(opponents)
    level = _level_in(opponent)
    one = NewCommand(line, new["game"] or "", opponent, tuple(terms), level)
    return one if len(opponents) <= 1 else Misformed("new")


def _level_in(opponent: str) -> int | None:
    """Return the level of a program that is named as an opponent, the lowest if none is said."""
    if not _IS_PROGRAM.fullmatch(opponent):
        return None
    said = "".join(filter(str.isdecimal, opponent))
    return int(said) if said else _LOWEST_LEVEL
