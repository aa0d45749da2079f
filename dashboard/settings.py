"""The settings: one frozen record, read from a mapping of environment variables and checked all at once.

`VARIABLES` is the one list of them; the table in the README is held equal to it by a test, and
`python -m dashboard.settings` prints that table. Secrets never stand in a repr.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import URL

from dashboard import setting_parsers as parse
from dashboard.setting_parsers import Listen


class SettingsError(Exception):
    """The settings are missing or malformed; `problems` has one sentence for each, none with a secret in it."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True)
class ApiSecret:
    """The organization's API secret: as given, or the file that holds it, which is read again when it changes."""

    literal: str | None = field(default=None, repr=False)
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    service_url: str
    service_prefix: str
    api_secret: ApiSecret
    secret_key: str = field(repr=False)
    database_url: str = field(repr=False)
    data_dir: Path
    listen: Listen
    timezone: ZoneInfo
    currency: str
    payment_page_base: str | None
    insecure_cookies: bool
    trusted_hosts: tuple[str, ...]
    metrics_token: str | None = field(repr=False)
    proxy_count: int
    threads: int
    max_request_kb: int
    log_level: str
    session_idle_minutes: float
    session_hours: float
    connect_seconds: float
    create_seconds: float
    search_seconds: float
    refresh_seconds: float
    status_seconds: float
    settle_seconds: float
    gap_seconds: float
    snapshot_minutes: float
    poll_seconds: float
    watched_poll_seconds: float
    watched_for_seconds: float

    @property
    def staging(self) -> bool:
        """Links made through a staging prefix take no real money, and every page says so."""
        return "/staging" in self.service_prefix

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Settings:
        """Read every variable; raise SettingsError with all the problems there are."""
        problems: list[str] = []
        values: dict[str, Any] = {}
        files: dict[str, Path] = {}
        for variable in VARIABLES:
            try:
                raw, file = _find(variable, environ)
                if file is not None:
                    files[variable.field] = file
                if raw is None and variable.required:
                    hint = f" (or {variable.name}_FILE)" if variable.secret else ""
                    problems.append(f"{variable.name} is missing{hint}: {variable.doc}.")
                elif raw is not None:
                    values[variable.field] = variable.parse(raw)
                else:
                    values[variable.field] = None
            except ValueError as problem:
                problems.append(f"{variable.name} {problem}.")
        _complete(values, files, problems)
        if problems:
            raise SettingsError(problems)
        return cls(**values)


def _find(variable: Variable, environ: Mapping[str, str]) -> tuple[str | None, Path | None]:
    """The text of a variable and, when it came from one, its file. An empty variable counts as not given."""
    raw = environ.get(variable.name, "").strip()
    named = environ.get(f"{variable.name}_FILE", "").strip() if variable.secret else ""
    if raw and named:
        raise ValueError(f"is given twice, as {variable.name} and as {variable.name}_FILE")
    if not named:
        return raw or variable.default, None
    file = Path(named).absolute()
    try:
        text = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot be read from the file {file}: {getattr(error, 'strerror', None) or error}") from None
    if not text:
        raise ValueError(f"is empty in the file {file}")
    return text, file


def _complete(values: dict[str, Any], files: dict[str, Path], problems: list[str]) -> None:
    """What depends on more than one variable."""
    listen: Listen | None = values.get("listen")
    if values.get("insecure_cookies") and listen and not listen.is_loopback:
        problems.append(
            "DASHBOARD_INSECURE_COOKIES is accepted only while DASHBOARD_LISTEN is a loopback address, "
            f"and {listen} is not one."
        )
    if listen and values.get("trusted_hosts", ()) is None:
        values["trusted_hosts"] = tuple(dict.fromkeys((listen.host, "127.0.0.1", "localhost")))
    if values.get("data_dir") and values.get("database_url", "") is None:
        file_name = str(values["data_dir"] / "dashboard.db")
        values["database_url"] = URL.create("sqlite", database=file_name).render_as_string()
    if values.get("api_secret"):
        file = files.get("api_secret")
        values["api_secret"] = ApiSecret(file=file) if file else ApiSecret(literal=values["api_secret"])


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable. `shown` is the README's word for a default that is not a fixed text."""

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
        "how often a live link is asked for at least",
        parse.number(0.1, 3600),
        default="15",
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
)


def markdown_table() -> str:
    """The README's table."""
    rows = [f"| `{each.name}` | {each.doc} | {each.default_cell} |" for each in VARIABLES]
    return "\n".join(["| variable | meaning | default |", "| --- | --- | --- |", *rows]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown_table())
