"""Define the sentences about what is done with the discrepancies at hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dashboard.web.reconciliation.records import SentLink
from dashboard.web.shared.current import format_moment, format_near_day
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.texts import join_words

#: Of links that cannot be paid, or that somebody has already.
WHY_CHALLANS_DIFFER = lazy("Ask the service’s support why its challans differ.")

#: Of late payments.
END_NOT_KNOWN = lazy("Its end is not known.")
ON_NO_OTHER_LINK = lazy("No other known link has its challans.")
CHALLANS_NOT_KNOWN = lazy("Its challans are not known, so another link may have them.")


def was_to_end(at: datetime) -> str:
    """Say until when a link could be paid by what the service said of it."""
    return _("It was to end %(moment)s.", moment=format_moment(at))


def on_other_links(links: int) -> str:
    """Say on how many other links challans of a link are; these stand below."""
    return ngettext("%(num)s other link has the same challans.", "%(num)s other links have the same challans.", links)


def same_on_a_request(asked_at: datetime) -> str:
    """Say that a request without a known outcome has the challans of a link, and no other link has."""
    return _(
        "A request of %(moment)s, with no known outcome yet, has the same challans.", moment=format_moment(asked_at)
    )


def which_amount(of: int, *, is_unsent: bool) -> str:
    """Say what is done about amounts that do not match while links can be paid, of which some may not be sent yet."""
    if not is_unsent:
        return _("Ask the service’s support which amount is right.")
    if of == 1:
        return _("Do not send the link yet: ask the service’s support which amount is right.")
    return _("Do not send an active link yet: ask the service’s support which amount is right.")


def do_not_send_other(*, is_sent: bool) -> str:
    """Say what is done about duplicate links of which one that can be paid is not sent yet. `is_sent`: another is."""
    if is_sent:
        return _(
            "Only one may be paid: do not send the other, or tell the driver not to pay it. Both paid? "
            "Ask the service’s support."
        )
    return _("Only one may be paid: do not send the other. Both paid? Ask the service’s support.")


def sent_to(driver: str | None, at: datetime, *, waits: bool) -> str:
    """Say to whom a link was sent, and when. `waits`: it should not be paid yet."""
    when = format_near_day(at)
    if not driver:
        return given(_("Sent %(when)s", when=when), waits=waits)
    if waits:
        return _("Sent to %(driver)s %(when)s: tell them to wait", driver=driver, when=when)
    return _("Sent to %(driver)s %(when)s", driver=driver, when=when)


def given(how: str, *, waits: bool) -> str:
    """Say `how` somebody got a link, or may have got it, who is not known."""
    return _("%(how)s: tell whoever has it to wait", how=how) if waits else how


def who_has(link: SentLink, *, is_spare: bool) -> str:
    """Say who has a link that can be paid besides another. `is_spare`: the other one is paid, or sent."""
    if link.driver:
        return _("%(driver)s has it", driver=link.driver)
    said = f"{link.words[:1].lower()}{link.words[1:]}"
    return said if link.is_sent or not is_spare else _("%(said)s: do not send it", said=said)


def on_another_link(numbers: Sequence[str]) -> str:
    """Say which challans of a link are on another one."""
    return ngettext(
        "%(numbers)s is on another link as well.",
        "%(numbers)s are on another link as well.",
        len(numbers),
        numbers=join_words(numbers),
    )
