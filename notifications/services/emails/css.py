"""Makes a page of HTML into one that mail programs show: styles on the elements themselves."""

from functools import cache

from css_inline import CSSInliner


@cache
def _inliner() -> CSSInliner:
    # The dark scheme's @media rules cannot stand on elements, they stay in <head>.
    return CSSInliner(keep_at_rules=True, keep_style_tags=False, load_remote_stylesheets=False)


def inline_css(html: str) -> str:
    """Return the same page with its styles moved onto the elements. Loads nothing."""
    return _inliner().inline(html)
