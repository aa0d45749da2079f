"""Read what became of the links of the plans that came from search runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from sqlalchemy import Connection, func, select

from dashboard.domain.intents import LINK_IS_OURS
from dashboard.domain.links import is_live, is_paid
from dashboard.store.creation.intents import intent
from dashboard.store.fleet.jobs import fleet_job
from dashboard.store.fleet.plans import fleet_link, fleet_plan
from dashboard.store.links.tables import link as ledger
from dashboard.store.sharing.shares import share, stands


@dataclass(frozen=True, slots=True)
class PlanOfRun:
    """Count the links of a plan that exist: how many were given to somebody, are paid, and are `left` to be given."""

    id: str
    links: int = 0
    sent: int = 0
    paid: int = 0
    left: int = 0


def of_runs(connection: Connection, run_ids: Collection[str]) -> dict[str, list[PlanOfRun]]:
    """Return the plans of runs that have links by now, by run, the newest first."""
    is_sent = select(share.c.id).where(share.c.link_id == ledger.c.id, stands()).exists()
    tables = fleet_plan.join(fleet_job, fleet_job.c.id == fleet_plan.c.id)
    tables = tables.join(fleet_link, fleet_link.c.plan_id == fleet_plan.c.id)
    tables = tables.join(intent, intent.c.id == fleet_link.c.intent_id).join(ledger, ledger.c.id == intent.c.link_id)
    query = select(fleet_plan.c.run_id, fleet_plan.c.id, ledger.c.status, is_sent.label("sent"), func.count())
    query = query.select_from(tables).where(fleet_plan.c.run_id.in_(list(run_ids)))
    query = query.where(intent.c.state.in_([str(state) for state in LINK_IS_OURS]))
    query = query.group_by(fleet_plan.c.run_id, fleet_plan.c.id, fleet_job.c.created_at, ledger.c.status, "sent")
    found: dict[str, dict[str, PlanOfRun]] = {}
    for run_id, plan_id, status, sent, count in connection.execute(query.order_by(fleet_job.c.created_at.desc())):
        of_run = found.setdefault(run_id, {})
        before = of_run.get(plan_id) or PlanOfRun(plan_id)
        of_run[plan_id] = replace(
            before,
            links=before.links + count,
            sent=before.sent + count * bool(sent),
            paid=before.paid + count * is_paid(status),
            left=before.left + count * (is_live(status) and not sent),
        )
    return {run_id: list(of_run.values()) for run_id, of_run in found.items()}
