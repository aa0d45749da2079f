"""Define bulk work on the fleet: jobs, what they work on, and what may come of each part."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from dashboard.domain.money import Sum

#: The most vehicles of one search run.
MAX_VEHICLES = 10_000


class JobKind(StrEnum):
    """Name what a job does: search many vehicles, or create many links."""

    SEARCH = "search"
    CREATION = "creation"


class JobState(StrEnum):
    """Name the states of a job. WAITING goes on by itself, PAUSED when a person says so; the last two are final, but
    that a person may retry what failed.
    """

    RUNNING = "running"
    WAITING = "waiting"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    DONE = "done"


#: The job is not over, whether or not it works at the moment.
OPEN_JOBS = frozenset({JobState.RUNNING, JobState.WAITING, JobState.PAUSED})

#: Why a job waits, beside the failure names of the service: the parts that are left are to be tried later, or an
#: unclear request holds their vehicles.
LATER, UNCLEAR_REQUESTS = "Later", "UnclearRequests"
#: The same: a person let it go on, and the service refused once more.
STILL_SPENT = "StillSpent"


class SearchOutcome(StrEnum):
    """Name what came of the search of one vehicle in a run."""

    PAYABLE = "payable"
    NOTHING_PAYABLE = "nothing_payable"
    DETAILS_NEEDED = "details_needed"  #: Refused without RC type and city: probably new to the organization.
    REFUSED = "refused"  #: Refused with RC type and city.
    NOT_OURS = "not_ours"  #: The vehicle belongs to another organization, or was deleted.
    NO_ANSWER = "no_answer"  #: Neither the challan source nor a further try gave an answer.
    FAILED = "failed"  #: An answer that could not be used.


FOUND = frozenset({SearchOutcome.PAYABLE, SearchOutcome.NOTHING_PAYABLE})
#: The service has said something about the vehicle; all others were tried without that.
SEARCHED = FOUND | {SearchOutcome.NOT_OURS}
#: A person may have these tried again as they are.
RETRYABLE = frozenset({SearchOutcome.NO_ANSWER, SearchOutcome.FAILED})


class HeldBy(IntEnum):
    """Name what holds the unpaid challans of a vehicle, of several that of which a person has to know first."""

    OTHERWISE = 0  #: A link that may be paid, and is not active.
    ACTIVE = 1  #: An active link.
    REQUEST = 2  #: A request of which it is not known yet whether a link was created.


class LinkOutcome(StrEnum):
    """Name what came of one link of a plan when it was its turn. Where a request was made, its state says the rest."""

    REQUESTED = "requested"  #: There is a request; its own state tells what became of it.
    REFUSED = "refused"  #: Our own checks refused it; nothing was sent.
    FAILED = "failed"  #: A call before the request failed; nothing was sent.


@dataclass(frozen=True, slots=True)
class FleetVehicle:
    """Name a vehicle to search by its stored number, and the RC type and city that a first search needs."""

    rc: str
    rc_type: str | None = None
    city_id: str | None = None


@dataclass(frozen=True, slots=True)
class PlannedLink:
    """Name the challans of one link that is to be created: at most 100 (section 8), all of one vehicle, with their sum
    as people reviewed it.
    """

    rc: str
    challan_ids: tuple[str, ...]
    to_pay: Sum
