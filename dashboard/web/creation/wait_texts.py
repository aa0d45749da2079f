"""Word what people read about a request that they wait for, and about what must be asked again before another try."""

from __future__ import annotations

from datetime import datetime

from dashboard.web.shared.current import format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

#: Beside what can be done, because nobody must wait.
LEAVE = lazy("You can leave: the first page lists this request until its result is known.")


def wait(since: datetime, known_at: datetime | None) -> tuple[str, ...]:
    """Say since when an outcome is unclear, and by when checks should settle it; None once they have not."""
    said = _("Unclear since %(moment)s", moment=format_moment(since))
    return (said, _("Should be settled by %(moment)s", moment=format_moment(known_at))) if known_at else (said,)


def prepaid(count: int) -> str:
    """Say that challans cannot be put on a link, and why, before another try is offered."""
    return ngettext(
        "%(num)s challan is prepaid, but no link is shown for it. Refresh, then try again.",
        "%(num)s challans are prepaid, but no link is shown for them. Refresh, then try again.",
        count,
    )
