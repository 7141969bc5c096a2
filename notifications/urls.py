"""The addresses of mail settings, calendars, the development inbox and webhooks."""

from django.conf import settings
from django.urls import include, path

from notifications import views
from notifications.webhook import webhook_urls

urlpatterns = [
    path("settings/mail/", views.mail_preferences, name="mail_preferences"),
    path("settings/mail/try-again/", views.try_address, name="try_address"),
    path("settings/mail/try-again/<str:token>/", views.address_again, name="address_again"),
    path("settings/calendar/", views.calendar_feed, name="calendar_feed"),
    path("calendar/<str:key>.ics", views.calendar, name="calendar"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("letterbox/", include("notifications.dev_inbox.urls")),
    path("webhooks/", include(webhook_urls(settings.MAIL_WEBHOOK))),
]
