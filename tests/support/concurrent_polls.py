"""Poll a link in another thread while a test polls it too."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from dashboard.services.links.polling import LinkPoller
from tests.support.levers import Levers


@contextmanager
def poll_in_flight(link_poller: LinkPoller, levers: Levers, link_id: str) -> Iterator[Future[bool]]:
    """Poll a link in another thread; the call takes three seconds and is in flight when the block starts."""
    levers.forget_calls()
    levers.fault("link_status", "delay", seconds=3)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(link_poller.refresh, link_id)
        until = time.monotonic() + 30
        while not levers.count("link_status"):
            assert time.monotonic() < until, "the poll never began"
            threading.Event().wait(0.01)
        yield other
        assert other.result(30)
