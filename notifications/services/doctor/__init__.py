"""The mail doctor: whether all that mail needs is as it must be, and what is to be mended.

A check is a function of a Case that returns a Finding; it never raises what the world outside can
cause. Sentences are in the active language.
"""

from notifications.services.doctor.case import Case
from notifications.services.doctor.findings import Finding, Level
from notifications.services.doctor.rounds import examine
from notifications.services.doctor.zone import Zone

__all__ = ["Case", "Finding", "Level", "Zone", "examine"]
