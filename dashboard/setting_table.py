"""The one list of the settings. A test holds the table in docs/settings.md equal to it, and
`python -m dashboard.setting_table` prints that table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dashboard import setting_parsers as parse


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable. `shown` is the table's word for a default that is not a fixed text."""

    name: str
    field: str
    doc: str
    parse: Callable[[str], Any]
    default: str | None = None
    shown: str = "none"
    required: bool = False
    secret: bool = False

    @property
    def default_cell(self) -> str:
        return f"`{self.default}`" if self.default is not None else self.shown


VARIABLES = (
    Variable("DASHBOARD_SERVICE_URL", "service_url", "base URL of the service", parse.url, required=True),
    Variable(
        "DASHBOARD_SERVICE_PREFIX",
        "service_prefix",
        "path prefix of the endpoints (production's is not documented)",
        parse.prefix,
        default="/api/v1/staging",
    ),
    Variable(
        "DASHBOARD_API_SECRET",
        "api_secret",
        "organization API secret; its file is read again when it changes",
        parse.api_secret,
        required=True,
        secret=True,
    ),
    Variable(
        "DASHBOARD_SECRET_KEY",
        "secret_key",
        "signs sessions and forms, at least 16 characters",
        parse.secret_key,
        required=True,
        secret=True,
    ),
    Variable(
        "DASHBOARD_DATABASE_URL",
        "database_url",
        "SQLAlchemy URL, SQLite or PostgreSQL",
        parse.database_url,
        shown="a SQLite file in the data folder",
        secret=True,
    ),
    Variable(
        "DASHBOARD_DATA_DIR",
        "data_dir",
        "where the embedded default keeps its files; printed as an absolute path at start",
        parse.folder,
        default="var",
    ),
    Variable("DASHBOARD_LISTEN", "listen", "host:port", parse.listen, default="127.0.0.1:8000"),
    Variable("DASHBOARD_TIMEZONE", "timezone", "how moments are shown", parse.timezone, default="Asia/Kolkata"),
    Variable(
        "DASHBOARD_CURRENCY",
        "currency",
        "how amounts are shown (the service does not state it)",
        parse.currency,
        default="INR",
    ),
    Variable(
        "DASHBOARD_PAYMENT_PAGE_BASE",
        "payment_page_base",
        "when set, payment URLs elsewhere are shown as suspect and not copyable",
        parse.url,
    ),
    Variable(
        "DASHBOARD_INSECURE_COOKIES",
        "insecure_cookies",
        "`1` drops the `__Host-` prefix and `Secure` from cookies and nothing else; refused unless listening on "
        "loopback; `make run` sets it",
        parse.flag,
        default="0",
    ),
    Variable(
        "DASHBOARD_TRUSTED_HOSTS",
        "trusted_hosts",
        "hosts that the dashboard answers to, separated by commas",
        parse.hosts,
        shown="the listen host, `127.0.0.1`, `localhost`",
    ),
    Variable(
        "DASHBOARD_METRICS_TOKEN",
        "metrics_token",
        "bearer token for `/metrics`; without one, administrators only",
        parse.token,
        secret=True,
    ),
    Variable(
        "DASHBOARD_PROXY_COUNT",
        "proxy_count",
        "how many reverse proxies stand in front and set `X-Forwarded-*`; none are believed unless set",
        parse.whole(0, 5),
        default="0",
    ),
    Variable(
        "DASHBOARD_THREADS", "threads", "requests answered at once by a process", parse.whole(4, 256), default="64"
    ),
    Variable(
        "DASHBOARD_MAX_REQUEST_KB",
        "max_request_kb",
        "the largest request that is read, in kilobytes",
        parse.whole(64, 65536),
        default="2048",
    ),
    Variable("DASHBOARD_LOG_LEVEL", "log_level", "`DEBUG`, `INFO`, `WARNING` or `ERROR`", parse.level, default="INFO"),
    Variable(
        "DASHBOARD_LOG_FORMAT",
        "log_format",
        "`json`, one object a line, or `text`, lines for people; `make run` sets it to the latter",
        parse.log_format,
        default="json",
    ),
    Variable(
        "DASHBOARD_SESSION_IDLE_MINUTES",
        "session_idle_minutes",
        "an unused session ends after so many minutes; polls are not use",
        parse.number(1, 1440),
        default="30",
    ),
    Variable(
        "DASHBOARD_SESSION_HOURS",
        "session_hours",
        "every session ends after so many hours",
        parse.number(0.1, 168),
        default="12",
    ),
    Variable(
        "DASHBOARD_CONNECT_SECONDS",
        "connect_seconds",
        "how long to wait for a connection to the service",
        parse.number(0.05, 60),
        default="3",
    ),
    Variable(
        "DASHBOARD_CREATE_SECONDS",
        "create_seconds",
        "deadline of creating a link, in seconds",
        parse.number(0.1, 300),
        default="30",
    ),
    Variable(
        "DASHBOARD_SEARCH_SECONDS",
        "search_seconds",
        "deadline of a search, in seconds",
        parse.number(0.1, 300),
        default="20",
    ),
    Variable(
        "DASHBOARD_REFRESH_SECONDS",
        "refresh_seconds",
        "deadline of a search that asks the source again, in seconds",
        parse.number(0.1, 300),
        default="45",
    ),
    Variable(
        "DASHBOARD_STATUS_SECONDS",
        "status_seconds",
        "deadline of a status call or a lookup, in seconds",
        parse.number(0.1, 300),
        default="10",
    ),
    Variable(
        "DASHBOARD_SETTLE_SECONDS",
        "settle_seconds",
        "how long after a send whose answer was lost the service may still make the link",
        parse.number(0.1, 3600),
        default="120",
    ),
    Variable(
        "DASHBOARD_GAP_SECONDS",
        "gap_seconds",
        "least time between the two looks that a verdict of absence needs",
        parse.number(0.1, 3600),
        default="30",
    ),
    Variable(
        "DASHBOARD_SNAPSHOT_MINUTES",
        "snapshot_minutes",
        "how old a list of challans may be when a link is made from it",
        parse.number(0.01, 1440),
        default="15",
    ),
    Variable(
        "DASHBOARD_POLL_SECONDS",
        "poll_seconds",
        "how often a young link is asked for",
        parse.number(0.1, 3600),
        default="15",
    ),
    Variable(
        "DASHBOARD_YOUNG_MINUTES",
        "young_minutes",
        "how long a link counts as young; later it is asked for every sixtieth of its age, once a minute at most",
        parse.number(0, 1440),
        default="30",
    ),
    Variable(
        "DASHBOARD_OLD_POLL_SECONDS",
        "old_poll_seconds",
        "the longest time between two checks of a live link before its expiry",
        parse.number(1, 86400),
        default="300",
    ),
    Variable(
        "DASHBOARD_WATCHED_POLL_SECONDS",
        "watched_poll_seconds",
        "how often while somebody looks at it",
        parse.number(0.1, 3600),
        default="3",
    ),
    Variable(
        "DASHBOARD_WATCHED_FOR_SECONDS",
        "watched_for_seconds",
        "how long after its page was last asked for a link counts as looked at",
        parse.number(0.1, 3600),
        default="30",
    ),
    Variable(
        "DASHBOARD_CALLS_PER_SECOND",
        "calls_per_second",
        "how many checks of links all workers together begin in a second",
        parse.number(0.1, 1000),
        default="20",
    ),
    Variable(
        "DASHBOARD_CALLS_IN_FLIGHT",
        "calls_in_flight",
        "how many checks of links all workers together have under way",
        parse.whole(1, 256),
        default="16",
    ),
    Variable(
        "DASHBOARD_PERSON_SEARCHES_PER_HOUR",
        "person_searches",
        "how many searches one person may make in an hour, so that nobody spends the organization's day",
        parse.whole(1, 1_000_000),
        default="600",
    ),
)


def markdown_table() -> str:
    """The table of docs/settings.md."""
    rows = [f"| `{each.name}` | {each.doc} | {each.default_cell} |" for each in VARIABLES]
    return "\n".join(["| variable | meaning | default |", "| --- | --- | --- |", *rows]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown_table())
