"""The addresses of people."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("people/<str:username>/", views.profile, name="profile"),
    path("settings/", views.profile_edit, name="profile_edit"),
    path("language/", views.choose_language, name="choose_language"),
]
