"""Forms of sign-up, sign-in, addresses and the profile."""

from datetime import datetime
from typing import Any

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from allauth.account.fields import EmailField
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as passkey_forms
from django import forms
from django.contrib.auth import HASH_SESSION_KEY
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.addresses import normal_or_none, normalize_address
from accounts.guests import forget_addresses, guest_of
from accounts.models import Language, NameTaken, SecurityEvent, User, check_name_is_free
from accounts.security_log import record
from accounts.users import is_only_verified
from accounts.zones import known_zones, zone_choices


class AddressField(EmailField):
    """An e-mail address, normalised before it is validated or looked up."""

    def to_python(self, value: Any) -> Any:
        """Return the normal form. Raises InvalidAddress."""
        given = super().to_python(value)
        return normalize_address(given) if given else given


class EmailAddressForm(forms.ModelForm):
    """An address of an account, as it is edited in the admin."""

    email = AddressField()

    class Meta:
        model = EmailAddress
        fields = ["user", "email", "verified", "primary"]

    def clean_verified(self) -> bool:
        """Return the choice. Raises ValidationError if the account would have no verified address.

        An administrator who made a mistake corrects the address itself.
        """
        verified: bool = self.cleaned_data["verified"]
        if not verified and is_only_verified(self.instance):
            raise forms.ValidationError(_("This is the only verified address of the account."))
        return verified


class LoginForm(allauth_forms.LoginForm):
    """Sign-in by user name or address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("User name or e-mail address")
        self.fields["login"].widget.attrs["autocomplete"] = "username"

    def clean_login(self) -> str:
        """Return an address in its normal form, a user name (or what is neither) as it is."""
        login = super().clean_login()
        return normal_or_none(login) or login


class RequestLoginCodeForm(allauth_forms.RequestLoginCodeForm):
    """Asks for a mailed code to sign in with."""

    email = AddressField()


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    """Asks for the mail that resets a password."""

    email = AddressField()


class AddEmailForm(allauth_forms.AddEmailForm):
    """Adds an address to an account."""

    email = AddressField()


class ChangePasswordForm(allauth_forms.ChangePasswordForm):
    """Changes a password; guesses of the old one are counted as at sign-in."""

    def clean_oldpassword(self) -> str:
        """Raise ValidationError for a wrong password, or after too many of them."""
        password = str(self.cleaned_data["oldpassword"])
        adapter = get_adapter()
        if not adapter.reauthenticate(self.user, password):
            raise adapter.validation_error("enter_current_password")
        return password


class AddPasskeyForm(passkey_forms.AddWebAuthnForm):
    """Adds a passkey; allauth leaves the name's label in English."""

    name = forms.CharField(label=_("Name"), required=False)


class EditPasskeyForm(passkey_forms.EditWebAuthnForm):
    """Renames a passkey."""

    name = forms.CharField(label=_("Name"))

    def save(self) -> Authenticator:
        former = self.instance.wrap().name
        renamed: Authenticator = super().save()
        record(
            SecurityEvent.Kind.FACTOR_RENAMED,
            user=renamed.user,
            request=context.request,
            factor=renamed.type,
            former=former,
            name=self.cleaned_data["name"],
        )
        return renamed


