"""Refusals about people's programs and what these accept, and about help from a program."""

from django.utils.translation import gettext_noop as _

from games.errors import Refusal

# fmt: off

class ProgramIsClosed(Refusal, text=_("The program %(name)s accepts no new games now.")): ...
class ProgramRefusesGame(Refusal, text=_("The program %(name)s does not play this game.")): ...
class ProgramRefusesOption(Refusal, text=_(
    "The program %(name)s does not play this game with that choice of “%(option)s”."
)): ...
class ProgramRefusesPace(Refusal, text=_("The program %(name)s does not play at this pace.")): ...
class ProgramIsBusy(Refusal, text=_(
    "The program %(name)s plays %(most)s games at once and has no place free. Try again later."
)): ...
class ProgramIsBusyWithYou(Refusal, text=_(
    "The program %(name)s plays at most %(most)s games at once against one person."
)): ...
class ProgramsAskNobody(Refusal, status=403, text=_(
    "Programs challenge other programs and their owner only. Open a public table, and let people "
    "come."
)): ...
class NotAProgram(Refusal, status=403, text=_("Only the account of a program can do that.")): ...
class BadProgramTimes(Refusal, status=422, text=_(
    "The shortest time must be more than nothing, and at most the longest time."
)): ...
class BadProgramCounts(Refusal, status=422, text=_(
    "A program plays 1 to %(most)s games at once, and no more against one person than in all."
)): ...
class HelpsElsewhere(Refusal, status=403, text=_(
    "This would help you in one of your running games. You can begin here when that game has gone "
    "on."
)): ...

# fmt: on
