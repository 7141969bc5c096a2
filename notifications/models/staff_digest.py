"""The moderators' daily digest, so that there is one a day."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class StaffDigest(models.Model):
    """That the digest of a day (UTC) was written, or that there was nothing to tell.

    Whoever makes the row writes the mails, in one transaction. `acts` is how many acts the
    moderators' log had then.
    """

    day = models.DateField(_("day"), unique=True)
    written_at = models.DateTimeField(_("written"))
    told = models.PositiveIntegerField(_("people told"), default=0)
    acts = models.PositiveBigIntegerField(_("acts in the log"), default=0, db_default=0)

    class Meta:
        verbose_name = _("moderators' digest")
        verbose_name_plural = _("moderators' digests")

    def __str__(self) -> str:
        return f"{self.day}"
