"""The form of a turn."""

from django import forms


class TurnForm(forms.Form):
    """A turn as it is sent: typed, or chosen from the list of what is legal."""

    # Whatever was sent goes to the rules: they say why it is no turn better than a form can.
    text = forms.Field(required=False)
    choice = forms.Field(required=False)
    expected_turn = forms.IntegerField(min_value=0, max_value=2**31 - 1)

    @property
    def turn(self) -> str:
        """What was typed, or chosen; what is chosen may go on from what was typed."""
        typed: str = (self.cleaned_data["text"] or "").strip()
        chosen: str = self.cleaned_data["choice"] or ""
        return chosen if chosen.startswith(f"{typed}, ") else typed or chosen
