"""What other apps may hear of accounts."""

from django.dispatch import Signal

signed_in_on_new_device = Signal()
"""Somebody signed in with a browser they had not used before. Arguments: user."""

factor_removed_by_staff = Signal()
"""A superuser removed a second factor. Arguments: user, authenticator."""
