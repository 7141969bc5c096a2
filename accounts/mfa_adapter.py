"""Second factors, as allauth asks for them."""

from urllib.parse import urlsplit

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings

from accounts import factor_keys


class MFAAdapter(DefaultMFAAdapter):
    """Encrypts secrets; makes passkeys for the site's address, not for the request's Host."""

    def encrypt(self, text: str) -> str:
        """Return a secret as it is kept."""
        return factor_keys.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Return a secret that was kept. Raises FactorUnreadable."""
        return factor_keys.decrypt(encrypted_text)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the relying party (Web Authentication, section 5.4.2)."""
        return {"id": urlsplit(settings.SITE_URL).hostname or "", "name": settings.SITE_NAME}