class SignupForm(allauth_forms.SignupForm):
    """Sign-up; language and time zone are taken from the browser without asking."""

    email = AddressField()
    time_zone = forms.CharField(
        required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        guest = guest_of(context.request)
        if guest is not None:
            self.fields["username"].initial = guest.username
        self.fields["username"].label = _("User name")
        self.fields["username"].help_text = _("Letters, digits, dots and hyphens.")
        self.fields["email"].label = _("E-mail address")
        self.fields["email"].help_text = _("Your mail is sent here. Nobody else sees this address.")

    def clean_username(self) -> str:
        """Return the name if nobody has one like it, or if it is this guest's. Raises NameTaken."""
        guest = guest_of(context.request)
        if guest is not None and self.cleaned_data["username"] == guest.username:
            return guest.username
        username = super().clean_username()
        check_name_is_free(username, guest)
        return username

    def clean_email(self) -> str:
        """Return the address. A guest may give their own unconfirmed address again."""
        guest = guest_of(context.request)
        if guest is not None:
            forget_addresses(guest)
        return str(super().clean_email())

    def clean_time_zone(self) -> str:
        """Return the browser's zone if there is such a zone, else UTC."""
        name = self.cleaned_data["time_zone"]
        return name if name in known_zones() else "UTC"

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account; for a known address do the same work and keep none of it.

        Without that work (above all hashing the password) the answer to a known address would come
        sooner, and tell that it has an account.
        """
        try:
            if self.account_already_exists:
                self.save(request)
            return super().try_save(request)
        except NameTaken as error:  # somebody took the name a moment ago
            self.add_error("username", error)
            context = {"form": self, "login_url": reverse("account_login")}
            return None, render(request, "account/signup.html", context)

    def save(self, request: HttpRequest) -> User:
        """Return the new account, which is undone if its address is known.

        The password is hashed before the transaction begins: on SQLite nobody else can write
        during one.
        """
        adapter = get_adapter()
        user = adapter.new_user(request)
        guest_name = user.username if user.is_guest else ""
        user = adapter.save_user(request, user, self, commit=False)
        if guest_name and guest_name != user.username:
            user.display_name = ""
        with transaction.atomic():
            user.save()
            self.custom_signup(request, user)
            setup_user_email(request, user, [])
            if self.account_already_exists:
                user.emailaddress_set.create(email=user.email)
                transaction.set_rollback(True)
        if user.is_guest and not self.account_already_exists:
            # They remain a guest until the address is confirmed: another password would end the
            # session.
            request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        return user

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        """Save the language of the page and the zone of the browser in the new profile."""
        language = get_language()
        user.language = language if language in Language.values else Language.ENGLISH
        user.time_zone = self.cleaned_data["time_zone"]
        user.save(update_fields=["language", "time_zone"])


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["display_name", "language", "time_zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("Time zone"),
            help_text=_("Deadlines are shown in this zone."),
            choices=zone_choices(self.instance.time_zone),
        )
        self.fields["display_name"].widget.attrs["autocomplete"] = "nickname"

    def save_at(self, now: datetime) -> None:
        """Write these fields only: the rest of the row may have changed meanwhile.

        In another zone the night comes at another time: reminders are to be set anew.
        """
        fields = list(self.Meta.fields)
        if "time_zone" in self.changed_data:
            self.instance.mark_clocks_changed(now)
            fields.append("clocks_changed_at")
        self.instance.save(update_fields=fields)


class PublicProfileForm(forms.ModelForm):
    """What others see of a player, and who can find and challenge them."""

    class Meta:
        model = User
        fields = [
            *("results_shown_to", "times_shown_to", "games_shown_to"),
            *("is_findable", "takes_strangers"),
        ]
        labels = {
            "results_shown_to": _("Who sees my results"),
            "times_shown_to": _("Who sees how fast I answer"),
            "games_shown_to": _("Who sees the list of my games"),
            "is_findable": _("I can be found by name"),
            "takes_strangers": _("Strangers can challenge me"),
        }
        help_texts = {
            "results_shown_to": _(
                "How often you won, drew and lost, by game and by opponent, and how many games you "
                "play. Whoever you play against always sees your results against them."
            ),
            "times_shown_to": _("How long your turns usually take."),
            "games_shown_to": _(
                "Your opponents always see the games that you play together, and a public game can "
                "be watched by everybody who has its address, or finds it among the games to watch."
            ),
            "is_findable": _(
                "Without this, the search for players does not show you. Your profile stays at its "
                "address, and your name at your games and tables."
            ),
            "takes_strangers": _(
                "Without this, only players whom you follow and those you have played against can "
                "challenge you."
            ),
        }
