"""The mail doctor: whether all that mail needs is as it must be, and what is to be mended.

A check is a function of a Case that returns a Finding; it never raises what the world outside can
cause. Sentences are in the active language.
"""

from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.dns_lookups import DnsResolver
from notifications.services.mail_checks.findings import Finding, Level
from notifications.services.mail_checks.run import run_checks

__all__ = ["CheckContext", "DnsResolver", "Finding", "Level", "run_checks"]
