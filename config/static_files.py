"""Static files as a host serves them: compressed once, with names that change with the content."""

from functools import cache

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The stubs leave this out.
_, _IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Writes each file with a hash in its name, plain and packed with gzip and Brotli.

    What a file names in turn has its hash there too: imports of modules, besides what Django
    looks at by itself (CSS).
    """

    patterns = (*HashedFilesMixin.patterns, ("*.mjs", _IMPORTS))

    @cache  # noqa: B019  (there is one storage, and its files do not change while a process runs)
    def url(self, name: str | None, force: bool = False) -> str:
        """Return the address of a file, with its hash; each page asks for about twenty."""
        return super().url(name, force)


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """Serves static files. Browsers keep those with a hash in their names for a year."""

    FOREVER = 31_536_000
