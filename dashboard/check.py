"""The checks of `dashboard check`: configuration, database, API secret, services."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from dashboard.app import create_client
from dashboard.background.sqlite_for_jobs import SQLiteTooOld, require_sqlite
from dashboard.errors import AllowanceSpent, NotFound, SecretRejected, ServiceError, ServiceGroup, ServiceNotEnabled
from dashboard.services.operations.clocks import SERVICE_TOLERANCE
from dashboard.services.steady_clock import TOLERANCE, SteadyClock, database_clock
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.migrate import UnknownRevision, is_current, migrate
from dashboard.store.private_files import open_to_others
from dashboard.upstream import ServiceClient


@dataclass(frozen=True, slots=True)
class CheckResult:
    ok: bool
    subject: str
    words: str


def run_checks(settings: Settings) -> Iterator[CheckResult]:
    """Run every check. The service is called, at the cost of no allowance."""
    yield CheckResult(True, "Configuration", "complete and well formed")
    database = _database(settings)
    yield database
    yield _files(settings)
    client = create_client(settings)
    try:
        yield from _service(client)
        if database.ok:
            yield from _clocks(settings, client)
    finally:
        client.close()


def _database(settings: Settings) -> CheckResult:
    store = Store(settings.database_url)
    try:
        migrate(store)
        store.ping()
        ok = is_current(store)
    except UnknownRevision as unknown:
        return CheckResult(False, "Database", str(unknown))
    except (SQLAlchemyError, OSError) as error:
        # The message of a driver may hold the address with its password.
        return CheckResult(False, "Database", f"cannot be reached ({type(error).__name__})")
    finally:
        store.close()
    if store.is_sqlite:
        try:
            require_sqlite(sys.version_info[:3], sqlite3.sqlite_version_info)
        except SQLiteTooOld as too_old:
            return CheckResult(False, "Database", str(too_old))
    return CheckResult(ok, "Database", "reachable and migrated" if ok else "is not migrated")


def _files(settings: Settings) -> CheckResult:
    store = Store(settings.database_url)
    try:
        found = open_to_others(store, settings.data_dir)
    except OSError as error:
        return CheckResult(False, "Files", f"cannot be looked at ({type(error).__name__})")
    finally:
        store.close()
    if found:
        names = ", ".join(str(path) for path in found)
        return CheckResult(
            False, "Files", f"other accounts of this machine may open {names}; the next start closes them"
        )
    return CheckResult(True, "Files", "for this account alone")


def _clocks(settings: Settings, client: ServiceClient) -> Iterator[CheckResult]:
    """Compare the clocks of this host, the database and the service (A8)."""
    store = Store(settings.database_url)
    clock = SteadyClock(database_clock(store))
    try:
        ahead = clock.compare()
    except SQLAlchemyError:
        ahead = None
    finally:
        store.close()
    if ahead is None:
        yield CheckResult(False, "Clock of the database", "could not be read")
    else:
        yield _clock("database", ahead, TOLERANCE)
    told = client.service_time()
    if told is not None:
        moment, ago = told
        yield _clock("service", moment + timedelta(seconds=0.5 + ago) - clock(), SERVICE_TOLERANCE)


def _clock(whose: str, ahead: timedelta, tolerance: timedelta) -> CheckResult:
    subject = f"Clock of the {whose}"
    if abs(ahead) <= tolerance:
        return CheckResult(True, subject, f"agrees with this host's within {tolerance.total_seconds():.0f} s")
    side = "ahead of" if ahead > timedelta() else "behind"
    return CheckResult(False, subject, f"is {abs(ahead.total_seconds()):,.0f} s {side} this host's: synchronize them")


def _service(client: ServiceClient) -> Iterator[CheckResult]:
    # The status of a link that nobody has is a 404, unless the key is refused.
    link = _error_of(lambda: client.get_payment_link(str(uuid4())))
    if isinstance(link, SecretRejected):
        yield CheckResult(False, "API secret", "the service refused it")
        return
    if isinstance(link, AllowanceSpent):
        yield CheckResult(False, "API secret", "the service throttles it (429), and may have refused it")
        return
    answered = link is None or (link.status is not None and link.status < 500)
    yield CheckResult(answered, "API secret", "accepted" if answered else f"not known: {link}")
    yield _enabled(ServiceGroup.PAYMENT_LINK_GENERATION, None if isinstance(link, NotFound) else link)
    yield _enabled(ServiceGroup.CHALLAN_SEARCH, _error_of(client.list_locations))


def _enabled(group: ServiceGroup, error: ServiceError | None) -> CheckResult:
    if error is None:
        return CheckResult(True, group, "enabled")
    if isinstance(error, ServiceNotEnabled):
        return CheckResult(False, group, "is not enabled for the organization")
    return CheckResult(False, group, f"not known: {error}")


def _error_of(call: Callable[[], object]) -> ServiceError | None:
    try:
        call()
    except ServiceError as error:
        return error
    return None
