"""How the parts are put together."""

from config.celery import app as celery_app

__all__ = ["VERSION", "celery_app"]

VERSION = "0.1.0"
"""The newest version that CHANGELOG.md describes (https://semver.org)."""
