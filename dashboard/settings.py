"""The settings: one frozen record, read from a mapping of environment variables and checked all at once.

`dashboard.setting_table` is the one list of them. Secrets never stand in a repr.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import URL

from dashboard.setting_parsers import Listen
from dashboard.setting_table import VARIABLES, Variable


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
    log_format: str
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
    young_minutes: float
    old_poll_seconds: float
    watched_poll_seconds: float
    watched_for_seconds: float
    calls_per_second: float
    calls_in_flight: int
    person_searches: int

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
