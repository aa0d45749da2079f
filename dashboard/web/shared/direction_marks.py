"""Leave the marks that reorder text on screen out of what pages show.

One of them in a note or a name, which any messenger may paste along, would show the rest of its line backwards. What
the service sends is rid of them when it is read (`domain/safe_text.py`).
"""

from __future__ import annotations

import re

from flask import Flask, Response

#: The UTF-8 of U+202A to U+202E and of U+2066 to U+2069.
_MARK = re.compile(rb"\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])")
#: A tag stays as it is: what a field holds reorders nothing beside it, and is sent back as it was stored.
_TAG_OR_MARK = re.compile(rb"(<[^>]*>)|" + _MARK.pattern)


def init_direction_marks(app: Flask) -> None:
    app.after_request(_leave_out)


def _leave_out(response: Response) -> Response:
    if response.is_streamed or response.mimetype != "text/html":
        return response
    body = response.get_data()
    if _MARK.search(body):
        response.set_data(_TAG_OR_MARK.sub(rb"\1", body))
    return response
