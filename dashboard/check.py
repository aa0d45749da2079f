"""The checks of `dashboard check`: configuration, database, API secret, services."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from dashboard.app import create_client
from dashboard.errors import NotFound, SecretRejected, ServiceError, ServiceGroup, ServiceNotEnabled
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.migrate import UnknownRevision, is_current, migrate
from dashboard.upstream import ServiceClient


@dataclass(frozen=True, slots=True)
class CheckResult:
    ok: bool
    subject: str
    words: str


def run_checks(settings: Settings) -> Iterator[CheckResult]:
    """Run every check. The service is called, at the cost of no allowance."""
    yield CheckResult(True, "Configuration", "complete and well formed")
    yield _database(settings)
    client = create_client(settings)
    try:
        yield from _service(client)
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
    return CheckResult(ok, "Database", "reachable and migrated" if ok else "is not migrated")


def _service(client: ServiceClient) -> Iterator[CheckResult]:
    # The status of a link that nobody has is a 404, unless the key is refused.
    link = _error_of(lambda: client.get_payment_link(str(uuid4())))
    if isinstance(link, SecretRejected):
        yield CheckResult(False, "API secret", "the service refused it")
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
