"""Every refusal of the notifications app: a name, a sentence for the user, an HTTP status.

Most commands in mails are refused by the games app (games/errors.py).
"""

from django.utils.translation import gettext_noop as _

from games.errors import Refusal

# One declaration a line reads as the table that it is.
# fmt: off

# Commands in mails ------------------------------------------------------------------------------

class NotThere(Refusal, status=422, text=_("That is not an answer to this mail.")): ...
class AcceptOrDecline(Refusal, status=422, text=_(
    "We could not tell whether you want to play. Reply “yes” to play or “no” to decline; “rules” "
    "sends you the rules of the game."
)): ...
class NothingAsked(Refusal, text=_(
    "The mail that you answered asked nothing that “yes” or “no” would answer."
)): ...
class WhichQuestion(Refusal, status=422, text=_(
    "That mail asked you about several games. Please begin the line with the number of the one "
    "that you mean, as in “%(number)s yes”."
)): ...
class AskedTwice(Refusal, text=_(
    "That mail asked you more than one thing about this game. Please send again, on its own, what "
    "you want to do."
)): ...
class AnsweredAlready(Refusal, text=_(
    "You have already answered that question, so nothing more was done."
)): ...
class MovedOnSinceAsked(Refusal, text=_(
    "The game has moved on since we asked you, so nothing was done. If you still want it, send the "
    "word again in answer to this mail."
)): ...
class PartForgotten(Refusal, text=_(
    "The first part of your turn was kept for an hour only. Please send the whole turn: “%(turn)s”."
)): ...
class NoAnswerThere(Refusal, status=422, text=_(
    "We found no text of your own above the quoted mail."
)): ...
class StopWhat(Refusal, status=422, text=_(
    "“quiet” leaves you only the mails that you need in order to play, “resign” gives up this "
    "game, and a link at the end of our mails stops all mails of that kind."
)): ...
class NotBareWord(Refusal, status=422, text=_(
    "A word that ends a game or answers a question counts only if it stands alone on its line, "
    "without a question mark. Nothing was done."
)): ...
class TooManyParts(Refusal, status=422, text=_(
    "Your mail has so many pictures or other parts that we could not find its text. Please send "
    "it as plain text, with nothing attached."
)): ...
class JoinWhich(Refusal, status=422, text=_(
    "Please say at which table you want to sit down, as in “join 12”. “tables” gets you the list "
    "of open tables."
)): ...
class LeaveWhich(Refusal, status=422, text=_(
    "Please say which table you want to leave, as in “leave 12”. “games” gets you your tables."
)): ...
class ResignInstead(Refusal, text=_(
    "This game runs already. To give it up, answer one of its mails with “resign”."
)): ...
class TurnsAreHidden(Refusal, text=_(
    "Finding out what is legal is part of this game, so we do not list it."
)): ...
class TimeIsGivenByOpponents(Refusal, text=_(
    "It is your turn, so only your opponents can give you more time. Ask them with “say …”, offer "
    "a pause with “pause 7”, or take a vacation with “vacation 7”."
)): ...
class NothingNoted(Refusal, text=_(
    "You have no notes about this game. “note …” writes one that only you can read."
)): ...
class NoVacationNow(Refusal, text=_("You are not on vacation, so there is nothing to end.")): ...
class WhoIsMeant(Refusal, status=422, text=_(
    "Please name the player that you mean, as in “mute bob”. At this game play: %(names)s."
)): ...
class SettingHow(Refusal, status=422, text=_(
    "We could not read that setting. Write for example %(how)s."
)): ...
class BadSetting(Refusal, status=422, text=_("That setting was not changed. %(why)s")): ...
class AnswerALetter(Refusal, status=422, text=_(
    "This address does not know which game you mean. Begin the line with the number of the game, "
    "as in “12 c3”. “games” sends you your games, “help” everything that you can write."
)): ...
class NewHow(Refusal, status=422, text=_(
    "Please name one game, at most one opponent, and how long a turn may take. “new” alone gets "
    "you an example for each game."
)): ...
class NoGameOfThatName(Refusal, status=422, text=_(
    "There is no game called “%(name)s” here. These are the games: %(games)s."
)): ...
class TimeNotOffered(Refusal, status=422, text=_(
    "“%(given)s” is no time that a turn can have here. You can choose: %(offered)s."
)): ...
class NoSuchTerm(Refusal, status=422, text=_(
    "We do not understand “%(given)s”. For this game you can choose: %(offered)s."
)): ...
class NobodyWaits(Refusal, text=_(
    "Nobody waits at an open table. Write the name of a game behind “find opponent”, and we look "
    "for an opponent for you."
)): ...
class WhichWish(Refusal, status=422, text=_(
    "You have several such wishes for opponents. Say which one by its number, for example: "
    "%(example)s. “wishes” sends you all of them."
)): ...
class NoSuchNumber(Refusal, status=422, text=_("That mail has no game number %(number)s.")): ...
class WhichGame(Refusal, status=422, text=_(
    "Please say which game you mean: begin the line with its number, as in “%(number)s board”."
)): ...
class LaterOffer(Refusal, text=_(
    "The open offer was made after the mail that you answered. If you mean this offer, answer "
    "this mail."
)): ...
class BadDelay(Refusal, status=422, text=_(
    "Please say how much later, as in “later 8h” or “later 2 days”."
)): ...
class BadDays(Refusal, status=422, text=_(
    "Please say how long, as in “vacation 10” or “vacation 20 Dec to 3 Jan”."
)): ...

