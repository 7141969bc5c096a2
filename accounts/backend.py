"""Who somebody is at each request: one question for their row, one for what they may do."""

from typing import Any, cast

from allauth.account.auth_backends import AuthenticationBackend
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When

from accounts.models import User


class Backend(AuthenticationBackend):
    """allauth's sign-in; what pages of the admin ask about somebody costs fewer questions."""

    def get_user(self, user_id: Any) -> User | None:
        """Return somebody who may be here; of staff the row says if there is a second factor."""
        factors = Authenticator.objects.filter(user=OuterRef("pk"))
        of_staff = Case(When(is_staff=True, then=Exists(factors)), default=Value(False))
        user = User.objects.filter(pk=user_id).annotate(has_second_factor=of_staff).first()
        return user if user is not None and self.user_can_authenticate(user) else None

    def get_all_permissions(self, user_obj: Any, obj: object = None) -> set[str]:
        """Return a person's own permissions and those of their groups, asked for together."""
        if not user_obj.is_active or user_obj.is_anonymous or obj is not None:
            return set()
        if not hasattr(user_obj, "_perm_cache"):
            found = _permissions_of(user_obj).values_list("content_type__app_label", "codename")
            user_obj._perm_cache = {f"{label}.{codename}" for label, codename in found}
        return cast(set[str], user_obj._perm_cache)


def _permissions_of(user: User) -> QuerySet[Permission]:
    every = Permission.objects.order_by()
    if user.is_superuser:
        return every
    return every.filter(user=user).union(every.filter(group__user=user))
