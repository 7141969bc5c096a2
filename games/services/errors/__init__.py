"""Every refusal a person can meet: named, with a sentence, changing nothing.

`sentence` is in the language active when it is read. `status` is the HTTP status that a page
answers with. Those of one subject have a file; `absences`, `conduct`, `house` and `times` are
imported from there.
"""

from games.services.errors.absences import SnoozedTooLong
from games.services.errors.invitations import (
    AlreadyInvited,
    BadAddress,
    BadAnswer,
    BadLink,
    InvitationAnswered,
    NoSuchPlayer,
    NotInvited,
    TooManyInvitations,
)
from games.services.errors.messages import (
    ConversationClosed,
    MessageTooLong,
    Muted,
    NothingSaid,
    TalkIsOver,
    TooManyMessages,
)
from games.services.errors.moderated import Barred, HeldByModerator, NoReason
from games.services.errors.offers import (
    BadOfferAnswer,
    GameNotOver,
    NoOffer,
    OfferedAlready,
    OfferStands,
    RematchMade,
)
from games.services.errors.play import (
    BadSeat,
    CannotAbort,
    GameNotRunning,
    HasLeft,
    MoveRefused,
    NoSuchGame,
    NotAPlayer,
    NotYourTurn,
    StaleTurn,
    TooLate,
    TurnTooLong,
)
from games.services.errors.refusal import Refusal
from games.services.errors.tables import (
    AlreadySeated,
    BadOption,
    BadPace,
    MakerStays,
    NoPartners,
    NotTheMaker,
    PartnerCannotPlay,
    PrivateTable,
    StrangersAtPrivateTable,
    TableFull,
    TableNotOpen,
    TooFewPartners,
    TooManyTables,
    UnknownRules,
)
from games.services.errors.takeovers import NoSeatSought, SeatIsSought, SeatWasYours

__all__ = [
    "AlreadyInvited",
    "AlreadySeated",
    "BadAddress",
    "BadAnswer",
    "BadLink",
    "BadOfferAnswer",
    "BadOption",
    "BadPace",
    "BadSeat",
    "Barred",
    "CannotAbort",
    "ConversationClosed",
    "GameNotOver",
    "GameNotRunning",
    "HasLeft",
    "HeldByModerator",
    "InvitationAnswered",
    "MakerStays",
    "MessageTooLong",
    "MoveRefused",
    "Muted",
    "NoOffer",
    "NoPartners",
    "NoReason",
    "NoSeatSought",
    "NoSuchGame",
    "NoSuchPlayer",
    "NotAPlayer",
    "NotInvited",
    "NotTheMaker",
    "NotYourTurn",
    "NothingSaid",
    "OfferStands",
    "OfferedAlready",
    "PartnerCannotPlay",
    "PrivateTable",
    "Refusal",
    "RematchMade",
    "SeatIsSought",
    "SeatWasYours",
    "SnoozedTooLong",
    "StaleTurn",
    "StrangersAtPrivateTable",
    "TableFull",
    "TableNotOpen",
    "TalkIsOver",
    "TooFewPartners",
    "TooLate",
    "TooManyInvitations",
    "TooManyMessages",
    "TooManyTables",
    "TurnTooLong",
    "UnknownRules",
]
