"""From the ledger's rows to what the pages about payment links show."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.links import AmountBreakdown, has_run_out, is_ended, is_live, is_paid
from dashboard.domain.payment_urls import problem_of
from dashboard.domain.registration import spaced
from dashboard.errors import Operation
from dashboard.services.links.duplicates import PAID_BESIDE, is_paid_beside
from dashboard.store.creation import intents
from dashboard.store.links import links
from dashboard.store.links.links import breakdown_from
from dashboard.store.links.records import CoveredChallan, Link
from dashboard.web.links import related_links, timeline
from dashboard.web.links.records import (
    AmountRow,
    LinkCard,
    LinkChallanRow,
    LinkPage,
    LinkPanel,
    ModeTotal,
    PaymentAddress,
    PaymentCard,
)
from dashboard.web.links.related_links import Ties
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.fingerprints import fingerprint
from dashboard.web.shared.live import whole_seconds
from dashboard.web.shared.records import Freshness

#: A check that is due this long and was not made is late; a busy watcher is not.
LATE = timedelta(minutes=1)
#: How long after a check is due its answer is fetched, in seconds: a check takes a moment to begin and to be answered.
_AFTER_A_CHECK = (0.3, 1.2)
_MODES = {"UPI": "UPI", "CREDIT_CARD": "Credit card"}
_PARTS = (
    ("base_amount", "Fines"),
    ("legal_fee", "Legal fee"),
    ("gst", "GST"),
    ("convenience_fee", "Convenience fee"),
)
_ORIGINS = {
    links.OBSERVED: "Not created here: a search showed it on this vehicle's challans.",
    links.RECOVERED: "Found by checking; most likely made by the request of {asked}.",
}


def cards(limit: int = 12) -> list[LinkCard]:
    """The links met last."""
    with current_services().store.read() as connection:
        rows = links.recent(connection, limit)
        counts = links.challan_counts(connection, rows)
    people = names()
    return [
        LinkCard(
            id=row.id,
            rc=row.rc,
            plate=spaced(row.rc) if row.rc else None,
            state=shared_texts.link_state(row.status),
            total=row.total,
            challans=counts[row.id],
            created_at=row.made_at,
            created_by=people.get(row.person_id),
            expires_at=row.expires_at,
        )
        for row in rows
    ]


def link_panel(link_id: str) -> LinkPanel | None:
    """The live region of a link, or None when the ledger does not know it."""

    def read(connection: Connection) -> LinkPanel | None:
        row = links.find(connection, link_id)
        return None if row is None else _panel(connection, row, related_links.ties_of(connection, row))

    # Everybody who watches a link is shown the same, but for what a role may do; what also depends on the present time
    # is as of this second.
    services = current_services()
    second = int(services.clock().timestamp())
    return services.store.cached_read(("panel", link_id, current_user.role, second), read)


def payment_card(link_id: str) -> PaymentCard | None:
    """The payment URL as the page of a link offers it, or None when the ledger does not know the link."""
    with current_services().store.read() as connection:
        row = links.find(connection, link_id)
        if row is None:
            return None
        payment = payment_address(row, is_paid_beside(connection, link_id))
    return PaymentCard(row.id, payment, _payment_mark(payment))


def link_page(link_id: str) -> LinkPage | None:
    """The whole page of a link, or None when the ledger does not know it."""
    with current_services().store.read() as connection:
        row = links.find(connection, link_id)
        if row is None:
            return None
        challans = links.challans_of(connection, link_id)
        ties = related_links.ties_of(connection, row)
        panel = _panel(connection, row, ties)
        in_place_of = related_links.in_place_of(connection, row)
        history = timeline.timeline_of(connection, row)
    breakdown = breakdown_from(row.amount)
    modes = _modes([breakdown_from(item) for item in row.modes])
    known = [mode for mode in modes if mode.extra is not None]
    dearest = max((mode.extra for mode in known if mode.extra is not None), default=Decimal(0))
    cheapest = next((mode.label for mode in known if not mode.extra), None)
    return LinkPage(
        panel=panel,
        rc=row.rc,
        plate=spaced(row.rc) if row.rc else None,
        payment=payment_address(row, ties.paid_beside),
        breakdown=_parts(breakdown),
        total=row.total,
        modes=modes,
        saving=cheapest if dearest else None,
        saving_amount=dearest or None,
        challans=tuple(_challan(item) for item in challans),
        created_at=row.created_at,
        created_by=names().get(row.person_id),
        origin=_ORIGINS.get(row.origin, "").format(asked=format_moment(row.made_at)),
        hours=row.hours,
        in_place_of=in_place_of,
        alarm=ties.alarm,
        timeline=history,
    )


def payment_address(row: Link, paid_beside: bool) -> PaymentAddress:
    """Judge a link's payment URL: only a sound one, of a link that is not dead, past its end or paid elsewhere."""
    url = row.payment_url
    if not url:
        return PaymentAddress(None, safe=False, copyable=False, problem="The service sent no payment URL.")
    if unsafe := problem_of(url, current_services().payment_page_base):
        return PaymentAddress(url, safe=False, copyable=False, problem=shared_texts.URL_PROBLEMS[unsafe])
    if not is_live(row.status):
        ended = "This link is paid" if is_paid(row.status) else "This link has ended"
        return PaymentAddress(url, safe=True, copyable=False, problem=f"{ended}; there is nothing to share.")
    if row.expires_at is not None and has_run_out(row.expires_at, row.service_clock_offset, current_services().clock()):
        return PaymentAddress(
            url, safe=True, copyable=False, problem=shared_texts.RUN_OUT.format(at=format_moment(row.expires_at))
        )
    if paid_beside:
        return PaymentAddress(url, safe=True, copyable=False, problem=PAID_BESIDE)
    return PaymentAddress(url, safe=True, copyable=True, problem=None)


