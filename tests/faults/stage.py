"""Set up the scenes: a dashboard's settings, the vehicle, and time limits."""

from __future__ import annotations

from pathlib import Path

from dashboard.failpoints import Point
from tests.conftest import CANARY, SECRET_KEY
from tests.support.killable_processes import AppFactory, Host
from tests.support.levers import Levers

RC = "MH12AB1001"

#: After these the service has received the whole of a creation.
RECEIVED = frozenset(Point) - {
    Point.PREPARE_INSIDE,
    Point.PREPARE_DONE,
    Point.GUARD_SEARCHED,
    Point.CONNECT_DONE,
    Point.MARK_INSIDE,
    Point.MARK_DONE,
    Point.SEND_HALF,
}


def app_factory(
    levers: Levers,
    url: str,
    folder: Path,
    *,
    create_seconds: str = "5",
    secret_file: Path | None = None,
    host: Host | None = None,
) -> AppFactory:
    """Return a factory of dashboards whose sessions outlive the virtual time of a test. The secret is the tests' own,
    or read from `secret_file`.
    """
    secret = (
        {"DASHBOARD_API_SECRET": CANARY} if secret_file is None else {"DASHBOARD_API_SECRET_FILE": str(secret_file)}
    )
    return AppFactory(
        {
            "DASHBOARD_SERVICE_URL": levers.base_url,
            **secret,
            "DASHBOARD_SECRET_KEY": SECRET_KEY,
            "DASHBOARD_DATA_DIR": str(folder),
            "DASHBOARD_DATABASE_URL": url,
            "DASHBOARD_INSECURE_COOKIES": "1",
            "DASHBOARD_CREATE_SECONDS": create_seconds,
            "DASHBOARD_SESSION_IDLE_MINUTES": "1440",
            "DASHBOARD_SESSION_HOURS": "168",
        },
        host=host,
    )
