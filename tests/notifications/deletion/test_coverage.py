"""No column that may hold something of a user is forgotten by a deletion."""

from django.apps import apps
from django.db import models

from accounts.models import User
from notifications.deletion.coverage import CHANGED, DELETED, KEPT

TEXTS = (
    models.CharField,
    models.TextField,
    models.JSONField,
    models.BinaryField,
    models.GenericIPAddressField,
    models.FileField,
)


def test_each_column_that_may_hold_something_of_a_user_has_an_entry():
    """A column with choices is nobody's words. A new column must be put into one of the tables."""
    columns = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        if model._meta.label not in DELETED
        for field in model._meta.concrete_fields
        if field.related_model is User or (isinstance(field, TEXTS) and not field.choices)
    }
    assert CHANGED.keys() | KEPT.keys() == columns
    assert CHANGED.keys() & KEPT.keys() == set()
    assert DELETED.keys() <= {
        model._meta.label for model in apps.get_models(include_auto_created=True)
    }
