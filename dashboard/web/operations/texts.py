"""The sentences of the service page that code chooses."""

from __future__ import annotations

from datetime import date, datetime

from dashboard.errors import CallGroup, Operation

CALLS = {
    Operation.SEARCH_CHALLANS: "Searching vehicles",
    Operation.CREATE_PAYMENT_LINK: "Creating links",
    Operation.GET_PAYMENT_LINK: "Checking links",
}
WORKING = "Working"
KEY_REFUSED = "The API key was refused {since}. Next try at {until}."
KEY_THROTTLED = "Refused since {since}, though no limit is reached. Next try at {until}."
OTHER_ORGANIZATION = "The key belongs to another organization, since {since}."
NOT_ENABLED = "{group} was refused at {since}. Tried again at {until}."
BREAKER_OPEN = "Failing since {since}. The next call is tried at {until}."
ALLOWANCE_SPENT = "Reached at {since}. Tried again from {until}."
TRIED_AGAIN = "The service answers again. Paused calls go on by themselves."

# Failures

FAILURES_BY_HOUR, FAILURES = "Failed calls by hour", "Failed calls"
#: Names of failures that are told in other words than their class; the rest is told as the class is named.
FAILURE_NAMES = {
    "Unreachable": "No answer",
    "Insecure": "No secure connection",
    "ServiceFailed": "Answered with an error (5xx)",
    "UnreadableAnswer": "Answer could not be read",
    "SecretRejected": "Key refused (401)",
    "KeyThrottled": "Key throttled (429)",
    "OtherOrganization": "Key of another organization",
    "ServiceNotEnabled": "Not enabled (403)",
    "AllowanceSpent": "Daily limit reached (429)",
    "NotFound": "Not known there (404)",
    "Conflict": "Conflict (409)",
    "RequestRefused": "Request refused (4xx)",
}

# Calls by day

LIMITED = {CallGroup.SEARCH: "Searches and lookups", CallGroup.CREATE: "Links asked for"}
#: The title of each chart, a sentence about it, and the groups that it shows.
CALLS_BY_DAY = {
    "calls": (
        "Searches and new links by day",
        "The service limits these per day. It does not say how many.",
        LIMITED,
    ),
    "checks": ("State checks by day", "", {CallGroup.STATUS: "State checks"}),
}


def number(value: float) -> str:
    return f"{value:,.0f}"


def hour(begins: datetime) -> str:
    """Write when an hour begins: "3 pm"."""
    return f"{begins:%I %p}".lstrip("0").lower()


def day(of: date) -> str:
    return f"{of.day} {of:%b}"


# Clocks

CLOCK_AGREES, CLOCK_DIFFERS = "Agrees", "Differs"
NO_STEP, NOT_COMPARED = "none", "not compared"


def ahead(seconds: float | None) -> str:
    """Say how far a clock is ahead of the host's."""
    if seconds is None:
        return NOT_COMPARED
    return f"{seconds:+.1f} s" if abs(seconds) >= 0.05 else "0 s"


def step(seconds: float, at: str) -> str:
    return f"{seconds:+.1f} s at {at}"


# Versions

DASHBOARD, TABLES, PYTHON = "Dashboard", "Tables", "Python"
DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
#: What the database in use says of A5.
DATABASE_OF_HOSTS = {
    "sqlite": "This database is a file, so the dashboard must run on this one host.",
    "postgresql": "This database is a server, which all hosts must name.",
}