# Notifications of a browser ---------------------------------------------------------------------

class NoPush(Refusal, status=404, text=_("This site sends no notifications to browsers.")): ...
class BadSubscription(Refusal, status=422, text=_(
    "This browser gave us no address that we can send notifications to. Please try again, or use "
    "another browser."
)): ...
class TooManyBrowsers(Refusal, text=_(
    "You can get notifications in %(most)s browsers. Please switch them off in another one first."
)): ...
class NoBrowser(Refusal, status=404, text=_(
    "Notifications are already switched off in this browser."
)): ...
class TestedJustNow(Refusal, status=429, text=_(
    "A test is already on its way. Please wait a minute."
)): ...

# Leagues ----------------------------------------------------------------------------------------

class WhichLeague(Refusal, status=422, text=_(
    "Say which league, for example: %(example)s. “leagues” sends you all of them."
)): ...
class WhichTournament(Refusal, status=422, text=_(
    "Say which tournament by its number, for example: %(example)s. “tournaments” sends you all of "
    "them."
)): ...

# Webhooks ---------------------------------------------------------------------------------------

class GuestsHaveNoWebhooks(Refusal, status=403, text=_(
    "A guest’s account cannot have webhooks. Please sign up first."
)): ...
class NotYourAccount(Refusal, status=404, text=_(
    "Webhooks tell only of your own games and of those of your programs."
)): ...
class BadWebhookAddress(Refusal, status=422, text=_(
    "A webhook’s address begins with “https://”, has a name and no port, and can be reached from "
    "the internet."
)): ...
class WebhookExists(Refusal, text=_("This address is a webhook of this account already.")): ...
class TooManyWebhooks(Refusal, text=_(
    "You can have %(most)s webhooks. Please remove one first."
)): ...
class NoWebhook(Refusal, status=404, text=_("You have no such webhook any more.")): ...
class WebhookIsOff(Refusal, text=_(
    "This webhook is switched off. Switch it on again, then send a test."
)): ...

# A user's data ----------------------------------------------------------------------------------

class ExportUnderWay(Refusal, text=_(
    "Your file is being made already. Please wait until it is ready."
)): ...
class TooManyExports(Refusal, status=429, text=_(
    "You can ask for %(most)s files within 24 hours. Please ask again later."
)): ...
class NoExport(Refusal, status=404, text=_(
    "This file is no longer there. Ask for a new one in your settings, under “Your data”."
)): ...

# The deletion of an account ---------------------------------------------------------------------

class GuestsNeedNoDeletion(Refusal, status=403, text=_(
    "A guest’s account ends by itself. You need not delete it."
)): ...
class RoleFirst(Refusal, status=403, text=_(
    "You help to run this site. Ask an administrator to release you from that first; then you can "
    "delete your account."
)): ...
class NotYourName(Refusal, status=422, text=_(
    "That is not your user name. Type it exactly as it is shown: %(name)s"
)): ...
class DeletionAskedAlready(Refusal, text=_(
    "You have already asked to delete your account."
)): ...
class NothingToKeep(Refusal, text=_("Your account is not about to be deleted.")): ...

# Processing mails again -------------------------------------------------------------------------

class NothingToRetry(Refusal, text=_(
    "None of these mails can be tried again: they were dealt with, or their text was deleted."
)): ...
