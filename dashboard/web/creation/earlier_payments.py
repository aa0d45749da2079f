"""Say by which ended links challans that are to be put on a new one may be paid besides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from flask import url_for

from dashboard.domain.links import may_have_taken_money
from dashboard.domain.sharing import Answer
from dashboard.store.links.records import Link
from dashboard.store.sharing.questions import Question
from dashboard.web.creation import earlier_texts
from dashboard.web.creation.records import EarlierPayment
from dashboard.web.links.cards import ended_at
from dashboard.web.links.texts import in_one_line
from dashboard.web.shared.current import format_moment


def earlier_payments(found: Sequence[Link], asked: Mapping[str, Question] | None = None) -> Iterator[EarlierPayment]:
    """Say it of the failed links, then of the others; `found` has the link of each challan that was on one.

    `asked` has the question to the driver of each failed link, where there is one and it was looked up.
    """
    failed = [link for link in found if may_have_taken_money(link.status)]
    others = [link for link in found if not may_have_taken_money(link.status)]
    for each, next_step in ((failed, _of_money(failed, asked or {})), (others, earlier_texts.MAY_BE_PAID_LATE)):
        if each:
            newest = max(each, key=lambda link: (ended_at(link) or link.first_seen_at, link.first_seen_at))
            ended, count = ended_at(newest), len({link.id for link in each})
            when = in_one_line(format_moment(ended)) if ended else ""
            words = earlier_texts.were_on(newest.status, len(each), when, links=count)
            address = url_for("links.show", link_id=newest.id)
            is_settled = next_step is earlier_texts.DRIVER_SAYS[Answer.NOT_TAKEN]
            yield EarlierPayment(words, str(next_step), address, may_have_taken_money(newest.status), is_settled)


def _of_money(failed: Sequence[Link], asked: Mapping[str, Question]) -> object:
    """Say what is known of money after failed payments: that it was taken, as soon as one driver says so."""
    noted = [asked[link.id].answered if link.id in asked else None for link in failed]
    answers = [each.answer if each else None for each in noted]
    if Answer.TAKEN in answers:
        return earlier_texts.DRIVER_SAYS[Answer.TAKEN]
    return earlier_texts.MONEY_MAY_HAVE_LEFT if None in answers else earlier_texts.DRIVER_SAYS[Answer.NOT_TAKEN]
