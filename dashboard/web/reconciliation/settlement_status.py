"""Show how the settlement checks of a paid link stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from dashboard.domain.links import is_paid
from dashboard.domain.settlements import CheckedChallan, SettlementState
from dashboard.store.reconciliation.settlements import TrackedSettlement
from dashboard.web.reconciliation import texts
from dashboard.web.reconciliation.records import SettlementStatus, SourceChallans
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services


def settlement_status(tracked: TrackedSettlement) -> SettlementStatus:
    """Return what the source lists of a paid link's challans, when that was checked, and when it is checked next."""
    return SettlementStatus(
        challans=tuple(_source_challans(tracked.challans)),
        checked_at=tracked.checked_at,
        next_at=tracked.due_at if _is_planned(tracked) else None,
        can_check=tracked.rc is not None,
        trouble=_trouble(tracked),
    )


def _source_challans(challans: Iterable[CheckedChallan]) -> Iterator[SourceChallans]:
    """Yield the challans that the source lists in the same state together, those still to be paid first."""

    def state(each: CheckedChallan) -> tuple[bool, str, str]:
        status = (each.status or texts.NO_STATUS) if each.listed else texts.NO_LONGER_LISTED
        other = each.link_status if each.link_status and not is_paid(each.link_status) else ""
        return not each.is_payable, str(status), other

    for (is_settled, status, other), alike in groupby(sorted(challans, key=state), state):
        numbers = sorted(each.challan_no or each.challan_id for each in alike)
        link_state = shared_texts.link_state(other) if other else None
        yield SourceChallans(", ".join(numbers), status, link_state, not is_settled)


def _is_planned(tracked: TrackedSettlement) -> bool:
    unattended = current_services().schedule.unattended_settlement_checks
    return tracked.state is SettlementState.WAITING and (unattended or tracked.asked_at is not None)


def _trouble(tracked: TrackedSettlement) -> str | None:
    if tracked.rc is None:
        return texts.NO_VEHICLE
    if tracked.failure is None or tracked.failed_at is None:
        return None
    return texts.failed_check(tracked.failed_at, shared_texts.failure(tracked.failure))
