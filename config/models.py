"""Runs of periodic tasks."""

from django.db import models


class ChoreRun(models.Model):
    """The newest runs of a periodic task (config.schedule), in whichever process.

    Times are the database's, in UTC; each is when a run ended. `seconds` is how long the newest
    successful run took, `error` what the newest failed run raised; it is kept after a success.
    """

    name = models.CharField(max_length=100, unique=True)
    succeeded_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name
