"""The addresses of settings of mail and notifications, calendars, and mail from providers."""

from django.conf import settings
from django.urls import include, path

from notifications import views
from notifications.provider_webhook import webhook_urls

urlpatterns = [
    path("settings/mail/", views.mail_preferences, name="mail_preferences"),
    path("settings/mail/try-again/", views.try_address, name="try_address"),
    path("settings/mail/try-again/<str:token>/", views.address_again, name="address_again"),
    path("settings/notifications/", views.notifications, name="notifications"),
    path("settings/notifications/on/", views.notifications_on, name="notifications_on"),
    path("settings/notifications/off/", views.notifications_off, name="notifications_off"),
    path("settings/notifications/test/", views.notifications_test, name="notifications_test"),
    path("settings/webhooks/", views.webhooks, name="webhooks"),
    path("settings/webhooks/add/", views.webhook_add, name="webhook_add"),
    path("settings/webhooks/<int:number>/test/", views.webhook_test, name="webhook_test"),
    path("settings/webhooks/<int:number>/secret/", views.webhook_secret, name="webhook_secret"),
    path("settings/webhooks/<int:number>/on/", views.webhook_on, name="webhook_on"),
    path("settings/webhooks/<int:number>/remove/", views.webhook_remove, name="webhook_remove"),
    path("settings/calendar/", views.calendar_feed, name="calendar_feed"),
    path("settings/data/", views.your_data, name="your_data"),
    path("settings/data/file/", views.your_data_file, name="your_data_file"),
    path("settings/data/delete/", views.delete_account, name="delete_account"),
    path("settings/data/keep/", views.keep_account, name="keep_account"),
    path("calendar/<str:key>.ics", views.calendar, name="calendar"),
    path("club-letters/<str:token>/", views.club_letters, name="club_letters"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("letterbox/", include("notifications.dev_inbox.urls")),
    path("webhooks/", include(webhook_urls(settings.MAIL_WEBHOOK))),
]
