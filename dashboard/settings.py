"""The settings: each is declared once, with its variable, parser, help and default, as a field of `Settings`.

`python -m dashboard.settings` prints the table of docs/settings.md. Secrets never stand in a repr or in a problem.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import URL

from dashboard import setting_parsers as parse
from dashboard.setting_parsers import Listen
from dashboard.setting_variables import ApiSecret, Variable, read, setting


class SettingsError(Exception):
    """The settings are missing or malformed; `problems` has one sentence for each, none with a secret in it."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting. A field that `Schedule` or `ServiceConfig` has as well carries its name there."""

    service_url: str = setting("DASHBOARD_SERVICE_URL", parse.url, "base URL of the service", required=True)
    service_prefix: str = setting(
        "DASHBOARD_SERVICE_PREFIX",
        parse.prefix,
        "path prefix of the endpoints (production's is not documented)",
        default="/api/v1/staging",
    )
    api_secret: ApiSecret = setting(
        "DASHBOARD_API_SECRET",
        ApiSecret.parse,
        "organization API secret; its file is read again when it changes",
        required=True,
        secret=True,
    )
    secret_key: str = setting(
        "DASHBOARD_SECRET_KEY",
        parse.secret_key,
        "signs sessions and forms, at least 32 random characters",
        required=True,
        secret=True,
    )
    database_url: str = setting(
        "DASHBOARD_DATABASE_URL",
        parse.database_url,
        "SQLAlchemy URL, SQLite or PostgreSQL",
        shown_default="a SQLite file in the data folder",
        secret=True,
    )
    database_connections: int = setting(
        "DASHBOARD_DATABASE_CONNECTIONS",
        parse.whole(8, 500),
        "most connections of a process to the database; PostgreSQL's `max_connections` must hold those of all",
        default="80",
    )
    data_dir: Path = setting(
        "DASHBOARD_DATA_DIR",
        parse.folder,
        "where the embedded default keeps its files; printed as an absolute path at start",
        default="var",
    )
    listen: Listen = setting("DASHBOARD_LISTEN", parse.listen, "host:port", default="127.0.0.1:8000")
    timezone: ZoneInfo = setting("DASHBOARD_TIMEZONE", parse.timezone, "how moments are shown", default="Asia/Kolkata")
    currency: str = setting(
        "DASHBOARD_CURRENCY", parse.currency, "how amounts are shown (the service does not state it)", default="INR"
    )
    payment_page_base: str | None = setting(
        "DASHBOARD_PAYMENT_PAGE_BASE",
        parse.url,
        "when set, payment URLs elsewhere are shown as suspect and not copyable",
    )
    support_email: str | None = setting(
        "DASHBOARD_SUPPORT_EMAIL",
        parse.email,
        "e-mail address of the service's support; when set, *Email support* stands beside *Copy details for support*",
    )
    insecure_cookies: bool = setting(
        "DASHBOARD_INSECURE_COOKIES",
        parse.flag,
        "`1` drops the `__Host-` prefix and `Secure` from cookies and nothing else; refused unless listening on "
        "loopback; `make run` sets it",
        default="0",
    )
    trusted_hosts: tuple[str, ...] = setting(
        "DASHBOARD_TRUSTED_HOSTS",
        parse.hosts,
        "hosts that the dashboard answers to, separated by commas",
        shown_default="the listen host, `127.0.0.1`, `localhost`",
    )
    metrics_token: str | None = setting(
        "DASHBOARD_METRICS_TOKEN",
        parse.metrics_token,
        "bearer token for `/metrics`, at least 16 random characters; without one, administrators only",
        secret=True,
    )
    proxy_count: int = setting(
        "DASHBOARD_PROXY_COUNT",
        parse.whole(0, 5),
        "how many reverse proxies stand in front and set `X-Forwarded-*`; none are believed unless set",
        default="0",
    )
    threads: int = setting(
        "DASHBOARD_THREADS", parse.whole(4, 256), "requests answered at once by a process", default="64"
    )
    max_request_kb: int = setting(
        "DASHBOARD_MAX_REQUEST_KB",
        parse.whole(64, 65536),
        "the largest request that is read, in kilobytes",
        default="512",
    )
    log_level: str = setting(
        "DASHBOARD_LOG_LEVEL", parse.level, "`DEBUG`, `INFO`, `WARNING` or `ERROR`", default="INFO"
    )
    log_format: str = setting(
        "DASHBOARD_LOG_FORMAT",
        parse.log_format,
        "`json`, one object a line, or `text`, lines for people; `make run` sets it to the latter",
        default="json",
    )
    session_idle: timedelta = setting(
        "DASHBOARD_SESSION_IDLE_MINUTES",
        parse.minutes(1, 1440),
        "an unused session ends after so many minutes; polls are not use",
        default="30",
    )
    session_lifetime: timedelta = setting(
        "DASHBOARD_SESSION_HOURS",
        parse.hours(0.1, 168),
        "every session ends after so many hours",
        default="12",
    )
    connect_timeout: timedelta = setting(
        "DASHBOARD_CONNECT_SECONDS",
        parse.seconds(0.05, 20),
        "how long to wait for a connection to the service",
        default="3",
    )
    create_deadline: timedelta = setting(
        "DASHBOARD_CREATE_SECONDS", parse.seconds(0.1, 300), "deadline of creating a link, in seconds", default="30"
    )
    search_deadline: timedelta = setting(
        "DASHBOARD_SEARCH_SECONDS", parse.seconds(0.1, 300), "deadline of a search, in seconds", default="20"
    )
    refresh_deadline: timedelta = setting(
        "DASHBOARD_REFRESH_SECONDS",
        parse.seconds(0.1, 300),
        "deadline of a search that asks the source again, in seconds",
        default="45",
    )
    status_deadline: timedelta = setting(
        "DASHBOARD_STATUS_SECONDS",
        parse.seconds(0.1, 300),
        "deadline of a status call or a lookup, in seconds",
        default="10",
    )
    commit_window: timedelta = setting(
        "DASHBOARD_COMMIT_WINDOW_SECONDS",
        parse.seconds(0.1, 3600),
        "how long after a send whose answer was lost the service may still create the link",
        default="120",
        formerly="DASHBOARD_SETTLE_SECONDS",
    )
    resolve_gap: timedelta = setting(
        "DASHBOARD_RESOLVE_GAP_SECONDS",
        parse.seconds(0.1, 3600),
        "least time between the two searches that conclude that no link was created",
        default="30",
        formerly="DASHBOARD_GAP_SECONDS",
    )
    snapshot_age: timedelta = setting(
        "DASHBOARD_SNAPSHOT_MINUTES",
        parse.minutes(0.01, 1440),
        "how old a list of challans may be when a link is created from it",
        default="15",
    )
    poll: timedelta = setting(
        "DASHBOARD_POLL_SECONDS", parse.seconds(0.1, 3600), "polling interval of a young link", default="15"
    )
    young_for: timedelta = setting(
        "DASHBOARD_YOUNG_MINUTES",
        parse.minutes(0, 1440),
        "how long a link counts as young; later its polling interval is a sixtieth of its age, at least a minute",
        default="30",
    )
    old_poll: timedelta = setting(
        "DASHBOARD_OLD_POLL_SECONDS",
        parse.seconds(1, 86400),
        "the longest polling interval of a live link before its expiry",
        default="300",
    )
    watched_poll: timedelta = setting(
        "DASHBOARD_WATCHED_POLL_SECONDS",
        parse.seconds(0.1, 3600),
        "polling interval of a link while somebody watches it",
        default="3",
    )
    watched_for: timedelta = setting(
        "DASHBOARD_WATCHED_FOR_SECONDS",
        parse.seconds(0.1, 3600),
        "how long after its page was last requested a link counts as watched",
        default="30",
    )
    calls_per_second: float = setting(
        "DASHBOARD_CALLS_PER_SECOND",
        parse.number(0.1, 1000),
        "how many polls of links all workers together begin in a second",
        default="20",
    )
    calls_in_flight: int = setting(
        "DASHBOARD_CALLS_IN_FLIGHT",
        parse.whole(1, 256),
        "how many polls of links all workers together have in flight",
        default="16",
    )
    fleet_calls_per_second: float = setting(
        "DASHBOARD_FLEET_CALLS_PER_SECOND",
        parse.number(0.1, 1000),
        "how many searches of bulk work all workers together begin in a second",
        default="50",
    )
    fleet_searches_in_flight: int = setting(
        "DASHBOARD_FLEET_SEARCHES_IN_FLIGHT",
        parse.whole(1, 100),
        "how many searches of bulk work all workers together have in flight",
        default="10",
    )
    fleet_creations_in_flight: int = setting(
        "DASHBOARD_FLEET_CREATIONS_IN_FLIGHT",
        parse.whole(1, 32),
        "how many creations of bulk work all workers together have in flight",
        default="4",
    )
    person_searches: int = setting(
        "DASHBOARD_PERSON_SEARCHES_PER_HOUR",
        parse.whole(1, 1_000_000),
        "how many searches one person may make in an hour, so that nobody spends the organization's day",
        default="600",
    )
    keep_left_drivers: timedelta = setting(
        "DASHBOARD_KEEP_LEFT_DRIVERS_DAYS",
        parse.days(1, 36500),
        "for so many days after a driver has left their name, phone, email and note are stored",
        default="365",
    )
    keep_sessions: timedelta = setting(
        "DASHBOARD_KEEP_SESSIONS_DAYS",
        parse.days(8, 36500),
        "for so many days after their last use sessions and invitations are stored, with address and browser",
        default="90",
    )
    keep_audit: timedelta = setting(
        "DASHBOARD_KEEP_AUDIT_DAYS",
        parse.days(30, 36500),
        "for so many days entries of the audit log are stored; eight years, as books of account in India",
        default="2920",
    )
    unattended_settlement_checks: bool = setting(
        "DASHBOARD_SETTLEMENT_CHECKS",
        parse.flag,
        "`1` searches the vehicles of paid links at the source by itself, up to six times in a week, until their "
        "challans are settled; otherwise only when a person asks",
        default="0",
    )

    local_sign_in: bool = setting(
        "DASHBOARD_LOCAL_SIGN_IN",
        parse.flag,
        "`0` takes no passwords: everybody signs in by the provider of `DASHBOARD_OIDC_ISSUER`",
        default="1",
    )
    oidc_issuer: str | None = setting(
        "DASHBOARD_OIDC_ISSUER",
        parse.url,
        "issuer of the OpenID Connect provider for single sign-on; its discovery document is below it",
    )
    oidc_client_id: str | None = setting("DASHBOARD_OIDC_CLIENT_ID", parse.plain_text, "our client id at the provider")
    oidc_client_secret: str | None = setting(
        "DASHBOARD_OIDC_CLIENT_SECRET", parse.header_value, "our client secret at the provider", secret=True
    )
    oidc_role_claim: str = setting(
        "DASHBOARD_OIDC_ROLE_CLAIM",
        parse.plain_text,
        "the claim of the ID token that states the role; a dot leads into it, as in `realm_access.roles`",
        default="roles",
    )
    oidc_roles: Mapping[str, str] | None = setting(
        "DASHBOARD_OIDC_ROLES",
        parse.roles,
        "what values of that claim stand for, such as `fleet-admins=admin,fleet-clerks=staff`",
        shown_default="the roles by their own names",
    )
    oidc_new_people: bool = setting(
        "DASHBOARD_OIDC_NEW_PEOPLE",
        parse.flag,
        "`1` adds a person on their first sign-in by the provider; otherwise only those sign in who were added before",
        default="0",
    )

    @property
    def staging(self) -> bool:
        """Links made through a staging prefix take no real money, and every page says so."""
        return "/staging" in self.service_prefix

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Settings:
        """Read every variable. Raises SettingsError with all the problems there are."""
        problems: list[str] = []
        values: dict[str, Any] = {}
        for name, variable in VARIABLES.items():
            try:
                values[name] = read(variable, environ)
            except ValueError as problem:
                problems.append(f"{variable.name} {problem}.")
            if variable.formerly and environ.get(variable.formerly, "").strip():
                problems.append(f"{variable.formerly} is now called {variable.name}: set that instead.")
        _complete(values, problems)
        if problems:
            raise SettingsError(problems)
        return cls(**values)


