"""People for the tests. Games are made through the services, as in life."""

from datetime import UTC, datetime

import factory
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from factory.django import DjangoModelFactory

from accounts.models import User


class PersonFactory(DjangoModelFactory):
    """Somebody with a verified address, whose password is "secret"."""

    class Meta:
        model = User
        django_get_or_create = ("username",)
        skip_postgeneration_save = True

    username = factory.Sequence(lambda number: f"person{number}")
    email = factory.LazyAttribute(lambda person: f"{person.username}@example.org")
    password = factory.django.Password("secret")
    automatic_vacation = False  # so that games of tests end at their deadline
    reminders_at_night = True  # so that reminders of tests come exactly when they are due

    @factory.post_generation
    def address(self, create, extracted, **kwargs):
        if create and self.email and not self.emailaddress_set.exists():
            EmailAddress.objects.create(user=self, email=self.email, verified=True, primary=True)


class GuestFactory(PersonFactory):
    """Somebody who plays without having signed up; the account ends with the year."""

    username = factory.Sequence(lambda number: f"guest-{number}")
    email = ""
    guest_until = datetime(2026, 12, 31, tzinfo=UTC)


class BotFactory(PersonFactory):
    """A bot; it has no address."""

    username = factory.Sequence(lambda number: f"bot{number}")
    email = ""
    is_bot = True


class StaffFactory(PersonFactory):
    """Somebody with a second factor, whose `role` is the name of a group."""

    class Meta:
        skip_postgeneration_save = True

    is_staff = True

    @factory.post_generation
    def second_factor(self, create, extracted, **kwargs):
        if create:
            Authenticator.objects.get_or_create(user=self, type=Authenticator.Type.TOTP, data={})

    @factory.post_generation
    def role(self, create, extracted, **kwargs):
        if create and extracted:
            self.groups.add(Group.objects.get(name=extracted))


class ModeratorFactory(StaffFactory):
    """Somebody who may do everything in the admin."""

    username = factory.Sequence(lambda number: f"moderator{number}")
    is_superuser = True
