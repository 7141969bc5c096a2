"""What somebody fills in to report something."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import Report
from games.services.conduct.reports import LONGEST


class ReportForm(forms.Form):
    """A reason and what happened."""

    reason = forms.ChoiceField(
        label=_("What is it about?"), choices=Report.Reason, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=_("What happened?"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Only the moderators read it."),
    )
