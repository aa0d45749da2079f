"""Somebody else who asks the service for the same link at the same moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from dashboard.services.links.polling import LinkPoller
from tests.support.levers import Levers


@contextmanager
def asking(link_poller: LinkPoller, levers: Levers, link_id: str) -> Iterator[Future[bool]]:
    """The call is under way when this begins, takes three seconds of the service, and has ended afterwards."""
    levers.forget_calls()
    levers.fault("link_status", "delay", seconds=3)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(link_poller.refresh, link_id)
        until = time.monotonic() + 30
        while not levers.count("link_status"):
            assert time.monotonic() < until, "nobody asks"
            threading.Event().wait(0.01)
        yield other
        assert other.result(30)