def _panel(connection: Connection, row: Link, ties: Ties) -> LinkPanel:
    warnings = _warnings(connection, row, ties)
    state = shared_texts.link_state(row.status)
    trouble = _trouble(row) if row.failure else _late(row)
    payment = payment_address(row, ties.paid_beside)
    poll_seconds = pace_of(row)
    # The pace itself may change without anything else: it is told with every answer.
    told = (row.status, str(row.paid_at), str(row.expires_at), trouble, *warnings, poll_seconds is None)
    return LinkPanel(
        id=row.id,
        state=state,
        since=row.status_since,
        expires_at=row.expires_at,
        paid_at=row.paid_at,
        freshness=Freshness(row.checked_at, trouble),
        warnings=warnings,
        poll_seconds=poll_seconds,
        seen=fingerprint((*told, payment.copyable, *ties.replaced_by)),
        copyable=payment.copyable,
        off=payment.problem or "" if is_live(row.status) else "",
        timeline=timeline.mark(connection, row),
        payment=_payment_mark(payment),
        title=f"{state.raw} · {spaced(row.rc) if row.rc else 'Payment link'} · Challan Dashboard",
        replaced_by=ties.replaced_by,
        can_reissue=is_ended(row.status) and row.rc is not None and not related_links.is_replaced(ties.replaced_by),
        next_check_at=row.next_check_at,
        service_clock_offset=_ahead(row),
    )


def next_poll(region: LinkPanel) -> float | None:
    """In how many seconds the page asks us again: right after the service is asked next, where that is soon.

    Who watches the same link does not ask at the same moment.
    """
    if region.poll_seconds is None or region.next_check_at is None:
        return region.poll_seconds
    pace = current_services().schedule
    wait = region.next_check_at - current_services().clock()
    if not -pace.watched_poll < wait <= 2 * pace.watched_poll:  # It rests, or nobody comes to ask for it.
        return region.poll_seconds
    after = random.uniform(*_AFTER_A_CHECK)  # noqa: S311 - spreading, not secrecy.
    return round(max(0.0, wait.total_seconds()) + after, 1)


def _payment_mark(payment: PaymentAddress) -> str:
    return fingerprint((payment.url, payment.copyable, payment.problem))


def _ahead(row: Link) -> timedelta:
    """How far the service's clock is ahead of ours."""
    return timedelta(seconds=row.service_clock_offset or 0)


