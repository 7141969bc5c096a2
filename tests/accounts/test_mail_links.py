"""Links in mails about accounts lead to this site, whatever a request says its host is."""

import re
from pathlib import Path

import allauth
import pytest
from allauth.account.forms import EmailAwarePasswordResetTokenGenerator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from django.urls import reverse

from notifications.models import Notice
from tests.accounts.account_mails import code_to

pytestmark = pytest.mark.django_db

SITE = "https://pli.example.org"
FOREIGN = "evil.attacker.test"
PASSWORD = "a long walk home"

HEADERS = {
    "another host": {"host": FOREIGN},
    "our host with another port": {"host": "pli.example.org:4444"},
    "a proxy's header": {"host": "pli.example.org", "x-forwarded-host": FOREIGN},
    "several proxies' headers": {
        "host": FOREIGN,
        "x-forwarded-host": f"{FOREIGN}, pli.example.org",
        "x-forwarded-port": "4444",
        "forwarded": f"host={FOREIGN}",
    },
}
URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s\"'<>()]+", re.IGNORECASE)


class Visitor:
    """A browser all of whose requests say something foreign about the host."""

    def __init__(self, client, person, headers):
        self.client, self.person, self.headers = client, person, headers

    def post(self, name, *, args=(), **answers):
        return self.client.post(reverse(name, args=args), answers, headers=self.headers)

    def sign_in(self):
        self.post("account_login", login=self.person.username, password="secret")
        self.post("account_reauthenticate", password="secret")


def sign_up(visitor, email):
    visitor.post("account_signup", username="dora", email=email, password1=PASSWORD)


def account_already_exists(visitor, settings):
    sign_up(visitor, visitor.person.email)


def email_confirmation_signup(visitor, settings):
    sign_up(visitor, "dora@example.net")


def email_confirmation(visitor, settings):
    visitor.sign_in()
    visitor.post("account_email", action_add="", email="ann@example.net")


def second_address(visitor):
    return EmailAddress.objects.create(user=visitor.person, email="ann@example.net", verified=True)


def email_changed(visitor, settings):
    visitor.sign_in()
    visitor.post("account_email", action_primary="", email=second_address(visitor).email)


def email_deleted(visitor, settings):
    visitor.sign_in()
    visitor.post("account_email", action_remove="", email=second_address(visitor).email)


def login_code(visitor, settings):
    visitor.post("account_request_login_code", email=visitor.person.email)


def password_changed(visitor, settings):
    visitor.sign_in()
    new = {"oldpassword": "secret", "password1": PASSWORD, "password2": PASSWORD}
    visitor.post("account_change_password", **new)


def password_set(visitor, settings):
    visitor.person.set_unusable_password()
    visitor.person.save()
    login_code(visitor, settings)
    visitor.post("account_confirm_login_code", code=code_to(visitor.person.email))
    visitor.post("reauthenticate_by_code", action="send")
    visitor.post("reauthenticate_by_code", code=code_to(visitor.person.email))
    visitor.post("account_set_password", password1=PASSWORD, password2=PASSWORD)


def password_reset_key(visitor, settings):
    visitor.post("account_reset_password", email=visitor.person.email)


def password_reset(visitor, settings):
    key = EmailAwarePasswordResetTokenGenerator().make_token(visitor.person)
    where = [user_pk_to_url_str(visitor.person), key]
    form = visitor.client.get(reverse("account_reset_password_from_key", args=where)).url
    new = {"password1": PASSWORD, "password2": PASSWORD}
    visitor.client.post(form, new, headers=visitor.headers)


def password_reset_code(visitor, settings):
    """Switched off here: the mail can be made, but the page that comes next has no address."""
    settings.ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
    visitor.client.raise_request_exception = False
    password_reset_key(visitor, settings)


def unknown_account(visitor, settings):
    visitor.post("account_request_login_code", email="nobody@example.net")


WAYS = {
    way.__name__: way
    for way in (
        account_already_exists,
        email_changed,
        email_confirmation,
        email_confirmation_signup,
        email_deleted,
        login_code,
        password_changed,
        password_reset,
        password_reset_code,
        password_reset_key,
        password_set,
        unknown_account,
    )
}
"""How each mail of allauth comes to be sent."""

NEVER_SENT = {"email_confirm"}
"""Templates that no line of allauth names."""


@pytest.fixture(autouse=True)
def _any_host(settings):
    """Let requests in whatever their host: links must not depend on that check."""
    settings.ALLOWED_HOSTS = ["*"]


@pytest.fixture
def composed(monkeypatch):
    """Note which of allauth's templates mails are made from."""
    from notifications.account_mail import AccountAdapter

    names = []
    send = AccountAdapter.send_mail

    def noting(adapter, template_prefix, email, context):
        names.append(Path(template_prefix).name)
        send(adapter, template_prefix, email, context)

    monkeypatch.setattr(AccountAdapter, "send_mail", noting)
    return names


def links_of(notice):
    return URL.findall("\n".join(notice.content[part] for part in ("subject", "text", "html")))


def test_every_mail_of_allauth_is_tried():
    folder = Path(allauth.__file__).parent / "templates" / "account" / "email"
    known = {path.name.removesuffix("_subject.txt") for path in folder.glob("*_subject.txt")}
    assert known == set(WAYS) | NEVER_SENT


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
@pytest.mark.parametrize("name", WAYS)
def test_links_lead_to_the_site_whatever_the_host_header_says(
    client, ann, settings, composed, name, headers
):
    settings.SITE_URL = SITE
    WAYS[name](Visitor(client, ann, headers), settings)
    assert name in composed
    for notice in Notice.objects.all():
        links = links_of(notice)
        assert links
        assert [link for link in links if link != SITE and not link.startswith(f"{SITE}/")] == []
        assert FOREIGN not in "".join(str(part) for part in notice.content.values())


def test_a_link_keeps_its_path(client, ann, settings):
    settings.SITE_URL = SITE
    password_reset_key(Visitor(client, ann, {"host": FOREIGN}), settings)
    (link,) = {link for link in links_of(Notice.objects.get()) if "/reset/" in link}
    page = client.get(link.removeprefix(SITE), follow=True)
    assert 'name="password1"' in page.text


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
def test_passkeys_are_for_the_site_whatever_the_host_header_says(rf, settings, headers):
    from allauth.core import context

    settings.SITE_URL = f"{SITE}:8443"
    settings.SITE_NAME = "The club"
    with context.request_context(rf.get("/", headers=headers)):
        entity = get_mfa_adapter().get_public_key_credential_rp_entity()
    assert entity == {"id": "pli.example.org", "name": "The club"}


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS)
def test_the_picture_that_others_show_with_a_link_is_the_sites(client, settings, headers):
    settings.SITE_URL = SITE
    page = client.get("/rules/", headers=headers).text
    assert FOREIGN not in page
    assert "4444" not in page
    assert f'property="og:image" content="{SITE}/boards/' in page


def test_another_port_in_the_host_header_gives_no_new_tries_at_a_password(client, ann):
    for port in range(5):
        answers = {"login": "ann", "password": "wrong"}
        client.post(reverse("account_login"), answers, headers={"host": f"pli.example.org:{port}"})
    page = client.post(
        reverse("account_login"),
        {"login": "ann", "password": "secret"},
        headers={"host": "pli.example.org:99"},
    )
    assert "Too many failed" in page.text
