"""The sentences of the service page that code chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import cast

from flask import current_app

from dashboard.domain.assumptions import MAX_CHECK_NOTE, AssumptionOutcome
from dashboard.errors import CallGroup, Operation
from dashboard.web.shared import banner_texts
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, lazy_about, ngettext

CALLS = {
    Operation.SEARCH_CHALLANS: lazy("Searching vehicles"),
    Operation.CREATE_PAYMENT_LINK: lazy("Creating links"),
    Operation.GET_PAYMENT_LINK: lazy("Checking links"),
}
#: The states of calls, by what blocks them; the sentences below say more.
WORKING, PAUSED, SPENT = lazy("Working"), lazy("Paused"), lazy("Limit reached")
NO_PROPER_ANSWER = lazy("No proper answer")
NOT_TRIED, LATE = lazy("Not tried yet"), lazy("Late")
REFUSED, OTHER, DISABLED = lazy("Key refused"), lazy("Other organization"), lazy("Not enabled")
ACCEPTED = lazy("Accepted")
KEY_REFUSED = lazy("The API key was refused {since}.")
KEY_THROTTLED = lazy("Refused since {since}, though no limit is reached.")
OTHER_ORGANIZATION = lazy("The key belongs to another organization, since {since}.")
NOT_ENABLED = lazy("{group} was refused at {since}.")
BREAKER_OPEN = lazy("No proper answer since {since}.")
ALLOWANCE_SPENT = lazy("Most likely until {back}.")
TRIED_AGAIN = lazy("The service answers again. Paused calls go on by themselves.")


def overdue(links: int, live: int) -> str:
    """Say how many links wait too long for a check, and how many of them can still be paid."""
    said = ngettext("%(num)s link waits for a check", "%(num)s links wait for a check", links)
    if live == links:
        return said
    if live:
        return _("%(links)s, %(live)s of them open", links=said, live=live)
    return ngettext(
        "%(num)s ended or paid link waits for a check. No open link is affected",
        "%(num)s ended or paid links wait for a check. No open link is affected",
        links,
    )


def late_by(span: str) -> str:
    """Say how long the most overdue link waits for its check."""
    return _("Automatic checks are %(span)s late", span=span)


#: Of the only call of a kind. None is said to have failed: of one to create a link the outcome is not known.
ONE_FAILED = {
    Operation.SEARCH_CHALLANS: lazy("The last search got no proper answer"),
    Operation.CREATE_PAYMENT_LINK: lazy("The last call to create a link got no proper answer"),
    Operation.GET_PAYMENT_LINK: lazy("The last check of a link got no proper answer"),
}
#: The calls that a daily limit stops.
LIMIT_REACHED = {
    Operation.SEARCH_CHALLANS: banner_texts.SEARCH_LIMIT[0],
    Operation.CREATE_PAYMENT_LINK: banner_texts.LINK_LIMIT[0],
}
LIMITS_REACHED = lazy("Today’s limits are reached")


def limit_reached(operations: Sequence[Operation]) -> str:
    """Say which daily limits stop calls, while nothing else does."""
    return str(LIMIT_REACHED[operations[0]] if len(operations) == 1 else LIMITS_REACHED)


def some_failed(operation: Operation, failed: int, asked: int) -> str:
    """Say how many calls of a kind failed, of which the last one did; there were two or more."""
    numbers = {"failed": f"{failed:,}", "asked": f"{asked:,}"}
    match operation:
        case Operation.SEARCH_CHALLANS:
            return _("%(failed)s of %(asked)s searches got no proper answer", **numbers)
        case Operation.CREATE_PAYMENT_LINK:
            return _("%(failed)s of %(asked)s calls to create links got no proper answer", **numbers)
        case _:
            return _("%(failed)s of %(asked)s checks of links got no proper answer", **numbers)


def last_failed(calls: Sequence[str]) -> str:
    """Say of which calls the last one got no proper answer."""
    return _("No proper answer the last time: %(calls)s", calls=", ".join(calls))


def verdict(works: Mapping[str, bool], failed: str, *, is_tried: bool) -> str:
    """Say whether the service can be used; `works` has the kinds of calls by name, `failed` says what failed last."""
    stopped = [name for name, does in works.items() if not does]
    if not stopped and failed:
        return failed
    if not stopped:
        return _("The service works") if is_tried else _("The service has not been asked yet")
    if len(stopped) == len(works):
        return _("The service cannot be used now")
    return _("Not working now: %(calls)s", calls=", ".join(stopped))


# Failures

FAILURES_BY_HOUR, FAILURES = lazy("Calls without a proper answer, or refused, by hour"), lazy("Calls")
#: Plain names of failures, and what each means; a class without them is shown by its own name.
FAILURE_NAMES = {
    "Unreachable": lazy("No answer"),
    "Insecure": lazy("No secure connection"),
    "ServiceFailed": lazy("Answered with an error"),
    "UnreadableAnswer": lazy("Answer could not be read"),
    "SecretRejected": lazy("Key refused"),
    "KeyThrottled": lazy("Key throttled"),
    "OtherOrganization": lazy("Key of another organization"),
    "ServiceNotEnabled": lazy("Not enabled"),
    "AllowanceSpent": lazy("Daily limit reached"),
    "NotFound": lazy("Not known there"),
    "Conflict": lazy("Conflict"),
    "RequestRefused": lazy("Not accepted"),
    "JustFailed": lazy("No proper answer just now"),
}
FAILURE_MEANINGS = {
    "Unreachable": lazy("The service could not be reached, or took too long. Searches and checks are tried again."),
    "Insecure": lazy("The connection to the service could not be encrypted as it must be."),
    "ServiceFailed": lazy("A fault at the service (5xx). Calls pause when several fail one after another."),
    "UnreadableAnswer": lazy("The service answered something that its documents do not describe."),
    "SecretRejected": lazy("The service does not accept our API key (401)."),
    "KeyThrottled": lazy("The service refuses the key for a while (429), although no daily limit is reached."),
    "OtherOrganization": lazy("The key answered for an organization that is not this one."),
    "ServiceNotEnabled": lazy("This service is not enabled for the organization (403)."),
    "AllowanceSpent": lazy("The service takes no more such calls today (429)."),
    "NotFound": lazy("The service does not know what was asked for (404)."),
    "Conflict": lazy("What was asked for conflicts with what the service already has (409)."),
    "RequestRefused": lazy(
        "The service did not take what was sent (4xx), such as a vehicle without RC type and city. "
        "Other calls still work."
    ),
}


#: So many kinds of failures are named in a line; the table has more.
_NAMED = 2


def failed(failures: Sequence[tuple[str, int]], asked: int) -> str:
    """Say how many of all calls got no proper answer or were refused, and how many by each of a few kinds; else ""."""
    if not failures:
        return ""
    failed = f"{sum(calls for _name, calls in failures):,}"
    said = ngettext(
        "%(failed)s of %(asked)s call", "%(failed)s of %(asked)s calls", asked, failed=failed, asked=f"{asked:,}"
    )
    if len(failures) > _NAMED:
        return said
    kinds = [f"{name} {calls:,}" if len(failures) > 1 else str(name) for name, calls in failures]
    return f"{said}: {', '.join(kinds)}"


NO_CALLS = lazy("No calls in 24 hours")


def history(calls: int, failures: int, refusals: int, blocked_since: str) -> str:
    """Say how many calls some hours had, and how they went; `blocked_since` is "" while they are made.

    Failures got no proper answer, so that nobody knows whether a link exists that one of them was to create.
    """
    parts = []
    if failures:
        parts.append(ngettext("%(num)s without a proper answer", "%(num)s without a proper answer", failures))
    if refusals:
        parts.append(ngettext("%(num)s refused", "%(num)s refused", refusals))
    counted = [ngettext("%(count)s call", "%(count)s calls", calls, count=f"{calls:,}")] if calls else []
    if blocked_since and not parts:
        return " · ".join([_("Not called since %(moment)s", moment=blocked_since), *counted])
    return " · ".join([*counted, *(parts or [_("all answered")])])


# Calls by day

LIMITED = {CallGroup.SEARCH: lazy("Searches and lookups"), CallGroup.CREATE: lazy("New links")}
#: What is left of them today.
LEFT_TODAY = {CallGroup.SEARCH: lazy("Searches"), CallGroup.CREATE: lazy("New links")}
#: The title of each chart, a sentence about it, and the groups that it shows.
CALLS_BY_DAY = {
    "calls": (
        lazy("Searches and new links by day"),
        lazy("The service limits these per day. It does not say how many."),
        LIMITED,
    ),
    "checks": (lazy("Checks of links by day"), "", {CallGroup.STATUS: lazy("Checks of links")}),
}
#: What a table of few days counts.
BY_DAY = {**LIMITED, CallGroup.STATUS: lazy("Checks of links")}


def number(value: float) -> str:
    return f"{value:,.0f}"


def hour(begins: datetime) -> str:
    """Write when an hour begins: "3 pm"."""
    return cast(str, current_app.jinja_env.filters["hour"](begins))


def day(of: date) -> str:
    return cast(str, current_app.jinja_env.filters["short_date"](of))


# Clocks

CLOCK_AGREES, CLOCK_DIFFERS = lazy("Agrees"), lazy("Differs")
CLOCKS_AGREE, CLOCKS_DIFFER = lazy_about("of clocks", "Agree"), lazy_about("of clocks", "Differ")
NO_STEP, NOT_COMPARED = lazy("none"), lazy("not compared")


def ahead(seconds: float | None) -> str:
    """Say how far a clock is ahead of the host's."""
    if seconds is None:
        return str(NOT_COMPARED)
    return _("%(count)s s", count=f"{seconds:+.1f}" if abs(seconds) >= 0.05 else 0)


