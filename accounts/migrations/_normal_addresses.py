"""`accounts.addresses` as it was when migrations first normalised addresses. Never changed."""

import idna

NOT_NORMAL = r"[^ -@\[-~]"
LONGEST = 254


def normal_or_none(address: str) -> str | None:
    local, at, domain = address.strip().rpartition("@")
    if not (local and at and domain and local.isprintable() and local.isascii()):
        return None
    try:
        ascii_domain = domain if domain.isascii() else idna.encode(domain, uts46=True).decode()
    except UnicodeError:
        return None
    normal = f"{local}@{ascii_domain}".lower()
    return normal if len(normal) <= LONGEST else None
