"""Load the user of a request with one query, and their permissions with one more."""

from typing import Any, cast

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import Permission
from django.http import HttpRequest

from accounts.models import User
from accounts.sql import columns_of, select_rows
from accounts.staff import SECOND_FACTORS

REQUEST_USER_FACTS = {
    "has_second_factor": f"""
(is_staff AND EXISTS (
  SELECT 1 FROM mfa_authenticator WHERE user_id = accounts_user.id AND type IN {SECOND_FACTORS}
))""",  # noqa: S608
}
"""What the user of a request knows besides their columns, as SQL. Each saves many pages a query.

An app adds its own when it is loaded."""


class Backend(AuthenticationBackend):
    """allauth's sign-in, with fewer queries for each page of the admin.

    Its path is in every session: under another one, everybody would be signed out.
    """

    def _authenticate(
        self, request: HttpRequest | None, **credentials: Any
    ) -> AbstractBaseUser | None:
        """Check a password once: the form sends an address as user name and as address.

        allauth would check it twice where the address has an account: the answer would take twice
        as long as for an unknown address.
        """
        if credentials.get("email") == credentials.get("username"):
            credentials.pop("email", None)
        return super()._authenticate(request, **credentials)

    def get_user(self, user_id: Any) -> User | None:
        """Return the active user with REQUEST_USER_FACTS as attributes, or None."""
        facts = ", ".join(REQUEST_USER_FACTS.values())
        # In SQL, because every request asks it: the ORM takes several times as long.
        statement = f"SELECT {columns_of(User)}, {facts} FROM accounts_user WHERE id = %(user)s"  # noqa: S608
        for user in select_rows(User, statement, {"user": user_id}, REQUEST_USER_FACTS):
            return user if self.user_can_authenticate(user) else None
        return None

    def get_all_permissions(self, user_obj: Any, obj: object = None) -> set[str]:
        """Return a user's own permissions and those of their groups, with one query."""
        if not user_obj.is_active or user_obj.is_anonymous or obj is not None:
            return set()
        if not hasattr(user_obj, "_perm_cache"):
            permissions = Permission.objects.order_by()
            if not user_obj.is_superuser:
                of_groups = permissions.filter(group__user=user_obj)
                permissions = permissions.filter(user=user_obj).union(of_groups)
            found = permissions.values_list("content_type__app_label", "codename")
            user_obj._perm_cache = {f"{label}.{codename}" for label, codename in found}
        return cast(set[str], user_obj._perm_cache)