def step(seconds: float, at: str) -> str:
    return _("%(seconds)s s at %(time)s", seconds=f"{seconds:+.1f}", time=at)


# Checks of the assumptions

CHECK_LABELS = {"outcome": lazy("Result"), "note": lazy("What you saw")}
OUTCOMES = {
    AssumptionOutcome.HOLDS: lazy("Works"),
    AssumptionOutcome.FAILS: lazy("Does not work"),
    AssumptionOutcome.UNCLEAR: lazy("Not clear"),
}


def _holding(count: int) -> str:
    return ngettext("%(num)s works", "%(num)s work", count)


def _failing(count: int) -> str:
    return ngettext("%(num)s does not work", "%(num)s do not work", count)


def failing_check(matters: str) -> str:
    """Name the only check that fails, by the statement that it was to confirm."""
    return _("1 check failed: “%(what)s”", what=str(matters).rstrip(".।"))


def _unclear(count: int) -> str:
    return ngettext("%(num)s is not clear", "%(num)s are not clear", count)


def not_checked(count: int) -> str:
    return _("%(num)s not done yet", num=count)


def working(count: int, of: int, checked: int) -> str:
    """Say how many of the checks came out well; of what nobody checked it is not known."""
    if not checked:
        return _("Nothing is checked yet")
    return ngettext("%(num)s of %(total)s works", "%(num)s of %(total)s work", count, total=of)


