"""Show that the driver of a link whose payment failed was asked whether money was taken, and what the driver says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import Connection

from dashboard.domain.links import FAILED, is_paid
from dashboard.domain.sharing import Answer
from dashboard.store.links import links
from dashboard.store.links.records import CoveredChallan, Link
from dashboard.store.sharing import payment_references
from dashboard.store.sharing.questions import NotedAnswer, Question
from dashboard.store.sharing.shares import Share
from dashboard.web.links import failed_texts as texts
from dashboard.web.links.records import AskedDriver, PaymentReference, TakenBy
from dashboard.web.shared.current import current_services, name_of, person_id, settings


def for_everybody(asked: Question | None) -> AskedDriver | None:
    """Say whom a person asked and when, without what that person alone can do."""
    if asked is None:
        return None
    if noted := asked.answered:
        words, brief = texts.answered(noted.answer, noted.at), str(texts.ANSWERS[noted.answer])
        return AskedDriver(
            asked.link_id, asked.id, noted.at, words, brief, name_of(noted.person_id), answer=noted.answer
        )
    words, brief = texts.asked(asked), texts.asked_brief(asked)
    is_opened = not (asked.driver or asked.by_phone)
    return AskedDriver(asked.link_id, asked.id, asked.at, words, brief, name_of(asked.person_id), is_opened=is_opened)


def for_person(asked: Question | None) -> AskedDriver | None:
    """Say the same to the signed-in person, who may take back what they asked just now."""
    shown = for_everybody(asked)
    if asked is None or shown is None:
        return None
    may_undo = not asked.answered and current_services().sharing.can_undo_event(asked, person_id())
    return replace(shown, may_undo=may_undo)


def ask_first(row: Link, asked: Question | None, *, asks_driver: bool, can_replace: bool) -> str:
    """Say what to know of the money before a failed link is created again; "" for any other link.

    Of one that is on another link already nobody decides that any more.
    """
    if row.status != FAILED:
        return ""
    is_answered = asked is not None and asked.answered is not None
    if not (can_replace or is_answered):
        return str(texts.MONEY_NOT_KNOWN)
    if asked is None:
        return str(texts.ASK_FIRST if asks_driver else texts.CHOOSE_WHOM_TO_ASK)
    if asked.answered is None:
        return str(texts.WAIT_FOR_ANSWER)
    if asked.answered.answer is not Answer.TAKEN:
        return ""
    return str(texts.MONEY_WAS_TAKEN if can_replace else texts.PAID_TWICE_WITH_NEW)


def held_back(asked: Question | None, taken: Sequence[TakenBy], *, is_new: bool) -> tuple[str, str]:
    """Say that the link that has the challans of a failed one waits for support, and why; "" where no money was taken.

    `is_new`: it was made in place of the failed one.
    """
    if not taken or asked is None or asked.answered is None or asked.answered.answer is not Answer.TAKEN:
        return "", ""
    if any(is_paid(each.link.state.raw) for each in taken):
        return str(texts.NEW_IS_PAID if is_new else texts.OTHER_IS_PAID), ""
    return str(texts.HOLD_NEW if is_new else texts.HOLD_OTHER), str(texts.TELL_NOT_TO_PAY)


def payer_not_known(sent: Sequence[Share]) -> str:
    """Say that no driver is named who says that money was taken, and who sent the link, so that they can be asked."""
    return texts.payer_not_known(name_of(sent[0].person_id) if sent else "")


def choices(row: Link, asked: Question | None) -> tuple[tuple[Answer, str], ...]:
    """Return what the driver of a failed link may say, as its buttons name it; nothing where it is noted."""
    if row.status != FAILED or (asked and asked.answered):
        return ()
    return tuple((answer, str(words)) for answer, words in texts.ANSWERS.items())


def of_money_taken(connection: Connection, row: Link, asked: Question | None) -> tuple[str, PaymentReference | None]:
    """Return what support has to know where money was taken, and the reference of that payment; nothing of another."""
    noted = asked.answered if asked else None
    if noted is None or noted.answer is not Answer.TAKEN:
        return "", None
    reference = payment_references.of_link(connection, row.id)
    support = _for_support(row, noted, links.challans_of(connection, row.id), reference)
    return support, PaymentReference(reference, reference)


def _for_support(row: Link, noted: NotedAnswer, covered: Sequence[CoveredChallan], reference: str) -> str:
    """Write down for the service's support that money was taken, in English as they read it."""
    numbers = ", ".join(filter(None, (each.challan_no for each in covered)))
    return "\n".join(
        (
            f"Get Payment Link: {row.status}, but the payer says that money was taken",
            f"Payment link: {row.id}",
            f"Vehicle: {row.rc or 'not known'}",
            f"Challans: {numbers or 'numbers not known'}",
            f"Total amount: {'not known' if row.total is None else f'{row.total} {settings().currency}'}",
            f"Payment failed: {_moment(row.status_since)}",
            f"Payer said so: {_moment(noted.at)}",
            f"Payment reference (UTR): {reference or 'not known'}",
            f"Last checked: {_moment(row.checked_at or row.first_seen_at)}",
        )
    )


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
