"""Build what every answer about a live region carries."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from dashboard.web.shared.banner import banners
from dashboard.web.shared.current import current_services, format_moment


def told(checked_at: datetime | None = None, **parts: str) -> dict[str, Any]:
    """When what is shown was checked (now, without a moment), the present, and the marks of what stands around it.

    A part of the page whose mark is another one by now fetches itself anew; the banner is such a part everywhere.
    """
    services = current_services()
    now = services.clock()
    marks = {"banner": banners(services, format_moment, signed_in=True).mark, **parts}
    return {"at": (checked_at or now).isoformat(), "now": now.isoformat(), "parts": marks}
