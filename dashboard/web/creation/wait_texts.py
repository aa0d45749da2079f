"""Say how long the outcome of a request may stay unclear."""

from __future__ import annotations

from datetime import datetime

from dashboard.web.shared.current import format_moment
from dashboard.web.shared.languages import gettext as _


def wait(since: datetime, minutes: int) -> str:
    """Say since when an outcome is unclear, within how many minutes checks should settle it, and that nobody must wait.

    `minutes` is 0 once they have not.
    """
    at = format_moment(since)
    said = _("Unclear since %(moment)s; the checks should settle it within %(count)s min.", moment=at, count=minutes)
    leave = _("You can leave: the first page lists this request until its result is known.")
    since_then = _("Unclear since %(moment)s.", moment=at)
    return f"{said if minutes else since_then} {leave}"
