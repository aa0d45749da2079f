"""Say what about a link is not as it should be, for its panel."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection

from dashboard.domain.links import has_run_out, is_ended, is_live, is_paid
from dashboard.domain.registration import spaced
from dashboard.store.creation import intents
from dashboard.store.links import links, other_vehicles
from dashboard.store.links.records import Link
from dashboard.store.vehicles import vehicles
from dashboard.web.links import texts
from dashboard.web.links.records import PaymentAddress, Replacement
from dashboard.web.shared.current import current_services
from dashboard.web.shared.records import StateWords


def badge(
    state: StateWords, payment: PaymentAddress, replaced_by: Sequence[Replacement], *, is_doubtful: bool
) -> StateWords:
    """Say beside a state that nobody can or should pay all the same, or that a new link took an ended one's place."""
    if is_live(state.raw) and payment.next:
        has_none = payment.url is None or payment.is_left_out
        note = texts.WITHOUT_PAYMENT_URL if has_none else texts.WITH_UNSAFE_URL
        return replace(state, meaning="waiting" if has_none else "wrong", note=note)
    if is_live(state.raw) and is_doubtful:
        return replace(state, meaning="waiting", note=texts.TO_CHECK_FIRST)
    if is_ended(state.raw) and any(each.link and not is_ended(each.link.state.raw) for each in replaced_by):
        return replace(state, note=texts.REPLACED)
    return state


def of_state(connection: Connection, row: Link) -> Iterator[str]:
    """Say what is odd about the state of a link and its times."""
    events = links.events_of(connection, row.id)
    if not is_paid(row.status) and any(is_paid(event.old) for event in events):
        yield texts.REPORTED_PAID_BEFORE
    now = current_services().clock()
    if is_live(row.status) and not row.is_unknown and has_run_out(row.expires_at, row.service_clock_offset, now):
        yield texts.SHOULD_HAVE_EXPIRED
    if row.may_be_paid:
        yield texts.MAY_BE_PAID
    if is_live(row.status) and row.expires_at and row.leaves_out("expires_at"):
        yield texts.EXPIRY_LEFT_OUT


def of_other_vehicles(connection: Connection, row: Link) -> dict[str, str]:
    """Name the challans of a link that are of other vehicles, by id: "ZZ1 of KA01 AA 0001"."""
    return {
        challan_id: texts.of_vehicle(number or challan_id, spaced(rc))
        for challan_id, number, rc in other_vehicles.of_other_vehicles(connection, row.id)
    }


def missing(connection: Connection, row: Link) -> set[str]:
    """Return the challans that were requested with a link and are not on it; none while it lists no challan at all."""
    intent = intents.find(connection, row.intent_id) if row.intent_id else None
    covered = {item.challan_id for item in links.challans_of(connection, row.id)} if row.detailed else set()
    return set(intent.challan_ids) - covered if intent is not None and covered else set()


def of_challans(connection: Connection, row: Link, besides: Collection[str]) -> Iterator[str]:
    """Say how the challans of a link differ from those that were requested, `besides` those of which others speak."""
    intent = intents.find(connection, row.intent_id) if row.intent_id else None
    if intent is None or not row.detailed:
        return
    asked = set(intent.challan_ids)
    covered = {item.challan_id: item.challan_no for item in links.challans_of(connection, row.id)}
    absent, others = asked - covered.keys(), covered.keys() - asked - set(besides)
    if not covered:
        yield texts.CHALLANS_LEFT_OUT
    elif absent:
        listed = vehicles.challans_by_id(connection, absent)
        numbers = {challan_id: challan.challan_no for challan_id, challan in listed.items()}
        names = _names(absent, numbers)
        yield texts.covers_fewer(
            len(asked & covered.keys()), len(asked), names, is_held=is_live(row.status), ends=row.expires_at is not None
        )
    if others:
        yield texts.covers_others(_names(others, covered))


def _names(challan_ids: Iterable[str], numbers: Mapping[str, str | None]) -> list[str]:
    return sorted(numbers.get(each) or each for each in challan_ids)
