"""Who wants to have nothing to do with whom."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class Block(models.Model):
    """`by` takes no challenges and no messages from `of`, who is not told."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks")
    of = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")
    at = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["by", "of"], name="one_block_a_pair"),
            models.CheckConstraint(name="nobody_blocks_themselves", condition=~Q(by=F("of"))),
        ]

    def __str__(self) -> str:
        return f"{self.by} – {self.of}"
