"""Define the sentences of search runs, and those that all jobs of the fleet share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from dashboard.domain.fleet import LATER, STILL_SPENT, UNCLEAR_REQUESTS, HeldBy, JobKind, JobState, SearchOutcome
from dashboard.domain.money import Sum, add_up
from dashboard.store.fleet.jobs import Job
from dashboard.store.fleet.runs import RunCounts
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import format_moment, format_near, format_sum
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.records import StateWords

_STATES = {
    JobState.RUNNING: StateWords("running", "", "waiting", name=lazy("Running")),
    JobState.WAITING: StateWords("waiting", "", "waiting", name=lazy("Waiting")),
    JobState.PAUSED: StateWords("paused", "", "neutral", name=lazy("Paused")),
    JobState.CANCELLED: StateWords("cancelled", "", "ended", name=lazy("Cancelled")),
    JobState.DONE: StateWords("done", "", "good", name=lazy("Done")),
}
_OUTCOMES = {
    SearchOutcome.PAYABLE: StateWords("payable", "", "waiting", name=lazy("Challans to pay")),
    SearchOutcome.NOTHING_PAYABLE: StateWords("nothing_payable", "", "good", name=lazy("Nothing to pay")),
    SearchOutcome.DETAILS_NEEDED: StateWords("details_needed", "", "waiting", name=lazy("RC type and city needed")),
    SearchOutcome.REFUSED: StateWords("refused", "", "wrong", name=lazy("Refused by the service")),
    SearchOutcome.NOT_OURS: StateWords("not_ours", "", "ended", name=lazy("Not in your organization")),
    SearchOutcome.NO_ANSWER: StateWords("no_answer", "", "wrong", name=lazy("No answer")),
    SearchOutcome.FAILED: StateWords("failed", "", "wrong", name=lazy("Answer not readable")),
}
_VEHICLES_TO_PAY = lazy("Vehicles to pay")
STARTING = lazy("Starting")
#: The vehicles of which nothing is left for a link, those of them of which a link waits for payment or may have been
#: created, and those without an outcome, in the addresses of their lists.
ON_LINKS, ON_UNPAID, UNCLEAR, LEFT = "on_links", "on_unpaid", "unclear", "left"
#: Those with open challans whose details the service did not send, so that they can be put on no link.
UNREADABLE, ALL_UNREADABLE = "unreadable", lazy("Challans not readable")
#: Of a vehicle whose challans are all on links, or reserved, by now; and where one of these links waits for payment.
NONE_LEFT = StateWords(ON_LINKS, "", "ended", name=lazy("No new link possible"))
UNPAID = StateWords(ON_UNPAID, "", "ended", name=lazy("On a link, unpaid"))
#: By what holds the challans of such a vehicle: first what a person has to know first.
HELD = {
    HeldBy.REQUEST: StateWords(UNCLEAR, "", "waiting", name=lazy("Link may exist")),
    HeldBy.ACTIVE: UNPAID,
    HeldBy.OTHERWISE: NONE_LEFT,
}
IN_A_PLAN = lazy("In a plan")
AMOUNT_UNKNOWN = lazy("Amount unknown")
#: In an address, the vehicles of which something is left, by what that is: the largest first.
LARGEST = "largest"
LEFT_TO_SEARCH, NOT_SEARCHED = lazy("Still to search"), lazy("Not searched")
ALL_RESULTS = lazy("Results")

PAUSE, RESUME, GO_ON_NOW, CANCEL = lazy("Pause"), lazy("Resume"), lazy("Go on now"), lazy("Cancel")
PAUSED = lazy("Paused. What is under way at this moment still ends.")
GOES_ON = lazy("It goes on.")
TRIES = lazy("One call now tries whether the service grants more. It goes on only if the service does.")
TRIED_JUST_NOW = lazy(
    "Nothing was changed: a call tried less than a minute ago whether the service grants more. Wait a minute."
)
CANCELLED = lazy("Cancelled. What was done stays.")
TOO_LATE = lazy("Nothing was changed: it is in another state by now.")
NOTHING_TO_RETRY = lazy("There is nothing to try again.")
CHOOSE_BOTH = lazy("Choose RC type and city.")
DETAILS_AGAIN = lazy("RC type and city for some vehicles of a search")
#: How many need them stands among the counts.
DETAILS = lazy("Add RC type and city")

_WHY = {
    "AllowanceSpent": lazy("The daily limit of the service is reached."),
    STILL_SPENT: lazy("One more call was tried, and the service refused it: the daily limit is still reached."),
    "AllowanceReserved": lazy("The rest of the daily limit is reserved for people and for unclear requests."),
    "SecretRejected": lazy("The API key was refused, so no calls are being made."),
    "KeyThrottled": lazy("The API key is throttled, so no calls are being made."),
    "OtherOrganization": lazy("The API key belongs to another organization, so no calls are being made."),
    "ServiceNotEnabled": lazy("This service is not enabled for your organization."),
    "BreakerOpen": lazy("Several calls to the service have failed lately."),
    UNCLEAR_REQUESTS: lazy(
        "It is not known yet whether some links were created, so other links of these vehicles wait."
    ),
}


def state(of: JobState) -> StateWords:
    return _STATES[of]


def state_with(of: JobState, counts: RunCounts) -> StateWords:
    """Return the state of a run: it is done only where the service has said something about every vehicle.

    Why it has not, the counts say.
    """
    if of is not JobState.DONE or counts.ended == counts.searched:
        return state(of)
    count = counts.ended - counts.searched
    words = ngettext("%(count)s could not be searched", "%(count)s could not be searched", count, count=f"{count:,}")
    return StateWords("done", "", "waiting", name=words)


def unsearched(counts: RunCounts) -> str:
    """Say what the vehicles lack that were tried and are not searched; "" where there are none."""
    if count := counts.by_outcome.get(SearchOutcome.DETAILS_NEEDED, 0):
        return ngettext(
            "%(count)s needs RC type and city", "%(count)s need RC type and city", count, count=f"{count:,}"
        )
    count = counts.ended - counts.searched
    return ngettext("%(count)s not searched", "%(count)s not searched", count, count=f"{count:,}") if count else ""


def far(counts: RunCounts) -> tuple[int, str]:
    """Return how many vehicles of a run are searched, and the words that follow."""
    return counts.searched, _("of %(total)s vehicles searched", total=f"{counts.vehicles:,}")


def outcome(of: SearchOutcome) -> StateWords:
    return _OUTCOMES[of]


def unreadable(count: int) -> StateWords:
    """Say that open challans of a vehicle lack details, so that nobody reads that it has nothing to pay."""
    words = ngettext("%(num)s challan not readable", "%(num)s challans not readable", count)
    return StateWords(UNREADABLE, "", "waiting", name=words)


def tally(of: SearchOutcome, count: int = 0) -> str:
    """Name the vehicles of an outcome, so many of them; their number must not read as one of challans."""
    if of is SearchOutcome.PAYABLE:
        return ngettext("Vehicle to pay", "Vehicles to pay", count)
    return _OUTCOMES[of].shown


def planned(count: int) -> str:
    """Say of how many of the vehicles to pay plans that are not finished have all, as the list shows them."""
    return _("%(count)s in a plan", count=f"{count:,}")


def listed(shown: str, of: JobState) -> str:
    """Name a list of vehicles as the address of the list names them; "" stands for all."""
    if shown == LEFT:
        return left(of)
    if held := next((state for state in HELD.values() if state.raw == shown), None):
        return held.shown
    if shown == UNREADABLE:
        return str(ALL_UNREADABLE)
    if shown == LARGEST:
        return _("%(vehicles)s, largest first", vehicles=_VEHICLES_TO_PAY)
    if shown == SearchOutcome.PAYABLE:
        return str(_VEHICLES_TO_PAY)
    return _OUTCOMES[SearchOutcome(shown)].shown if shown else str(ALL_RESULTS)


def challans(found: int, left: int) -> str:
    """Say how many challans of a vehicle can be put on links, of those that were found."""
    if left < found:
        return ngettext(
            "%(left)s of %(num)s challan not on a link",
            "%(left)s of %(num)s challans not on a link",
            found,
            left=left,
        )
    return ngettext("%(num)s challan to pay", "%(num)s challans to pay", found)


def in_plans(total: Sum) -> str:
    """Say what stands in plans that are not finished, beside what nobody has planned yet."""
    return _("+ %(sum)s in a plan", sum=format_sum(total))


def of_plan(amounts: Sequence[Decimal | None], *, is_all: bool) -> str:
    """Say what of a vehicle stands in plans that are not finished; nothing is no words."""
    if not amounts:
        return ""
    total = add_up(amounts)
    if not is_all:
        return in_plans(total)
    return str(AMOUNT_UNKNOWN) if total.unknown == len(amounts) else _("%(sum)s in a plan", sum=format_sum(total))


def on_links(amounts: Sequence[Decimal | None]) -> str:
    """Say what is to pay on the active links of a vehicle."""
    total = add_up(amounts)
    if total.unknown == len(amounts):
        return str(AMOUNT_UNKNOWN)
    return ngettext("%(sum)s on a link", "%(sum)s on %(num)s links", len(amounts), sum=format_sum(total))


def why(job: Job) -> str:
    """Say why a job does not run, and until when."""
    if job.state is JobState.PAUSED:
        return _("Press Resume to go on. What was done stays.")
    if job.state is not JobState.WAITING:
        return ""
    if job.reason == LATER:
        words = later(job.kind)
    else:
        words = str(_WHY.get(job.reason or "") or shared_texts.failure(job.reason or ""))
    return f"{words} {_until(job.resume_at)}".strip()


def later(kind: JobKind) -> str:
    """Say that the parts that are left are to be tried later."""
    if kind is JobKind.CREATION:
        return _("The links that are left could not be created yet.")
    return _("The vehicles that are left gave no answer yet.")


def _until(at: datetime | None) -> str:
    return "" if at is None else _("It goes on automatically, next try %(when)s.", when=format_near(at))


def pace(kind: JobKind, a_minute: float) -> str:
    """Say how many vehicles are searched, or links created, a minute."""
    count = round(a_minute)
    if kind is JobKind.CREATION:
        return ngettext("%(num)s link a minute", "%(num)s links a minute", count)
    return ngettext("%(num)s vehicle a minute", "%(num)s vehicles a minute", count)


def left(of: JobState) -> str:
    """Name the vehicles without an outcome, which a cancelled run no longer searches."""
    return str(NOT_SEARCHED if of is JobState.CANCELLED else LEFT_TO_SEARCH)


def ended(job: Job) -> str:
    """Say when a job came to its end."""
    return _("finished %(when)s", when=format_moment(job.ended_at)) if job.ended_at else ""


def retry(count: int) -> str:
    return _("Retry the failed (%(count)s)", count=f"{count:,}") if count else ""


def rest(count: int) -> str:
    return _("Search the rest (%(count)s)", count=f"{count:,}") if count else ""


def retried(count: int) -> str:
    return ngettext(
        "%(count)s vehicle is searched again.", "%(count)s vehicles are searched again.", count, count=f"{count:,}"
    )


def completed(count: int, left: int) -> str:
    """Say how many vehicles are searched again with RC type and city, and how many still need them."""
    if not left:
        return retried(count)
    still = ngettext(
        "%(count)s still needs RC type and city.", "%(count)s still need RC type and city.", left, count=f"{left:,}"
    )
    return f"{retried(count)} {still}"


def why_failed(name: str | None) -> str:
    """Say what the last try of a search or a creation failed with."""
    return shared_texts.failure(name) if name else ""
