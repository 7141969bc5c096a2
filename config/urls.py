"""Every address of the service."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from config.views import healthz

admin.autodiscover()
admin.site.site_header = admin.site.site_title = settings.SITE_NAME
admin.site.index_title = _("For moderators and hosts")
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("", include("notifications.urls")),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
