"""`dashboard check`: is everything there that the dashboard needs? One line for each question."""

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
class Finding:
    ok: bool
    subject: str
    words: str


def findings(settings: Settings) -> Iterator[Finding]:
    yield Finding(True, "Configuration", "complete and well formed")
    yield _database(settings)
    client = create_client(settings)
    try:
        yield from _service(client)
    finally:
        client.close()


def _database(settings: Settings) -> Finding:
    store = Store(settings.database_url)
    try:
        migrate(store)
        store.ping()
        ok = is_current(store)
    except UnknownRevision as unknown:
        return Finding(False, "Database", str(unknown))
    except (SQLAlchemyError, OSError) as error:
        # The message of a driver may hold the address with its password.
        return Finding(False, "Database", f"cannot be reached ({type(error).__name__})")
    finally:
        store.close()
    return Finding(ok, "Database", "reachable and migrated" if ok else "is not migrated")


def _service(client: ServiceClient) -> Iterator[Finding]:
    # A status call spends no allowance and a link that nobody has answers 404, so it tells about the key first.
    link = _ask(lambda: client.get_payment_link(str(uuid4())))
    if isinstance(link, SecretRejected):
        yield Finding(False, "API secret", "the service refused it")
        return
    answered = link is None or (link.status is not None and link.status < 500)
    yield Finding(answered, "API secret", "accepted" if answered else f"not known: {link}")
    yield _enabled(ServiceGroup.PAYMENT_LINK_GENERATION, None if isinstance(link, NotFound) else link)
    yield _enabled(ServiceGroup.CHALLAN_SEARCH, _ask(client.list_locations))


def _enabled(group: ServiceGroup, error: ServiceError | None) -> Finding:
    if error is None:
        return Finding(True, group, "enabled")
    if isinstance(error, ServiceNotEnabled):
        return Finding(False, group, "is not enabled for the organization")
    return Finding(False, group, f"not known: {error}")


def _ask(call: Callable[[], object]) -> ServiceError | None:
    try:
        call()
    except ServiceError as error:
        return error
    return None