#: How many have each outcome, the gravest first.
TALLY = {AssumptionOutcome.FAILS: _failing, AssumptionOutcome.UNCLEAR: _unclear, AssumptionOutcome.HOLDS: _holding}
#: What does not work comes first, and what works last.
GROUPS = {
    AssumptionOutcome.FAILS: lazy("Does not work"),
    AssumptionOutcome.UNCLEAR: lazy("Not clear"),
    None: lazy("Not checked yet"),
    AssumptionOutcome.HOLDS: lazy("Works"),
}
NEW_CHECK = lazy("The result of a check")
NO_OUTCOME = lazy("Choose a result.")
NO_NOTE = lazy("Write what you saw, unless it works.")
NOTE_TOO_LONG = lazy("Write at most %(most)s characters.", most=MAX_CHECK_NOTE)


def check_recorded(code: str) -> str:
    return _("The result of %(code)s is recorded.", code=code)


def check_of(code: str) -> str:
    return _("Check of %(code)s", code=code)


# Versions

DASHBOARD, TABLES, PYTHON = lazy("Dashboard"), lazy("Tables"), "Python"
DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
#: What the database in use says of A5.
DATABASE_OF_HOSTS = {
    "sqlite": lazy("This database is a file, so the dashboard must run on this one host."),
    "postgresql": lazy("This database is a server, which all hosts must name."),
}
