"""Read what became of the links of the plans that came from search runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import Connection, func, select

from dashboard.domain.fleet import LinkOutcome
from dashboard.domain.intents import LINK_IS_OURS, IntentState
from dashboard.domain.links import is_ended, is_live, is_paid
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.store.creation.intents import intent
from dashboard.store.fleet.jobs import fleet_job
from dashboard.store.fleet.plan_shares import Share
from dashboard.store.fleet.plans import fleet_link, fleet_plan
from dashboard.store.links.tables import link as ledger
from dashboard.store.sharing.shares import gives, share


@dataclass(frozen=True, slots=True)
class PlanOfRun:
    """Count the links of a plan that hold their challans, how many challans and for how much: how many links were given
    to somebody, are paid, and are `left` to be given. Those that `ended` unpaid hold nothing.
    """

    id: str
    links: int = 0
    sent: int = 0
    paid: int = 0
    left: int = 0
    ended: int = 0
    challans: int = 0
    total: Sum = NO_SUM
    paid_total: Sum = NO_SUM

    def __add__(self, other: PlanOfRun) -> PlanOfRun:
        """Add up two plans, under the name of the first one."""
        return PlanOfRun(
            self.id,
            links=self.links + other.links,
            sent=self.sent + other.sent,
            paid=self.paid + other.paid,
            left=self.left + other.left,
            ended=self.ended + other.ended,
            challans=self.challans + other.challans,
            total=self.total + other.total,
            paid_total=self.paid_total + other.paid_total,
        )


def of_runs(connection: Connection, run_ids: Collection[str]) -> dict[str, list[PlanOfRun]]:
    """Return the plans of runs that have links by now, by run, the newest first."""
    is_sent = select(share.c.id).where(share.c.link_id == ledger.c.id, gives()).exists()
    tables = fleet_plan.join(fleet_job, fleet_job.c.id == fleet_plan.c.id)
    tables = tables.join(fleet_link, fleet_link.c.plan_id == fleet_plan.c.id)
    tables = tables.join(intent, intent.c.id == fleet_link.c.intent_id).join(ledger, ledger.c.id == intent.c.link_id)
    challans = func.json_array_length(fleet_link.c.challan_ids)
    query = select(fleet_plan.c.run_id, fleet_plan.c.id, ledger.c.status, ledger.c.total, is_sent, challans)
    query = query.select_from(tables).where(fleet_plan.c.run_id.in_(list(run_ids)))
    query = query.where(intent.c.state.in_([str(state) for state in LINK_IS_OURS]))
    found: dict[str, dict[str, PlanOfRun]] = {}
    newest_first = query.order_by(fleet_job.c.created_at.desc())
    for run_id, plan_id, status, total, sent, count in connection.execute(newest_first):
        of_run = found.setdefault(run_id, {})
        one = _link(plan_id, status, total, sent=bool(sent), challans=int(count))
        of_run[plan_id] = (of_run.get(plan_id) or PlanOfRun(plan_id)) + one
    return {run_id: list(of_run.values()) for run_id, of_run in found.items()}


def without_links(connection: Connection, run_ids: Collection[str]) -> dict[str, dict[str, list[Share]]]:
    """Count what came of tried links that are not known to exist, by run and plan, the newest plan first."""
    tables = fleet_plan.join(fleet_job, fleet_job.c.id == fleet_plan.c.id)
    tables = tables.join(fleet_link, fleet_link.c.plan_id == fleet_plan.c.id)
    tables = tables.outerjoin(intent, intent.c.id == fleet_link.c.intent_id)
    came_to = (fleet_plan.c.run_id, fleet_plan.c.id, fleet_job.c.created_at, fleet_link.c.outcome, intent.c.state)
    query = select(*came_to, func.count()).select_from(tables).group_by(*came_to)
    query = query.where(fleet_plan.c.run_id.in_(list(run_ids)), fleet_link.c.outcome.is_not(None))
    query = query.where(func.coalesce(intent.c.state, "").not_in([str(state) for state in LINK_IS_OURS]))
    found: dict[str, dict[str, list[Share]]] = {}
    newest_first = query.order_by(fleet_job.c.created_at.desc())
    for run_id, plan_id, _at, outcome, state, count in connection.execute(newest_first):
        counted = Share(LinkOutcome(outcome), IntentState(state) if state else None, int(count))
        found.setdefault(run_id, {}).setdefault(plan_id, []).append(counted)
    return found


def _link(plan_id: str, status: str | None, total: Decimal | None, *, sent: bool, challans: int) -> PlanOfRun:
    if is_ended(status):
        return PlanOfRun(plan_id, ended=1)
    amount, paid = add_up([total]), is_paid(status)
    left = int(is_live(status) and not sent)
    paid_total = amount if paid else NO_SUM
    return PlanOfRun(plan_id, 1, int(sent), int(paid), left, challans=challans, total=amount, paid_total=paid_total)
