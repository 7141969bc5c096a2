"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path

from config.offline import offline, service_worker, web_manifest
from config.views import healthz, metrics, readyz, security_txt

handler400 = "config.views.bad_request"
handler429 = "accounts.views.too_many_requests"
"""What allauth shows to whoever exceeds a rate limit."""
handler500 = "config.views.server_error"

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("service-worker.js", service_worker, name="service_worker"),
    path("site.webmanifest", web_manifest, name="web_manifest"),
    path("offline/", offline, name="offline"),
    path(".well-known/security.txt", security_txt, name="security_txt"),
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("", include("notifications.urls")),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
