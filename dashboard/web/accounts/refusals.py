"""Answer whoever has to wait before the next password or code is heard."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, make_response

from dashboard.services.accounts.hashing_places import Busy
from dashboard.services.accounts.people import TooManyTries
from dashboard.web.accounts import texts


def answer(refused: TooManyTries | Busy, page: Callable[[str], str]) -> Response:
    """Answer with `page`, which is given the words to show, and say when to come back."""
    if isinstance(refused, TooManyTries):
        words, status, seconds = texts.too_many_tries(refused.wait), 429, texts.whole_seconds(refused.wait)
    else:
        words, status, seconds = texts.BUSY, 503, texts.BUSY_SECONDS
    response = make_response(page(words), status)
    response.headers["Retry-After"] = str(seconds)
    return response
