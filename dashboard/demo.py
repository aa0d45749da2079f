"""Run the local replica and the dashboard together, with demo people and a believable fleet (`make run`).

The demo has a folder of its own and uses nothing of a real configuration: its people have a password that is printed,
and must never enter a real database.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path

import click

from dashboard import ports
from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.accounts.passwords import DEMO_PASSWORD, Passwords
from dashboard.services.accounts.people import People
from dashboard.services.steady_clock import utcnow
from dashboard.setting_parsers import Listen
from dashboard.setting_parsers import listen as parse_listen
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.migrate import UnknownRevision, migrate

PASSWORD = DEMO_PASSWORD  # Printed, and accepted nowhere but in the demo's own database.
PEOPLE = (
    ("asha@example.com", "Asha Rao", Role.STAFF),
    ("meera@example.com", "Meera Iyer", Role.MANAGER),
    ("admin@example.com", "Admin Desk", Role.ADMIN),
)
_STARTS_WITHIN_SECONDS = 90
_STOPS_WITHIN_SECONDS = 70
#: Settings that the demo sets itself; it ignores their values in the environment.
_OWN = ("SERVICE_URL", "SERVICE_PREFIX", "API_SECRET", "SECRET_KEY", "DATABASE_URL", "DATA_DIR", "PAYMENT_PAGE_BASE")


class DemoCannotStart(Exception):
    """Raised when the demo cannot start; `str()` is a sentence that says what to do."""


class Demo:
    def __init__(self, environ: Mapping[str, str]) -> None:
        self.folder = (Path(environ.get("DASHBOARD_DATA_DIR") or "var") / "demo").absolute()
        self.replica_listen = _replica_listen(environ)
        self.environ = self._prepare(environ)
        self.settings = Settings.from_environ(self.environ)
        self._children: list[subprocess.Popen[bytes]] = []
        self._stop = threading.Event()

    @property
    def address(self) -> str:
        return f"http://{self.settings.listen}"

    def _prepare(self, environ: Mapping[str, str]) -> dict[str, str]:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        own = {f"DASHBOARD_{name}{suffix}" for name in _OWN for suffix in ("", "_FILE")}
        inherited = {name: value for name, value in environ.items() if name not in own}
        replica = f"http://{self.replica_listen}"
        api_secret = _demo_secret(self.folder / "api-secret")
        return {
            "DASHBOARD_LOG_LEVEL": "WARNING",
            "DASHBOARD_LOG_FORMAT": "text",
            "DASHBOARD_SUPPORT_EMAIL": "support@service.example",
            "REPLICA_SOURCE_FAILURES": "0.05",
            **inherited,
            "DASHBOARD_DATA_DIR": str(self.folder),
            "DASHBOARD_SERVICE_URL": replica,
            "DASHBOARD_PAYMENT_PAGE_BASE": replica,
            "DASHBOARD_API_SECRET_FILE": str(api_secret),
            "DASHBOARD_SECRET_KEY_FILE": str(_demo_secret(self.folder / "secret-key")),
            "DASHBOARD_INSECURE_COOKIES": "1",
            "REPLICA_DATABASE": str(self.folder / "replica.sqlite3"),
            "REPLICA_SEED": "demo",
            "REPLICA_API_SECRET": api_secret.read_text(encoding="ascii"),
        }

    def run(self) -> int:
        """Run until a signal comes; return the exit status. Raises DemoCannotStart when a part ends by itself."""
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, self._on_signal)
        try:
            self._require_free(self.settings.listen, "DASHBOARD_LISTEN")
            self._require_free(self.replica_listen, "REPLICA_LISTEN")
            click.echo(f"Data: {self.folder}")
            self._add_people()
            self._start("replica", "--listen", str(self.replica_listen))
            self._start("serve", "--quiet")
            if self._wait_for(f"http://{self.replica_listen}/") and self._wait_for(f"{self.address}/readyz"):
                click.echo(self._welcome())
            while not self._stop.wait(0.25):
                if any(child.poll() is not None for child in self._children):
                    raise DemoCannotStart("A part of the demo has ended by itself; its own words stand above.")
            return 0
        finally:
            self._end_children()

    def _on_signal(self, _number: int, _frame: object) -> None:
        if self._stop.is_set():  # The second signal does not wait.
            self._signal_children(signal.SIGKILL)
        self._stop.set()

    @staticmethod
    def _require_free(listen: Listen, variable: str) -> None:
        if problem := ports.why_not(listen):
            raise DemoCannotStart(
                f"{problem} End what uses it (the demo may run already), or name another: "
                f"{variable}={listen.host}:{listen.port + 10} make run"
            )

    def _add_people(self) -> None:
        store = Store(self.settings.database_url)
        try:
            try:
                migrate(store)
            except UnknownRevision as unknown:
                raise DemoCannotStart(str(unknown)) from None
            people = People(store, utcnow, Passwords(), idle=timedelta(hours=1), longest=timedelta(hours=1))
            for email, name, role in PEOPLE:
                if people.find(email) is None:
                    people.add(email=email, name=name, role=role, password=PASSWORD, origin=COMMAND_LINE, demo=True)
        finally:
            store.close()

    def _start(self, *arguments: str) -> None:
        # In a session of its own: Ctrl-C reaches this process alone, which then stops the parts in order.
        child = subprocess.Popen(  # noqa: S603 - our own command.
            [sys.executable, "-m", "dashboard", *arguments],
            env=self.environ,
            start_new_session=True,
            preexec_fn=_end_with_parent(),  # noqa: PLW1509 - no thread has been started yet.
        )
        self._children.append(child)

    def _wait_for(self, address: str) -> bool:
        """Wait until an address answers; return False when a signal came first."""
        for _ in range(_STARTS_WITHIN_SECONDS * 10):
            if self._stop.is_set():
                return False
            if any(child.poll() is not None for child in self._children):
                raise DemoCannotStart("A part of the demo could not start; its own words stand above.")
            with contextlib.suppress(OSError, urllib.error.URLError), urllib.request.urlopen(address, timeout=5):  # noqa: S310 - our own address.
                return True
            self._stop.wait(0.1)
        raise DemoCannotStart(f"{address} did not answer within {_STARTS_WITHIN_SECONDS} seconds.")

    def _end_children(self) -> None:
        """Stop the dashboard first: it may still call the replica."""
        for child in reversed(self._children):
            if child.poll() is None:
                child.terminate()
                try:
                    child.wait(_STOPS_WITHIN_SECONDS)
                except subprocess.TimeoutExpired:
                    self._signal_children(signal.SIGKILL)
                    child.wait()

    def _signal_children(self, number: signal.Signals) -> None:
        for child in self._children:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, number)

    def _welcome(self) -> str:
        people = "\n".join(f"    {email:<20} {role}" for email, _name, role in PEOPLE)
        return f"""
  Challan Dashboard   {self.address}
  Local replica       http://{self.replica_listen}  (stands in for the service; pay links there)

  Sign in with the password {PASSWORD}
{people}

  Try: search MH12 AB 1001, tick challans, create a payment link, open its payment page and pay;
  KA05 MN 4321 is new to the organization; {self.address}/links/… follows a link until it is paid.

  Stop with Ctrl-C; the next start finds everything as it is now.
"""


def _replica_listen(environ: Mapping[str, str]) -> Listen:
    try:
        return parse_listen(environ.get("REPLICA_LISTEN", "").strip() or "127.0.0.1:8001")
    except ValueError as problem:
        raise DemoCannotStart(f"REPLICA_LISTEN {problem}.") from None


def _demo_secret(file: Path) -> Path:
    """Return the file of a secret that the first start creates, readable by its owner alone."""
    if not file.exists():
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(secrets.token_urlsafe(32))
    return file


def _end_with_parent() -> Callable[[], None] | None:
    """Return a hook with which the Linux kernel ends a child when this process is killed; None on other systems."""
    if not sys.platform.startswith("linux"):
        return None
    set_signal = ctypes.CDLL(None).prctl
    return lambda: set_signal(1, signal.SIGTERM)
