"""Share payment links: refuse those that must not be shared, and record each share.

A link that can no longer be paid, or whose payment URL is not trusted, is never offered for sharing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import TypeVar

from dashboard.domain.links import has_run_out, is_live, is_paid
from dashboard.domain.payment_urls import UrlProblem, problem_of
from dashboard.domain.sharing import Answer, Channel
from dashboard.errors import NotFound
from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.links.duplicates import has_paid_duplicate
from dashboard.services.links.polling import LinkPoller
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.links import duplicates, history, links
from dashboard.store.links.records import Link
from dashboard.store.links.tables import COPIED, COPIED_UNASKED, SHARE_CONFIRMED, SHARE_UNDONE
from dashboard.store.sharing import drivers, payment_references, questions, receipts, shares
from dashboard.store.sharing.questions import Question
from dashboard.store.sharing.receipts import SentReceipt
from dashboard.store.sharing.shares import Share

#: Before a link is shared, a check that was asked for longer ago than this is repeated.
MAX_CHECK_AGE = timedelta(seconds=5)
#: The message and the QR code may be used this long after a check. The live panel of the page repeats the check.
PREPARED_FOR = timedelta(minutes=1)
#: A person can take back a share that they recorded for this long; one that is unconfirmed, until that is answered.
UNDO_FOR = timedelta(minutes=10)
#: Two sends to somebody who is no driver are one within this time: a double tap, and too soon to type a number.
_DOUBLE_TAP = timedelta(seconds=5)
#: The same person copying the same link again within this time is recorded once.
_SAME_COPY = timedelta(minutes=1)

_Done = TypeVar("_Done", Question, SentReceipt)


class ShareProblem(Enum):
    """List the reasons why a link must not be shared."""

    UNKNOWN = auto()  # the service no longer knows it
    NOT_LIVE = auto()
    RUN_OUT = auto()  # its end has passed, and the service has not reported a new status since
    NO_PAYMENT_URL = auto()
    PAID_BY_DUPLICATE = auto()
    MAY_BE_PAID = auto()  # a time of payment was given, without the status
    URL_LEFT_OUT = auto()  # by the newest answer


class NotShareable(Exception):
    """Report that a link must not be shared."""

    def __init__(self, problem: ShareProblem | UrlProblem, link: Link) -> None:
        super().__init__(f"{link.id}: {problem.name}")
        self.problem = problem
        self.link = link


class TooLateToUndo(Exception):
    """Report that a share, or a question, was recorded too long ago to be taken back."""


@dataclass(frozen=True)
class Sharing:
    """`payment_page_base` is the address under which payment pages must be, where that is configured."""

    store: Store
    link_poller: LinkPoller
    clock: Clock
    payment_page_base: str | None

    def prepare(self, link_id: str) -> None:
        """Check a link with the service, unless that was done just now, and require that it may be shared.

        The ended links on its challans are checked as well: one of them may have been paid late.

        Raises NotStored when the ledger does not know the link, NotShareable, and ServiceError.
        """
        link = self._find(link_id)
        if link.asked_at is None or self.clock() - link.asked_at > MAX_CHECK_AGE:
            self.link_poller.require_fresh(link_id)
            link = self._find(link_id)
        self._check_ended_duplicates(link_id)
        self.require_shareable(link)

    def _check_ended_duplicates(self, link_id: str) -> bool:
        """Check the ended links on the challans of a link; return whether there are any."""
        with self.store.read() as connection:
            ended = duplicates.ended_of(connection, link_id)
        for other in ended:
            if other.asked_at is None or self.clock() - other.asked_at > MAX_CHECK_AGE:
                with suppress(NotFound):
                    self.link_poller.require_fresh(other.id)
        return bool(ended)

    def require_shareable(self, link: Link) -> None:
        """Raise NotShareable unless the stored link may be shared."""
        problem = self._problem_of(link)
        if problem is None:
            with self.store.read() as connection:
                problem = ShareProblem.PAID_BY_DUPLICATE if has_paid_duplicate(connection, link.id) else None
        if problem is not None:
            raise NotShareable(problem, link)

    def refusals(self, listed: Sequence[Link]) -> dict[str, NotShareable]:
        """Return why some of these stored links must not be shared, by id; the others may be."""
        found = {link.id: NotShareable(problem, link) for link in listed if (problem := self._problem_of(link))}
        if len(found) < len(listed):
            with self.store.read() as connection:
                others = duplicates.of_links(connection, [link.id for link in listed if link.id not in found])
            for link in listed:
                if any(is_paid(other.status) for other in others.get(link.id, ())):
                    found.setdefault(link.id, NotShareable(ShareProblem.PAID_BY_DUPLICATE, link))
        return found

    def _problem_of(self, link: Link) -> ShareProblem | UrlProblem | None:
        if link.is_unknown:
            return ShareProblem.UNKNOWN
        if not is_live(link.status):
            return ShareProblem.NOT_LIVE
        if link.may_be_paid:
            return ShareProblem.MAY_BE_PAID
        if has_run_out(link.expires_at, link.service_clock_offset, self.clock()):
            return ShareProblem.RUN_OUT
        if not link.payment_url:
            return ShareProblem.NO_PAYMENT_URL
        if link.leaves_out("payment_url"):
            return ShareProblem.URL_LEFT_OUT
        return problem_of(link.payment_url, self.payment_page_base)

    def is_prepared(self, link: Link) -> bool:
        """Return whether a link was checked recently enough to be shared."""
        return link.asked_at is not None and self.clock() - link.asked_at <= PREPARED_FOR

    def was_just_shared(self, link_id: str, channel: Channel, person_id: int, driver_id: int | None) -> bool:
        """Return whether this very share is recorded already: a second tap is not a second reminder."""
        with self.store.read() as connection:
            last = next(iter(shares.of_link(connection, link_id)), None)
        if last is None or self.clock() - last.at > (_DOUBLE_TAP if driver_id is None else PREPARED_FOR):
            return False
        return (last.channel, last.person_id, last.driver_id) == (channel, person_id, driver_id)

    def awaits_confirmation(self, link_id: str, person_id: int) -> bool:
        """Return whether the newest share of a link is unconfirmed and this person can confirm it."""
        with self.store.read() as connection:
            last = shares.unconfirmed_of_links(connection, [link_id]).get(link_id)
        return last is not None and self.can_undo(last, person_id)

    def record_share(self, link_id: str, channel: Channel, person_id: int, driver_id: int | None, language: str) -> int:
        """Record a share of a link, with a driver or without a named recipient; the language becomes the driver's.

        Return the id of the share.
        """
        return self.record_message([link_id], channel, person_id, driver_id, language)[0]

    def record_message(
        self, link_ids: Sequence[str], channel: Channel, person_id: int, driver_id: int | None, language: str
    ) -> list[int]:
        """Record the shares of one message about several links: they have the same moment. Return their ids."""
        now = self.clock()
        with self.store.write() as connection:
            if driver_id is not None and drivers.find(connection, driver_id) is None:
                driver_id = None
            added = [
                shares.add(
                    connection,
                    link_id=link_id,
                    driver_id=driver_id,
                    channel=channel,
                    language=language,
                    person_id=person_id,
                    at=now,
                )
                for link_id in link_ids
            ]
            if driver_id is not None:
                drivers.set_language(connection, driver_id, language)
        return added

    def can_undo(self, share: Share, person_id: int) -> bool:
        """Return whether a person can still take a share back: only who recorded it, and not for long.

        Whoever opened a message without a named recipient can say at any later time whether it was sent.
        """
        return share.person_id == person_id and (share.is_unconfirmed or self.clock() - share.at <= UNDO_FOR)

    def undo_share(self, link_id: str, share_id: int, person_id: int) -> list[Share]:
        """Take a share back that this person recorded just now, with those of the other links that its message named.

        Return all that were taken back; a second time changes nothing. They stay in the histories of their links, which
        get an entry more. Those of links that were paid meanwhile stand: nobody pays what they were not sent. Raises
        NotStored when the share is not this person's, and TooLateToUndo.
        """
        now = self.clock()
        with self.store.write() as connection:
            share = shares.find(connection, link_id, share_id)
            if share is None or share.person_id != person_id:
                raise NotStored(share_id)
            if not self.can_undo(share, person_id):
                raise TooLateToUndo(share_id)
            undone = shares.to_take_back(connection, share)
            for each in undone:
                history.take_back(connection, each.link_id, SHARE_UNDONE, each.id, share.at, now, person_id=person_id)
        return undone

    def confirm_share(self, link_id: str, share_id: int, person_id: int, driver_id: int | None = None) -> None:
        """Confirm a share without a named recipient, and record its driver, if one is named by now.

        A second time changes nothing. Raises NotStored when the share is not this person's.
        """
        with self.store.write() as connection:
            share = shares.find(connection, link_id, share_id)
            if share is None or share.person_id != person_id:
                raise NotStored(share_id)
            if not share.is_confirmed:
                history.record_once(
                    connection,
                    link_id,
                    SHARE_CONFIRMED,
                    self.clock(),
                    not_since=share.at - timedelta(seconds=1),
                    person_id=person_id,
                    new=str(share_id),
                )
            if driver_id is not None:
                shares.set_driver(connection, share_id, driver_id)

    def record_copy(self, link_id: str, person_id: int, origin: Origin, *, unasked: bool = False) -> None:
        """Record who copies a payment URL, in the link's history and in the audit log.

        An `unasked` copy was made by the page after the creation; it gives the link to nobody.
        Where another link on its challans has ended, that one is checked first. Raises NotShareable when it was paid
        after all, ServiceError when it could not be checked, and NotStored when the ledger does not know the link.
        """
        if self._check_ended_duplicates(link_id):
            with self.store.read() as connection:
                if has_paid_duplicate(connection, link_id):
                    raise NotShareable(ShareProblem.PAID_BY_DUPLICATE, self._find(link_id))
        now = self.clock()
        since, kind = now - _SAME_COPY, COPIED_UNASKED if unasked else COPIED
        with self.store.write() as connection:
            if not history.record_once(connection, link_id, kind, now, not_since=since, person_id=person_id):
                return
            audit.record(connection, "copy", now, origin, person_id=person_id, subject=link_id)

    def record_receipt(self, link_id: str, channel: Channel, person_id: int, driver_id: int | None) -> bool:
        """Record that a person sent the receipt of a link; return False where that was recorded just now.

        It is no share: nobody is reminded by it, and no driver is given the link.
        """
        with self.store.write() as connection:
            return receipts.add(connection, link_id, channel, driver_id, at=self.clock(), person_id=person_id)

    def record_question(self, link_id: str, person_id: int, driver_id: int | None) -> bool:
        """Record that a person asked a link's driver whether money was taken; return False where that was just now.

        It is no share: nobody is reminded by it, and no driver is given the link.
        """
        with self.store.write() as connection:
            return questions.add(connection, link_id, driver_id, at=self.clock(), person_id=person_id)

    def can_undo_event(self, done: Question | SentReceipt, person_id: int) -> bool:
        """Return whether a person can still take back what they did: only who did it, and not for long."""
        return done.person_id == person_id and self.clock() - done.at <= UNDO_FOR

    def undo_question(self, link_id: str, question_id: int, person_id: int) -> None:
        """Take back that this person asked the driver of a link just now. A second time changes nothing.

        Raises NotStored when the question is not this person's, and TooLateToUndo.
        """
        with self.store.write() as connection:
            asked = self._undoable(questions.find(connection, link_id, question_id), question_id, person_id)
            questions.undo(connection, asked, self.clock())

    def undo_receipt(self, link_id: str, receipt_id: int, person_id: int) -> None:
        """Take back that this person sent the receipt of a link just now. A second time changes nothing.

        Raises NotStored when the receipt is not this person's, and TooLateToUndo.
        """
        with self.store.write() as connection:
            sent = self._undoable(receipts.find(connection, link_id, receipt_id), receipt_id, person_id)
            receipts.undo(connection, link_id, sent, person_id, self.clock())

    def note_answer(self, link_id: str, answer: Answer | None, person_id: int, driver_id: int | None = None) -> bool:
        """Note what the driver of a link says of money, or take it back; return False where that changes nothing.

        Where nobody was asked before, this driver was asked by phone.
        """
        with self.store.write() as connection:
            return questions.note_answer(connection, link_id, answer, driver_id, at=self.clock(), person_id=person_id)

    def note_payment_reference(self, link_id: str, reference: str, person_id: int) -> bool:
        """Note the reference of a payment that failed though money was taken; return False where that changes nothing.

        "" takes an earlier one back. Raises NotStored when the ledger does not know the link.
        """
        with self.store.write() as connection:
            return payment_references.note(connection, link_id, reference, at=self.clock(), person_id=person_id)

    def _undoable(self, done: _Done | None, event_id: int, person_id: int) -> _Done:
        """Return what a person did, for its undo. Raises NotStored when it is not theirs, and TooLateToUndo."""
        if done is None or done.person_id != person_id:
            raise NotStored(event_id)
        if not self.can_undo_event(done, person_id):
            raise TooLateToUndo(event_id)
        return done

    def _find(self, link_id: str) -> Link:
        with self.store.read() as connection:
            link = links.find(connection, link_id)
        if link is None:
            raise NotStored(link_id)
        return link
