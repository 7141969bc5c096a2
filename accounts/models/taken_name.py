"""Names that nobody else may have."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.lookalikes import LONGEST_KEY


class TakenName(models.Model):
    """One key (`accounts.lookalikes.name_keys`) of somebody's user name or display name.

    That a key is unique is what keeps two people from names that look alike, also when both choose
    theirs at the same moment. Names that looked alike before there were keys: the first user to
    have one owns its key, the others keep their names without.
    """

    key = models.CharField(_("key"), max_length=LONGEST_KEY, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="taken_names",
        verbose_name=_("person"),
    )

    class Meta:
        verbose_name = _("taken name")
        verbose_name_plural = _("taken names")

    def __str__(self) -> str:
        return self.key
