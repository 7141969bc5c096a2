"""The form that DKIM's and DMARC's records share: tag=value; tag=value."""


def tags_of(record: str) -> dict[str, str]:
    """Return the tags (in lower case) of a record; parts without "=" are left out."""
    parts = (part.partition("=") for part in record.split(";"))
    return {name.strip().lower(): value.strip() for name, found, value in parts if found}
