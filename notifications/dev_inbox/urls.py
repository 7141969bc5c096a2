from django.urls import path

from notifications.dev_inbox import views

urlpatterns = [
    path("", views.message_list, name="letterbox"),
    path("<str:name>/", views.message_detail, name="letterbox_mail"),
    path("<str:name>/html/", views.message_html, name="letterbox_html"),
    path("<str:name>/reply/", views.message_reply, name="letterbox_reply"),
    path("<str:name>/source/", views.message_source, name="letterbox_source"),
]
