"""Tell what is left by now of what a search run found: what no link holds, and what its vehicles have come to since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from decimal import Decimal

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.fleet import FOUND, MAX_VEHICLES, RETRYABLE, FleetVehicle, HeldBy, JobState, SearchOutcome
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.store.creation import claims
from dashboard.store.fleet import open_plans, payable, runs
from dashboard.store.fleet.jobs import Job
from dashboard.web.fleet import run_texts as texts

#: What the vehicles that the service knows are listed among, by what is left of them now.
FOUND_NOW = (
    SearchOutcome.PAYABLE,
    SearchOutcome.NOTHING_PAYABLE,
    *(state.raw for state in texts.HELD.values()),
    texts.UNREADABLE,
)


@dataclass(frozen=True, slots=True)
class Rest:
    """Hold what no link holds yet of what a run found: the sums by vehicle, and the number of challans.

    It `is_planned` where plans that are not finished are to put all of it on links; `in_plans` is what they are to put
    there, `unplanned` the others, `planned` its amounts by vehicle where that is said apart, and `plans` has the plan
    of each vehicle of which that is all. `on_links` are the vehicles with unpaid challans on links or reserved, and
    by what; `unreadable` those with open challans that lack details, and how many. Without `is_whole` only the
    vehicles with nothing to pay are distinguished.
    """

    to_pay: dict[str, Sum] = field(default_factory=dict)
    of_vehicle: dict[str, int] = field(default_factory=dict)
    is_planned: bool = False
    plans: dict[str, str] = field(default_factory=dict)
    planned: dict[str, list[Decimal | None]] = field(default_factory=dict)
    in_plans: Sum = NO_SUM
    unplanned: Sum = NO_SUM
    in_plans_count: int = 0
    on_links: dict[str, HeldBy] = field(default_factory=dict)
    unreadable: dict[str, int] = field(default_factory=dict)
    is_whole: bool = True

    @property
    def challans(self) -> int:
        """Return how many challans are in the sum."""
        return sum(self.of_vehicle.values()) - (0 if self.is_planned else self.in_plans_count)

    @property
    def sum(self) -> Sum:
        """Return what is left without what plans are to put on links, or all where they have all of it."""
        return sum(self.to_pay.values(), NO_SUM) if self.is_planned else self.unplanned

    @property
    def apart(self) -> Sum | None:
        """Return what plans are to put on links where that is said apart: they are not to put all of it there."""
        return self.in_plans if self.in_plans_count and not self.is_planned else None

    def open_of(self, rc: str) -> Sum | None:
        """Return what is left of a vehicle, as `sum` adds it up; None where plans are to put all of it on links."""
        found, count = self.to_pay.get(rc), self.open_count(rc)
        if found is None or not count:
            return None
        planned = add_up(self.planned.get(rc, []))
        return Sum(found.total - planned.total, found.unknown - planned.unknown)

    def open_count(self, rc: str) -> int:
        """Return of how many challans that is."""
        return self.of_vehicle.get(rc, 0) - len(self.planned.get(rc, []))

    def rank_of(self, rc: str) -> tuple[bool, Decimal]:
        """Rank a vehicle with something left: by that sum, and last those of which plans have all."""
        left = self.open_of(rc)
        return left is None, -(left or self.to_pay[rc]).total

    def outcome_of(self, outcome: SearchOutcome, rc: str | None) -> str:
        """Name the vehicles among which one is counted and listed: what was found once may be on links, or paid."""
        if outcome not in FOUND or (outcome is SearchOutcome.PAYABLE and not self.is_whole):
            return outcome
        if rc in self.to_pay:
            return SearchOutcome.PAYABLE
        if rc in self.on_links or outcome is SearchOutcome.PAYABLE:
            return texts.HELD[self.on_links.get(rc or "", HeldBy.OTHERWISE)].raw
        return texts.UNREADABLE if rc in self.unreadable else SearchOutcome.NOTHING_PAYABLE


@dataclass(frozen=True, slots=True)
class HeldOn:
    """Lead to what holds the challans of a vehicle: the request of which it is not known whether its link exists, or
    its active link, or the vehicle where there are several, with what is `to_pay` on them.
    """

    request: str = ""
    links: str = ""
    to_pay: str = ""


def rest_of(connection: Connection, run_id: str) -> Rest:
    """Add up by vehicle what the run found and no link holds."""
    found: dict[str, list[Decimal | None]] = {}
    plans: dict[str, set[str | None]] = {}
    apart: dict[str, list[Decimal | None]] = {}
    listed, planned = payable.of_run(connection, run_id), open_plans.challans(connection)
    for each in listed:
        found.setdefault(each.rc, []).append(each.total)
        plans.setdefault(each.rc, set()).add(planned.get(each.id))
        if each.id in planned:
            apart.setdefault(each.rc, []).append(each.total)
    in_plans = [each.total for each in listed if each.id in planned]
    is_planned = len(in_plans) == len(listed)
    return Rest(
        to_pay={rc: add_up(amounts) for rc, amounts in found.items()},
        of_vehicle={rc: len(amounts) for rc, amounts in found.items()},
        is_planned=is_planned,
        plans={rc: of[0] for rc, ids in plans.items() if None not in ids and (of := sorted(filter(None, ids)))},
        planned={} if is_planned else apart,
        in_plans=add_up(in_plans),
        unplanned=add_up(each.total for each in listed if each.id not in planned),
        in_plans_count=len(in_plans),
        on_links=payable.on_links(connection, run_id, FOUND),
        unreadable=payable.unreadable(connection, run_id),
    )


def rest_of_none_to_pay(connection: Connection, run_id: str) -> Rest:
    """Read the same of the vehicles with nothing to pay alone: all is too much for each poll of a long run."""
    on_links = payable.on_links(connection, run_id, [SearchOutcome.NOTHING_PAYABLE])
    return Rest(on_links=on_links, unreadable=payable.unreadable(connection, run_id), is_whole=False)


def held_on(connection: Connection, rest: Rest, rcs: Collection[str]) -> dict[str, HeldOn]:
    """Return by vehicle what holds its challans, where a request or active links do."""
    requested = [rc for rc in rcs if rest.on_links.get(rc) is HeldBy.REQUEST]
    found = {
        rc: HeldOn(request=url_for("creation.request_page", request_id=intent_id))
        for rc, intent_id in claims.requests_of_vehicles(connection, requested).items()
    }
    active = [rc for rc in rcs if rest.on_links.get(rc) is HeldBy.ACTIVE]
    for rc, listed in payable.active_links(connection, active).items():
        is_one = len(listed) == 1
        address = url_for("links.show", link_id=next(iter(listed))) if is_one else url_for("vehicles.show", rc=rc)
        found[rc] = HeldOn(links=address, to_pay=texts.on_links(list(listed.values())))
    return found


def moved(connection: Connection, job: Job, rest: Rest) -> Counter[str]:
    """Count by how many each number of vehicles differs from what was found, by what has become of it."""
    found: Counter[str] = Counter()
    for outcome in sorted(FOUND) if rest.is_whole else [SearchOutcome.NOTHING_PAYABLE]:
        for rc in runs.found_with(connection, job.id, outcome):
            found[outcome] -= 1
            found[rest.outcome_of(outcome, rc)] += 1
    return found


def left_by(connection: Connection, job: Job) -> list[FleetVehicle]:
    """Return the vehicles that a cancelled run has not searched, or in vain; none of any other run."""
    if job.state is not JobState.CANCELLED:
        return []
    groups: tuple[Collection[SearchOutcome] | None, ...] = (None, sorted(RETRYABLE))
    found = [each for of in groups for each in runs.with_outcome(connection, job.id, of, after=0, limit=MAX_VEHICLES)]
    found.sort(key=lambda each: each.position)
    return [FleetVehicle(each.rc, each.rc_type, each.city_id) for each in found]
