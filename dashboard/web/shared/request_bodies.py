"""Refuse a body that no form of ours sends, before anything parses it."""

from __future__ import annotations

from flask import current_app, request, session
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from dashboard.web.shared.access import OPEN

#: A form of one review has 100 boxes; a selection may have a thousand.
MOST_FIELDS = 2500
#: Whoever has no session sends an email and a password, or the form of a session that ended.
LARGEST_OF_STRANGERS = 16 * 1024
#: A file of drivers or vehicles has 1 MB; around it stand the other fields of its form, where as much may be typed.
LARGEST_UPLOADS = {"sharing.import_drivers": 1536 * 1024, "fleet.take_in": 2560 * 1024}
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


def refuse_odd_bodies() -> None:
    """Answer 415 to anything but a form, and 413 to one that is too large or has too many fields.

    Flask-WTF would take JSON for a form, with values that are no text.
    """
    if request.routing_exception is not None or request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if request.endpoint in OPEN or "_user_id" not in session:
        request.max_content_length = min(LARGEST_OF_STRANGERS, current_app.config["MAX_CONTENT_LENGTH"])
    elif (upload := LARGEST_UPLOADS.get(request.endpoint or "", 0)) > current_app.config["MAX_CONTENT_LENGTH"]:
        request.max_content_length = request.max_form_memory_size = upload
    if request.mimetype == MULTIPART:  # The parser itself counts the parts.
        return
    # A form is parsed field by field, at a cost for each, so they are counted in what was read.
    body = request.get_data(cache=True, parse_form_data=False)
    if request.mimetype != URLENCODED and (body or request.mimetype):
        raise UnsupportedMediaType
    if body.count(b"&") >= MOST_FIELDS:
        raise RequestEntityTooLarge
