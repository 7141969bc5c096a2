"""The addresses of the letterbox."""

from django.urls import path

from notifications.letterbox import views

urlpatterns = [
    path("", views.letterbox, name="letterbox"),
    path("<str:name>/", views.letterbox_mail, name="letterbox_mail"),
    path("<str:name>/html/", views.letterbox_html, name="letterbox_html"),
    path("<str:name>/reply/", views.letterbox_reply, name="letterbox_reply"),
    path("<str:name>/source/", views.letterbox_source, name="letterbox_source"),
]
