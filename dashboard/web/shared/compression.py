"""Compress answers that cannot tell a secret by their size (BREACH).

Where an answer holds a secret beside text that somebody else chose, its compressed size tells how much of that text
they guessed right. Answers to htmx hold no CSRF token. A whole page holds one, so it is compressed only where it
repeats nothing of its request: its address has neither arguments nor a query.
"""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

from dashboard.web.shared import htmx

#: Smaller answers fit one packet as they are.
_WORTH_IT = 1024
#: Higher levels take many times as long to save a few hundredths of a page of challans.
_LEVEL = 2


def init_compression(app: Flask) -> None:
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if response.is_streamed or response.mimetype != "text/html" or not (htmx.is_htmx() or _repeats_nothing()):
        return response
    if "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    body = response.get_data()
    if len(body) < _WORTH_IT or request.accept_encodings.quality("gzip") <= 0:
        return response
    response.set_data(gzip.compress(body, _LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    return response


def _repeats_nothing() -> bool:
    """Return whether nothing of the request can stand in its answer; an address that leads nowhere may be repeated."""
    has_text = request.query_string or request.view_args or request.url_rule is None
    return request.method == "GET" and not has_text
