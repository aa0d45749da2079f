"""The sentences of the service page that code chooses."""

from __future__ import annotations

from datetime import date, datetime
from typing import cast

from flask import current_app

from dashboard.domain.assumptions import MAX_CHECK_NOTE, AssumptionOutcome
from dashboard.errors import CallGroup, Operation
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy

CALLS = {
    Operation.SEARCH_CHALLANS: lazy("Searching vehicles"),
    Operation.CREATE_PAYMENT_LINK: lazy("Creating links"),
    Operation.GET_PAYMENT_LINK: lazy("Checking links"),
}
#: The states of calls, by what blocks them; the sentences below say more.
WORKING, PAUSED, SPENT = lazy("Working"), lazy("Paused"), lazy("Limit reached")
REFUSED, OTHER, DISABLED = lazy("Key refused"), lazy("Other organization"), lazy("Not enabled")
KEY_REFUSED = lazy("The API key was refused {since}. Next try at {until}.")
KEY_THROTTLED = lazy("Refused since {since}, though no limit is reached. Next try at {until}.")
OTHER_ORGANIZATION = lazy("The key belongs to another organization, since {since}.")
NOT_ENABLED = lazy("{group} was refused at {since}. Next try at {until}.")
BREAKER_OPEN = lazy("Failing since {since}. The next call is tried at {until}.")
ALLOWANCE_SPENT = lazy("Reached at {since}. Next try from {until}.")
TRIED_AGAIN = lazy("The service answers again. Paused calls go on by themselves.")


# Failures

FAILURES_BY_HOUR, FAILURES = lazy("Failed calls by hour"), lazy("Failed calls")
#: Plain names of failures; a class without one is shown by its own name.
FAILURE_NAMES = {
    "Unreachable": lazy("No answer"),
    "Insecure": lazy("No secure connection"),
    "ServiceFailed": lazy("Answered with an error (5xx)"),
    "UnreadableAnswer": lazy("Answer could not be read"),
    "SecretRejected": lazy("Key refused (401)"),
    "KeyThrottled": lazy("Key throttled (429)"),
    "OtherOrganization": lazy("Key of another organization"),
    "ServiceNotEnabled": lazy("Not enabled (403)"),
    "AllowanceSpent": lazy("Daily limit reached (429)"),
    "NotFound": lazy("Not known there (404)"),
    "Conflict": "Conflict (409)",
    "RequestRefused": lazy("Request refused (4xx)"),
}

# Calls by day

LIMITED = {CallGroup.SEARCH: lazy("Searches and lookups"), CallGroup.CREATE: lazy("Links asked for")}
#: The title of each chart, a sentence about it, and the groups that it shows.
CALLS_BY_DAY = {
    "calls": (
        lazy("Searches and new links by day"),
        lazy("The service limits these per day. It does not say how many."),
        LIMITED,
    ),
    "checks": (lazy("State checks by day"), "", {CallGroup.STATUS: lazy("State checks")}),
}


def number(value: float) -> str:
    return f"{value:,.0f}"


def hour(begins: datetime) -> str:
    """Write when an hour begins: "3 pm"."""
    return cast(str, current_app.jinja_env.filters["hour"](begins))


def day(of: date) -> str:
    return cast(str, current_app.jinja_env.filters["short_date"](of))


# Clocks

CLOCK_AGREES, CLOCK_DIFFERS = lazy("Agrees"), lazy("Differs")
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
    AssumptionOutcome.HOLDS: lazy("It holds"),
    AssumptionOutcome.FAILS: lazy("It does not hold"),
    AssumptionOutcome.UNCLEAR: lazy("Not clear"),
}
NEW_CHECK = lazy("The result of a check")
CHOOSE = lazy("Choose…")
NO_OUTCOME = lazy("Choose a result.")
NO_NOTE = lazy("Write what you saw, unless it holds.")
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
