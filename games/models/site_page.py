"""The host's own texts of the pages About, Privacy and Contact."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SitePage(models.Model):
    """The text of one page in one language, in Markdown. It takes the place of Pli's own text."""

    class Name(models.TextChoices):
        ABOUT = "about", _("About")
        PRIVACY = "privacy", _("Privacy")
        CONTACT = "contact", _("Contact")

    name = models.CharField(_("page"), max_length=10, choices=Name)
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES)
    text = models.TextField(_("text"))
    updated_at = models.DateTimeField(_("changed"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )

    class Meta:
        verbose_name = _("page of the site")
        verbose_name_plural = _("pages of the site")
        ordering = ["name", "language"]
        constraints = [
            models.UniqueConstraint(
                fields=["name", "language"],
                name="one_text_of_a_page_and_language",
                violation_error_message=_("This page already has a text in this language."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_name_display()} ({self.get_language_display()})"
