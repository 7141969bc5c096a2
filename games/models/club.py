"""Clubs with their members, requests to join, tables, announcements, and news to be told."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.paths import page_path

LONGEST_NAME, LONGEST_TEXT, LONGEST_REASON = 60, 2000, 500


class Club(models.Model):
    """Players who belong together. Its owner is the member with that role.

    `slug` is its address, which renaming does not change. `folded_name` is the name as it is
    compared: no other open club has it. A closed club has no members, and nothing happens there.
    """

    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    folded_name = models.CharField(_("compared name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    description = models.TextField(
        _("description"), max_length=LONGEST_TEXT, blank=True, default=""
    )
    opened_at = models.DateTimeField(_("opened"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["folded_name"],
                name="one_club_a_name",
                condition=Q(closed_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.name or gettext("Club %(number)s") % {"number": self.pk}

    def get_absolute_url(self) -> str:
        """Return the address of the club's page."""
        return page_path("club", self.slug)


class ClubMember(models.Model):
    """A member of a club; `gets_letters`: the club's letters go to them."""

    class Role(models.TextChoices):
        """What a member may do in a club."""

        OWNER = "owner", pgettext_lazy("club", "owner")
        MANAGER = "manager", pgettext_lazy("club", "manager")
        MEMBER = "member", pgettext_lazy("club", "member")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_memberships"
    )
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField(_("joined"))
    gets_letters = models.BooleanField(_("gets letters"), default=True)

    class Meta:
        verbose_name = _("member of a club")
        verbose_name_plural = _("members of clubs")
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="one_member_a_user"),
            models.UniqueConstraint(
                fields=["club"], name="one_owner_a_club", condition=Q(role="owner")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id}"

    @property
    def is_manager(self) -> bool:
        """Whether the member may do what managers do: the owner may, too."""
        return self.role != self.Role.MEMBER


class ClubRequest(models.Model):
    """Somebody asks to join a club. It is deleted when they are admitted.

    With `again_at` it is over: they withdrew it, or were refused or removed, and can ask again
    then.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="requests")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_requests"
    )
    asked_at = models.DateTimeField(_("asked"))
    again_at = models.DateTimeField(_("can ask again"), null=True, blank=True)

    class Meta:
        verbose_name = _("request to join a club")
        verbose_name_plural = _("requests to join clubs")
        ordering = ["asked_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="one_request_a_user"),
        ]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id}"


class ClubTable(models.Model):
    """A private table at which the members of a club can sit down."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="tables")
    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, related_name="club_table")

    class Meta:
        verbose_name = _("table of a club")
        verbose_name_plural = _("tables of clubs")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.game_id}"


class ClubAnnouncement(models.Model):
    """What a manager writes to all members of a club, by mail and on its page."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="announcements")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="club_announcements"
    )
    text = models.TextField(_("text"), max_length=LONGEST_TEXT, blank=True)
    written_at = models.DateTimeField(_("written"))

    class Meta:
        verbose_name = _("announcement of a club")
        verbose_name_plural = _("announcements of clubs")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.pk}"


class ClubNews(models.Model):
    """Something that one person is still to be told by mail; it is deleted when that is done.

    It is written in the transaction of what happened. `text` is the reason that they are told,
    `person` who it is about.
    """

    class Tells(models.TextChoices):
        """What a letter of a club tells."""

        ASKED = "asked", _("somebody asks to join")
        ADMITTED = "admitted", _("admitted")
        REFUSED = "refused", _("refused")
        REMOVED = "removed", _("removed")
        OWNER = "owner", _("owns the club now")
        CLOSED = "closed", _("the club is closed")
        ANNOUNCEMENT = "announcement", _("announcement")
        CHALLENGED = "challenged", _("another club challenges")
        ACCEPTED = "accepted", _("the challenge is accepted")
        NOT_PLAYED = "not-played", _("the match is not played")
        MATCH_BEGINS = "match-begins", _("the match begins")
        MATCH_ENDS = "match-ends", _("the match is over")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    reader = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_news"
    )
    tells = models.CharField(_("tells"), max_length=16, choices=Tells)
    text = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True, default="")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    announcement = models.ForeignKey(
        ClubAnnouncement, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    match = models.ForeignKey(
        "games.ClubMatch", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("news of a club")
        verbose_name_plural = _("news of clubs")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.tells}"
