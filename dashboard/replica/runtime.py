"""Hold the state of one running replica, and find it from a request."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime

from flask import current_app, request

from dashboard.replica import clock, switches
from dashboard.replica.settings import ReplicaSettings
from dashboard.replica.state import State


@dataclass(frozen=True)
class Replica:
    settings: ReplicaSettings
    state: State
    # It is set when the server stops, so that delays and slow answers end at once.
    stopping: threading.Event = field(default_factory=threading.Event)

    def now(self) -> datetime:
        with self.state.reading() as connection:
            return clock.now(connection)

    def paid_lag(self) -> float:
        with self.state.reading() as connection:
            lag = switches.read(connection).paid_lag_seconds
        return self.settings.paid_lag_seconds if lag is None else lag

    def page_base(self) -> str:
        return self.settings.payment_page_base or request.host_url.rstrip("/")


def current() -> Replica:
    replica = current_app.extensions["replica"]
    assert isinstance(replica, Replica)
    return replica
