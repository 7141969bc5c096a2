from django.urls import path

from accounts import program_views, views
from accounts.reauthentication import ReauthenticateByCodeView

urlpatterns = [
    path("settings/", views.profile_edit, name="profile_edit"),
    path("settings/profile/", views.public_profile, name="public_profile"),
    path("settings/sign-ins/", views.sign_ins, name="sign_ins"),
    path("settings/programs/", program_views.programs, name="programs"),
    path("settings/programs/tokens/", program_views.add_token, name="create_token"),
    path("settings/programs/tokens/<int:pk>/revoke/", program_views.end_token, name="revoke_token"),
    path("settings/programs/new/", program_views.new_program, name="create_program"),
    path("settings/programs/<int:pk>/delete/", program_views.end_program, name="delete_program"),
    path("language/", views.choose_language, name="choose_language"),
    path(
        "accounts/reauthenticate/code/",
        ReauthenticateByCodeView.as_view(),
        name="reauthenticate_by_code",
    ),
]
