"""Build the `checked` event, which every answer about a live region carries to the browser."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from flask_login import current_user

from dashboard.web.shared.banner import banners
from dashboard.web.shared.current import current_services, format_moment


def whole_seconds(interval: timedelta) -> int:
    """Round a polling interval for `hx-trigger`, which takes whole seconds; one at least."""
    return max(1, round(interval.total_seconds()))


def checked_event(
    checked_at: datetime | None = None, *, poll_seconds: float | None = None, seen: str | None = None, **parts: str
) -> dict[str, Any]:
    """Return the last check (now, without `checked_at`), server time, and fingerprints of the dependent regions.

    A dependent region fetches itself again when its fingerprint has changed; the banner is one on every page.
    `poll_seconds` is the time until the next poll, and `seen` what it sends; without them both stay as they are.
    """
    services = current_services()
    now = services.clock()
    event: dict[str, Any] = {
        "at": (checked_at or now).isoformat(),
        "now": now.isoformat(),
        "parts": {"banner": banners(services, format_moment, reader=current_user.role).fingerprint, **parts},
    }
    return event | ({"poll_seconds": poll_seconds} if poll_seconds else {}) | ({"seen": seen} if seen else {})
