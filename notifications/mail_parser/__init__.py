"""Parses the mails that people answer with: from bytes to what a person wrote, and to commands.

Pure: no Django, no database, no clock. Every step is bounded by the limits in `mime`; nothing that
anybody can send makes it slow.
"""

from notifications.mail_parser.argument_commands import (
    BlockCommand,
    GameCommand,
    MuteCommand,
    NoteCommand,
    PauseCommand,
    ProfileCommand,
    RecordCommand,
    ReportCommand,
    SettingCommand,
)
from notifications.mail_parser.authentication import Authentication, Verdict, authenticate
from notifications.mail_parser.automatic import AWAY
from notifications.mail_parser.bounces import Bounce
from notifications.mail_parser.commands import (
    Command,
    Condition,
    DoubtfulTurn,
    LaterCommand,
    MailCommand,
    NotUnderstood,
    NumberedCommand,
    SayCommand,
    TurnCommand,
    VacationCommand,
    parse_command,
    parse_conditions,
    parse_numbered,
)
from notifications.mail_parser.complaints import Complaint
from notifications.mail_parser.mime import UnreadableMail
from notifications.mail_parser.parsed_mail import ParsedMail, parse
from notifications.mail_parser.reply_marker import MARKERS, is_marker
from notifications.mail_parser.starting import (
    FindCommand,
    JoinCommand,
    LadderAnswerCommand,
    LadderCommand,
    LaddersCommand,
    LeagueCommand,
    LeaguesCommand,
    LeaveCommand,
    NewCommand,
    TablesCommand,
    TournamentCommand,
    TournamentsCommand,
    WishesCommand,
    WithdrawWishCommand,
)

__all__ = [
    "AWAY",
    "MARKERS",
    "Authentication",
    "BlockCommand",
    "Bounce",
    "Command",
    "Complaint",
    "Condition",
    "DoubtfulTurn",
    "FindCommand",
    "GameCommand",
    "JoinCommand",
    "LadderAnswerCommand",
    "LadderCommand",
    "LaddersCommand",
    "LaterCommand",
    "LeagueCommand",
    "LeaguesCommand",
    "LeaveCommand",
    "MailCommand",
    "MuteCommand",
    "NewCommand",
    "NotUnderstood",
    "NoteCommand",
    "NumberedCommand",
    "ParsedMail",
    "PauseCommand",
    "ProfileCommand",
    "RecordCommand",
    "ReportCommand",
    "SayCommand",
    "SettingCommand",
    "TablesCommand",
    "TournamentCommand",
    "TournamentsCommand",
    "TurnCommand",
    "UnreadableMail",
    "VacationCommand",
    "Verdict",
    "WishesCommand",
    "WithdrawWishCommand",
    "authenticate",
    "is_marker",
    "parse",
    "parse_command",
    "parse_conditions",
    "parse_numbered",
]
