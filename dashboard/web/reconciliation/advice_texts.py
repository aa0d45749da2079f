"""Define the sentences about what is done with the discrepancies at hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dashboard.web.shared.current import format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import ngettext
from dashboard.web.shared.texts import join_words


def same_on_a_request(asked_at: datetime) -> str:
    """Say that a request without a known outcome has the challans of a link, and no other link has."""
    return _(
        "A request of %(moment)s, with no known outcome yet, has the same challans.", moment=format_moment(asked_at)
    )


def do_not_send(live: int, of: int) -> str:
    """Say what is done about amounts that do not match while links can be paid; "" where none can."""
    if not live:
        return ""
    if of == 1:
        return _("Do not send the link yet: ask the service’s support which amount is right.")
    return _("Do not send an active link yet: ask the service’s support which amount is right.")


def who_has(driver: str | None, *, is_sent: bool) -> str:
    """Say who has a link that can be paid besides another."""
    if driver:
        return _("%(driver)s has it", driver=driver)
    return _("sent") if is_sent else _("not sent yet")


def on_another_link(numbers: Sequence[str]) -> str:
    """Say which challans of a link are on another one."""
    return ngettext(
        "%(numbers)s is on another link as well.",
        "%(numbers)s are on another link as well.",
        len(numbers),
        numbers=join_words(numbers),
    )
