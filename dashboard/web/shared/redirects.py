"""Check that an address is safe to redirect a person to."""

from __future__ import annotations

import re

from flask import current_app
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from dashboard.web.shared.access import NOT_PAGES, SIGNED_OUT_PAGES

_LONGEST = 2000
#: Browsers take `//e`, `/\e` and `\\e` for another site, after they have removed tabs and line breaks.
_OWN_PATH = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")


def own_page(target: str | None, *, signed_out: bool = False) -> str | None:
    """Return the target when it is a page of the dashboard that can be opened with GET; else None.

    `signed_out` takes the pages of signing in too.
    """
    if not target or len(target) > _LONGEST or not _OWN_PATH.fullmatch(target):
        return None
    path = re.split(r"[?#]", target, maxsplit=1)[0]
    try:
        endpoint, _arguments = current_app.url_map.bind("").match(path, method="GET")
    except (HTTPException, RequestRedirect):
        return None
    return target if endpoint not in NOT_PAGES or (signed_out and endpoint in SIGNED_OUT_PAGES) else None
