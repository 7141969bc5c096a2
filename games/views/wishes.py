"""Looking for opponents: a player's wishes, a new one, and their changes."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors, wish_errors
from games.clock.durations import pace_in_words, wait_in_words
from games.forms.wishes import WishForm, WishNumbersForm
from games.models import Wish
from games.queries.wishes import FEWEST_WAITS, shown_wishes
from games.rules.registry import UnknownGame, all_rules, rules_for
from games.services import wishes as service


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def wishes(request: AuthenticatedRequest) -> HttpResponse:
    """Show a player's wishes and the form of a new one for the game that is chosen; make one."""
    now, status, rules, form = server_now(), 200, None, None
    if slug := request.POST.get("game") or request.GET.get("game"):
        try:
            rules = rules_for(slug)
        except UnknownGame:
            raise errors.UnknownRules from None
        form = WishForm(rules, request.POST or None)
    elif request.method == "POST":
        raise errors.UnknownRules
    if form is not None and rules is not None and request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                service.make_wish(
                    user=request.user,
                    rules_slug=rules.slug,
                    options=form.options,
                    pace=form.chosen_pace,
                    lowest=form.cleaned_data["lowest"],
                    highest=form.cleaned_data["highest"],
                    at_once=form.cleaned_data["at_once"],
                    via=Wish.Via.WEB,
                    now=now,
                )
                said = _("We look for an opponent, and write when one is found.")
                messages.success(request, said)
                return redirect("wishes")
            except errors.Refusal as refusal:
                form.add_error(None, refusal.sentence)
                status = refusal.status
    rows = [
        {
            "shown": one,
            "wish": one.wish,
            "rules": one.wish.rules,
            "pace": pace_in_words(one.wish.time_control),
            "since": wait_in_words(now - (one.wish.waits_since or now)),
            "usually": wait_in_words(one.usual_wait) if one.usual_wait is not None else "",
            "form": WishNumbersForm(
                initial={name: getattr(one.wish, name) for name in WishNumbersForm.base_fields},
                prefix=f"wish-{one.wish.pk}",
            ),
        }
        for one in shown_wishes(request.user, now=now)
    ]
    context = {
        "rows": rows,
        "form": form,
        "rules": rules,
        "all_rules": all_rules(),
        "fewest": FEWEST_WAITS,
    }
    return render(request, "games/wishes.html", context, status=status)


@login_required
@require_POST
def change_wish(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Change a wish, or withdraw it if `act` is "withdraw"."""
    now = server_now()
    if not Wish.objects.filter(pk=pk, user=request.user, withdrawn_at=None).exists():
        raise wish_errors.NoSuchWish
    if request.POST.get("act") == "withdraw":
        service.withdraw_wish(wish_id=pk, user=request.user, now=now)
        messages.success(request, _("The wish is withdrawn. Games that have begun go on."))
        return redirect("wishes")
    form = WishNumbersForm(request.POST, prefix=f"wish-{pk}")
    if not form.is_valid():
        messages.error(request, _("Say ratings and the number of games in digits."))
        return redirect("wishes")
    service.change_wish(wish_id=pk, user=request.user, now=now, **form.cleaned_data)
    messages.success(request, _("The wish is changed."))
    return redirect("wishes")