#: The variable of each field, in the order of the declarations.
VARIABLES: Mapping[str, Variable] = {each.name: each.metadata[Variable] for each in fields(Settings)}


def _complete(values: dict[str, Any], problems: list[str]) -> None:
    """Check and fill in what depends on more than one variable. A value with a problem of its own is absent."""
    listen: Listen | None = values.get("listen")
    if values.get("insecure_cookies") and listen and not listen.is_loopback:
        problems.append(
            "DASHBOARD_INSECURE_COOKIES is accepted only while DASHBOARD_LISTEN is a loopback address, "
            f"and {listen} is not one."
        )
    of_provider = {"oidc_issuer": "ISSUER", "oidc_client_id": "CLIENT_ID", "oidc_client_secret": "CLIENT_SECRET"}
    missing = [f"DASHBOARD_OIDC_{name}" for each, name in of_provider.items() if values.get(each, "") is None]
    if missing and any(values.get(each) for each in of_provider):
        problems.append(f"{' and '.join(missing)} must be given as well for single sign-on.")
    if values.get("local_sign_in") is False and len(missing) == len(of_provider):
        problems.append("DASHBOARD_LOCAL_SIGN_IN=0 needs DASHBOARD_OIDC_ISSUER: nobody could sign in.")
    if listen and values.get("trusted_hosts", ()) is None:
        values["trusted_hosts"] = tuple(dict.fromkeys((listen.host, "127.0.0.1", "localhost")))
    if values.get("data_dir") and values.get("database_url", "") is None:
        file_name = str(values["data_dir"] / "dashboard.db")
        values["database_url"] = URL.create("sqlite", database=file_name).render_as_string()


def markdown_table() -> str:
    """Render the table of docs/settings.md."""
    rows = [f"| `{each.name}` | {each.help} | {each.default_cell} |" for each in VARIABLES.values()]
    return "\n".join(["| variable | meaning | default |", "| --- | --- | --- |", *rows]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown_table())
