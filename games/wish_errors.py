"""Every refusal of wishes for opponents; the others are in `games.errors`.

That nobody was found is no refusal: a wish waits. What keeps its player from being paired (a
vacation, enough games, a game lost on time) is a state of the wish (`games.queries.wishes`).
"""

from django.utils.translation import gettext_noop as _

from games.errors import Refusal

# fmt: off

class NoSuchWish(Refusal, status=404, text=_(
    "You have no such wish for opponents."
)): ...
class WishIsForTwo(Refusal, status=422, text=_(
    "Opponents can only be looked for in games of two players."
)): ...
class BadWish(Refusal, status=422, text=_(
    "The lowest rating must not be above the highest, both are between 0 and %(most_rating)s, and "
    "you can have 1 to %(most)s games at once."
)): ...
class TooManyWishes(Refusal, text=_(
    "You have %(most)s wishes for opponents already. Withdraw one first."
)): ...
class ProgramsMakeNoWish(Refusal, status=403, text=_(
    "Programs cannot look for opponents. Players challenge them by their names."
)): ...

# Programs are told their names and sentences at `/api/errors/`.
# fmt: on
