from django.urls import path

from accounts import views
from accounts.reauthentication import ReauthenticateByCodeView

urlpatterns = [
    path("settings/", views.profile_edit, name="profile_edit"),
    path("settings/profile/", views.public_profile, name="public_profile"),
    path("settings/sign-ins/", views.sign_ins, name="sign_ins"),
    path("language/", views.choose_language, name="choose_language"),
    path(
        "accounts/reauthenticate/code/",
        ReauthenticateByCodeView.as_view(),
        name="reauthenticate_by_code",
    ),
]
