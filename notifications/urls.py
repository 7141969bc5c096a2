"""The addresses of mail settings and of the letterbox."""

from django.urls import include, path

from notifications import views

urlpatterns = [
    path("settings/mail/", views.mail_preferences, name="mail_preferences"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("letterbox/", include("notifications.letterbox.urls")),
]
