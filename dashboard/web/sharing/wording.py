"""Word the messages to drivers with amounts and moments as they read them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from babel import Locale
from babel.dates import format_datetime

from dashboard.domain.languages import DEFAULT_LANGUAGE, Language
from dashboard.domain.messages import (
    Message,
    MessageFacts,
    compose,
    compose_receipt,
    compose_several,
    told_by,
    with_line,
)
from dashboard.services.sharing.messages import facts_of
from dashboard.store.links.records import Link
from dashboard.web.shared.current import format_amount, zone


def worded(language: Language, template: str | None, facts: MessageFacts) -> Message:
    """Word the message about a link to pay, with a manager's template where there is one."""
    return compose(language, template, facts, format_amount=format_amount, format_moment=_format_moment)


def worded_together(language: Language, template: str | None, listed: Sequence[MessageFacts]) -> str:
    """Word one message about several links to pay, which greets the driver once."""
    return compose_several(language, template, listed, format_amount=format_amount, format_moment=_format_moment)


def untold(language: Language, text: str, missed: Collection[str], facts: MessageFacts) -> dict[str, tuple[str, ...]]:
    """Return what of the `missed` is known and not in a message, and by which words it would be there."""
    said = text.replace(facts.url, "")
    told = told_by(language, facts, format_amount=format_amount, format_moment=_format_moment)
    return {name: words for name, words in told.items() if name in missed and not any(each in said for each in words)}


def with_missed(language: Language, text: str, missed: Collection[str], facts: MessageFacts) -> str:
    """Append a line with what a message has `missed`."""
    return with_line(language, text, missed, facts, format_amount=format_amount, format_moment=_format_moment)


def pay_before(language: Language, deadline: datetime | None) -> tuple[str, str, str]:
    """Say until when to pay: the deadline, with what comes before and after it."""
    before, _deadline, after = language.pay_before.partition("{deadline}")
    return before.strip(), _format_moment(deadline, language) if deadline else language.unknown_deadline, after.strip()


def counted(language: Language, challans: int) -> str:
    """Say how many challans a link has."""
    return language.counted[challans != 1].format(challans=challans)


def thanks(language: Language, facts: MessageFacts) -> Message:
    """Word the message about a link that is paid."""
    return compose_receipt(language, facts, format_amount=format_amount, format_moment=_format_moment)


def qr_lines(link: Link) -> list[str]:
    """Write what stands under a QR code in a picture: plate, amount and deadline, as far as they are known.

    In ASCII, because the font of the picture has nothing else.
    """
    facts = facts_of(link, 0, None)
    lines = [facts.plate or "", "" if facts.amount is None else format_amount(facts.amount).replace("₹", "Rs ")]
    if facts.deadline is not None:
        lines.append(f"Pay before {_format_moment(facts.deadline, DEFAULT_LANGUAGE)}")
    return [line.replace("\xa0", " ").encode("ascii", "ignore").decode() for line in lines if line]


def shortened(url: str) -> str:
    """Return a payment URL without what makes it payable, for a message that nobody may send yet."""
    return f"{url.rpartition('/')[0]}/…" if url else "…"


def _format_moment(at: datetime, language: Language) -> str:
    """Write a moment as a driver reads it: "24 Nov, 9:19 am". Drivers live in the time zone of the fleet."""
    local = at.astimezone(zone())
    day = format_datetime(local.replace(tzinfo=None), language.day, locale=Locale.parse(language.locale))
    return f"{day}, {language.time(local.hour, local.minute)}"
