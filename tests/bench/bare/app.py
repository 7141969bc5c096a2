"""A Django project of one file that does the least a turn, and a list of games, can be.

It is what Pli's pages are measured against: session, user, row lock, insert, update, outbox row.
"""

# ruff: noqa: DJ008, E402

import environ
from django.conf import settings

settings.configure(
    DEBUG=False,
    SECRET_KEY="nothing is secret here, and nobody but a benchmark comes",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {**environ.Env().db("DATABASE_URL"), "CONN_MAX_AGE": 300}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.locale.LocaleMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                ]
            },
        }
    ],
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
)

import django

django.setup()

from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from django.db import models, transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.template import RequestContext, Template
from django.urls import path
from django.utils import timezone

PAGE = Template(
    "<html><body>{{ user.username }}{% for game in games %}"
    "<p><a href='/games/{{ game.pk }}/'>{{ game.turn_number }} {{ game.deadline|date:'c' }} "
    "{{ game.second.username }}</a></p>{% endfor %}</body></html>"
)


class Game(models.Model):
    """Two players, the text of all turns, and when the next one is due."""

    first = models.ForeignKey(User, models.CASCADE, related_name="+")
    second = models.ForeignKey(User, models.CASCADE, related_name="+")
    turn_number = models.IntegerField(default=0)
    position = models.TextField(default="")
    deadline = models.DateTimeField(db_index=True)

    class Meta:
        app_label = "bare"


class Turn(models.Model):
    """One turn of a game."""

    game = models.ForeignKey(Game, models.CASCADE)
    number = models.IntegerField()
    text = models.CharField(max_length=200)
    played_at = models.DateTimeField()

    class Meta:
        app_label = "bare"
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="once")]


class Outbox(models.Model):
    """Somebody who is to be told of a game."""

    game = models.ForeignKey(Game, models.CASCADE)
    user = models.ForeignKey(User, models.CASCADE)
    at = models.DateTimeField()

    class Meta:
        app_label = "bare"


MODELS = (Game, Turn, Outbox)


def play(request, pk):
    """Append a turn to the game that stands at the expected one; answer 409 if it has moved on."""
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    now = timezone.now()
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=pk)
        if int(request.POST["expected_turn"]) != game.turn_number:
            return HttpResponse(status=409)
        text = request.POST["text"]
        Turn.objects.create(game=game, number=game.turn_number, text=text, played_at=now)
        game.turn_number += 1
        game.position += text
        game.deadline = now
        game.save(update_fields=["turn_number", "position", "deadline"])
        Outbox.objects.create(game=game, user_id=game.second_id, at=now)
    return HttpResponseRedirect(f"/games/{pk}/")


def home(request):
    """Show the viewer's first fifty games."""
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    games = Game.objects.filter(first=request.user).select_related("second")
    context = {"games": games.order_by("deadline")[:50]}
    return HttpResponse(PAGE.render(RequestContext(request, context)))


urlpatterns = [path("games/<int:pk>/play/", play), path("", home)]
application = get_wsgi_application()
