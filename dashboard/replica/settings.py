"""Read the replica's settings from environment variables into one frozen record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SEEDS = ("demo", "empty", "none")
DEMO_SECRET = "replica-testing-secret-0001"  # noqa: S105 - a dummy credential, as clearly fake as it looks
SECOND_SECRET = "replica-testing-secret-0002"  # noqa: S105 - of the replica alone.
TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


class InvalidReplicaSettings(ValueError):
    """Raised when the variables are invalid; the message lists every problem."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class ReplicaSettings:
    database: Path = Path("var/replica.sqlite3")
    seed: str = "demo"
    api_secret: str = field(default=DEMO_SECRET, repr=False)
    second_api_secret: str = field(default=SECOND_SECRET, repr=False)
    # Without this base, payment URLs use the host of the request.
    payment_page_base: str | None = None
    link_allowance: int = 500
    search_allowance: int = 5000
    bad_tokens_per_minute: int = 10
    levers: bool = False
    lever_token: str | None = field(default=None, repr=False)
    latency_seconds: float = 0.0
    # The share of searches at the source that fail by themselves with 502.
    source_failures: float = 0.0
    # Seconds after a payment until the source has its challans as paid.
    paid_lag_seconds: float = 0.0

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> ReplicaSettings:
        reader = _Reader(environ)
        settings = cls(
            database=Path(reader.text("DATABASE") or cls.database),
            seed=reader.choice("SEED", SEEDS, cls.seed),
            api_secret=reader.text("API_SECRET") or DEMO_SECRET,
            second_api_secret=reader.text("SECOND_API_SECRET") or SECOND_SECRET,
            payment_page_base=reader.address("PAYMENT_PAGE_BASE"),
            link_allowance=reader.whole("LINK_ALLOWANCE", cls.link_allowance),
            search_allowance=reader.whole("SEARCH_ALLOWANCE", cls.search_allowance),
            bad_tokens_per_minute=reader.whole("BAD_TOKENS_PER_MINUTE", cls.bad_tokens_per_minute),
            levers=reader.switch("LEVERS", cls.levers),
            lever_token=reader.text("LEVER_TOKEN"),
            latency_seconds=reader.seconds("LATENCY_SECONDS", cls.latency_seconds),
            source_failures=reader.share("SOURCE_FAILURES", cls.source_failures),
            paid_lag_seconds=reader.seconds("PAID_LAG_SECONDS", cls.paid_lag_seconds),
        )
        if settings.api_secret == settings.second_api_secret:
            reader.problems.append("REPLICA_API_SECRET and REPLICA_SECOND_API_SECRET must differ")
        if reader.problems:
            raise InvalidReplicaSettings(reader.problems)
        return settings


class _Reader:
    """Read variables and collect the problems, so that one start reports them all."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.problems: list[str] = []

    def text(self, name: str) -> str | None:
        # An empty variable counts as not given: that is how shells and compose files unset one.
        return self.environ.get(f"REPLICA_{name}", "").strip() or None

    def choice(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.text(name) or default
        if value not in allowed:
            self.problems.append(f"REPLICA_{name} must be one of {', '.join(allowed)}")
        return value

    def whole(self, name: str, default: int) -> int:
        value = self.text(name)
        if value is None:
            return default
        if not value.isascii() or not value.isdigit():
            self.problems.append(f"REPLICA_{name} must be a whole number")
            return default
        return int(value)

    def seconds(self, name: str, default: float) -> float:
        value = self.text(name)
        if value is None:
            return default
        try:
            seconds = float(value)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= 86400:
            self.problems.append(f"REPLICA_{name} must be a number of seconds from 0 to 86400")
            return default
        return seconds

    def share(self, name: str, default: float) -> float:
        value = self.text(name)
        if value is None:
            return default
        try:
            share = float(value)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            self.problems.append(f"REPLICA_{name} must be a share from 0 to 1")
            return default
        return share

    def switch(self, name: str, default: bool) -> bool:
        value = (self.text(name) or "").lower()
        if not value:
            return default
        if value not in TRUE_WORDS | FALSE_WORDS:
            self.problems.append(f"REPLICA_{name} must be 1 or 0")
        return value in TRUE_WORDS

    def address(self, name: str) -> str | None:
        value = self.text(name)
        if value is None:
            return None
        if not value.startswith(("http://", "https://")):
            self.problems.append(f"REPLICA_{name} must be an http or https address")
        return value.rstrip("/")
