"""Compress answers to htmx. They hold no CSRF token; a whole page does, and is left to a proxy that knows its site.

Compressing a secret beside text that others choose would let them guess it by the size of the answer (BREACH).
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
    if not htmx.is_htmx() or response.is_streamed or response.mimetype != "text/html":
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
