"""Poll a link in another thread while a test polls it too."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from dashboard.services.links.polling import LinkPoller
from tests.support.levers import Levers
from tests.support.waiting import until


@contextmanager
def poll_in_flight(link_poller: LinkPoller, levers: Levers, link_id: str) -> Iterator[Future[bool]]:
    """Poll a link in another thread; the call takes three seconds and is in flight when the block starts."""
    levers.forget_calls()
    levers.fault("link_status", "delay", seconds=3)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(link_poller.refresh, link_id)
        until(lambda: levers.count("link_status"), "the poll never began")
        yield other
        assert other.result(30)
