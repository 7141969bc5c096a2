"""What somebody's program accepts."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.programs import programs_of
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.forms.programs import ProgramSettingsForm
from games.services.programs import change_program


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def program_settings(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Let the owner of a program say what it accepts."""
    program = programs_of(request.user).filter(user__pk=pk).first()
    if program is None:
        raise Http404
    form, status = ProgramSettingsForm(program, request.POST or None), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                change_program(user=program.user, now=server_now(), **form.accepted())
            except errors.Refusal as refusal:
                form.add_error(None, refusal.sentence)
            else:
                messages.success(request, _("What your program accepts is saved."))
                return redirect("programs")
    context = {"form": form, "program": program}
    return render(request, "games/program_settings.html", context, status=status)
