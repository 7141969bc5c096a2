"""The public profile, and the settings of whoever is signed in."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language

from accounts.absence import away_until
from accounts.forms import ProfileForm
from accounts.models import Language, User


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """Show what everybody may know of a person."""
    if "\0" in username:  # PostgreSQL refuses even to look for it.
        raise Http404
    person = get_object_or_404(User, username__iexact=username)
    if person.username != username:
        return redirect(person)
    context = {"person": person, "away": away_until([person.pk], timezone.now())}
    return render(request, "accounts/profile.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile_edit(request: HttpRequest) -> HttpResponse:
    """Show and change display name, language and time zone."""
    # A copy of its own: a refused name must not stand in the page's header.
    person = User.objects.get(pk=cast(User, request.user).pk)
    form = ProfileForm(request.POST or None, instance=person)
    if form.is_valid():
        form.save_at(timezone.now())
        with translation.override(person.language):
            messages.success(request, gettext("Your settings are saved."))
        return redirect("profile_edit")
    return render(request, "accounts/profile_edit.html", {"form": form, "section": "profile"})


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Change the language of the pages, and of the profile of whoever is signed in."""
    language = request.POST.get("language")
    if request.user.is_authenticated and language in Language.values:
        User.objects.filter(pk=request.user.pk).update(language=language)
    return set_language(request)
