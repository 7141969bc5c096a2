"""What every refusal has: a name, a sentence, and an HTTP status."""

from typing import ClassVar

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _


class Refusal(Exception):
    """Something that cannot be done now, and why."""

    status: ClassVar[int] = 409
    template: ClassVar[str] = _("That is not possible now.")

    def __init__(self, **values: object) -> None:
        self.values = values
        super().__init__()

    @property
    def code(self) -> str:
        """The refusal's name for programs."""
        return type(self).__name__

    @property
    def sentence(self) -> str:
        """Why, in the active language."""
        return gettext(self.template) % self.values

    def __str__(self) -> str:
        return self.sentence