def _trouble(row: Link) -> str:
    shown_from = format_moment(row.checked_at) if row.checked_at else None
    return f"{shared_texts.failure_since(row.failure or '', shown_from)} It is asked again by itself."


def _late(row: Link) -> str | None:
    """Said when the link should have been asked for a while ago and nobody did: nothing else would tell."""
    services = current_services()
    if row.next_check_at is None or row.checked_at is None or services.clock() - row.next_check_at < LATE:
        return None
    since = f"The service has not been asked for this link since {format_moment(row.checked_at)}"
    if services.call_policy.room(Operation.GET_PAYMENT_LINK) is not None:
        return f"{since}: checking is held back for now. It goes on by itself."
    return f"{since}: the dashboard's background work is behind or has stopped. It goes on once that runs again."


def pace_of(row: Link) -> int | None:
    """How often a page that shows a link asks us, in whole seconds; None when there is nothing to wait for."""
    pace = current_services().schedule
    if row.next_check_at is None or (is_paid(row.status) and row.paid_at):
        return None
    rests = row.next_check_at - current_services().clock() > 2 * pace.watched_poll
    interval = pace.watched_poll if is_live(row.status) and not rests else pace.poll
    return whole_seconds(interval)


def _warnings(connection: Connection, row: Link, ties: Ties) -> tuple[str, ...]:
    said = []
    now: datetime = current_services().clock()
    events = links.events_of(connection, row.id)
    if not is_paid(row.status) and any(event.old == "PAID" for event in events):
        said.append("The service reported this link as PAID before. What it says now is shown.")
    if is_live(row.status) and has_run_out(row.expires_at, row.service_clock_offset, now):
        said.append("This link should have expired; checking.")
    if ties.alarm is not None:
        said.append(shared_texts.DOUBLED)
    if ties.paid_beside:
        said.append(PAID_BESIDE)
    intent = intents.find(connection, row.intent_id) if row.intent_id else None
    if intent is not None and row.detailed:
        asked = set(intent.challan_ids)
        covered = {item.challan_id for item in links.challans_of(connection, row.id)}
        if len(asked & covered) < len(asked):
            said.append(f"The link covers {len(asked & covered)} of the {len(asked)} challans asked for.")
        if strays := len(covered - asked):
            words_for = "challan that was" if strays == 1 else "challans that were"
            said.append(f"The link covers {strays} {words_for} not asked for.")
    if is_ended(row.status) and related_links.is_replaced(ties.replaced_by):
        said.append(_looked_at(row))
    elif row.status in shared_texts.LINK_ADVICE:
        said.append(shared_texts.LINK_ADVICE[row.status])
    return tuple(said)


def _looked_at(row: Link) -> str:
    if row.next_check_at is None:
        return shared_texts.LOOKED_AT_NO_MORE
    last = current_services().schedule.last_check(row.expires_at, row.first_seen_at)
    return shared_texts.LOOKED_AT_UNTIL.format(until=format_moment(last))


def _parts(breakdown: AmountBreakdown | None) -> tuple[AmountRow, ...]:
    if breakdown is None:
        return ()
    return tuple(AmountRow(label, getattr(breakdown, name)) for name, label in _PARTS)


def _modes(breakdowns: Sequence[AmountBreakdown | None]) -> tuple[ModeTotal, ...]:
    rows = [item for item in breakdowns if item is not None]
    totals = [item.total_amount for item in rows]
    # With one of them unknown, none can be called the cheapest.
    cheapest = None if None in totals else min((total for total in totals if total is not None), default=None)
    return tuple(
        ModeTotal(
            mode=item.payment_mode or "(not named)",
            label=_MODES.get(item.payment_mode or "", item.payment_mode or "(not named)"),
            total=item.total_amount,
            extra=None if item.total_amount is None or cheapest is None else item.total_amount - cheapest,
            parts=_parts(item),
        )
        for item in rows
    )


def _challan(row: CoveredChallan) -> LinkChallanRow:
    return LinkChallanRow(
        challan_no=row.challan_no or "(no number)",
        rc=row.rc_number,
        status=row.status,
        type=row.challan_type,
        state=row.state,
        amount=row.challan_amount,
        legal_fee=row.legal_fee,
        total=row.total_amount,
    )
