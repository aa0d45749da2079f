"""Simulate tabs that watch links, in a process of their own: persistent connections, polling at the answers' interval.

    python -m tests.bench.pollers ORDER     with a JSON object; prints another.

Each tab sends the fingerprint of its panel, and polls again after the interval of the last answer, as the page does.
With `pace` 0 a few connections poll without waiting.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any

from tests.bench.tables import share

_ADDRESS = re.compile(rb'hx-get="([^"]+)"')
_EVERY = re.compile(rb'hx-trigger="every ([0-9.]+)s"')


class Tab:
    def __init__(self, port: int, address: str, cookie: str, pace: float | None) -> None:
        self._port = port
        self.address = address
        self._head = f" HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHX-Request: true\r\n" + (
            f"Cookie: {cookie}\r\n\r\n" if cookie else "\r\n"
        )
        self._own_pace = pace
        self.pace = 3.0 if pace is None else pace
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self.connections = 0
        self.spans: list[float] = []
        self.statuses: list[int] = []

    async def stay(self, begin: float, end: float, first: float) -> None:
        """Poll until the end, for the first time after `first` seconds; polls count from `begin` on."""
        await asyncio.sleep(first)
        while (now := time.monotonic()) < end:
            try:
                status = await self._ask()
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()  # The server closed the idle connection: like a browser, try again over a new one.
                status = await self._ask()
            if now >= begin:
                self.spans.append(time.monotonic() - now)
                self.statuses.append(status)
            if self.pace:
                await asyncio.sleep(min(self.pace, max(0.0, end - time.monotonic())))
        self.close()

    async def _ask(self) -> int:
        if self._reader is None or self._writer is None or self._reader.at_eof():
            self.close()
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
            self.connections += 1
        self._writer.write(f"GET {self.address}{self._head}".encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        status, length, trigger = int(head[9:12]), 0, b""
        closes = False
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            match name.lower():
                case b"content-length":
                    length = int(value)
                case b"hx-trigger":
                    trigger = value
                case b"connection":
                    closes = value.strip().lower() == b"close"
        body = await self._reader.readexactly(length) if length else b""
        if closes:
            self.close()
        self._apply(status, trigger, body)
        return status

    def _apply(self, status: int, trigger: bytes, body: bytes) -> None:
        if status == 200 and (found := _ADDRESS.search(body)):
            self.address = unescape(found[1].decode())
        if self._own_pace is not None:
            return
        if status == 200 and (every := _EVERY.search(body)):
            self.pace = float(every[1])
        elif status == 204 and trigger:
            self.pace = float(json.loads(trigger)["checked"].get("poll_seconds") or self.pace)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


async def _watch(order: dict[str, Any]) -> dict[str, Any]:
    warm = order["warm"]
    begin = time.monotonic() + warm
    end = begin + order["seconds"]
    addresses = order["addresses"]
    pace = order.get("pace")
    tabs = [Tab(order["port"], addresses[n % len(addresses)], order["cookie"], pace) for n in range(order["tabs"])]
    roll = random.Random(1)
    await asyncio.gather(*(tab.stay(begin, end, 0 if pace == 0 else roll.uniform(0, warm)) for tab in tabs))
    spans = [span for tab in tabs for span in tab.spans]
    statuses = [status for tab in tabs for status in tab.statuses]
    took = max(time.monotonic(), end) - begin
    return {
        "answers": len(spans),
        "per_second": len(spans) / took,
        "median": share(spans, 0.5) if spans else 0.0,
        "p95": share(spans, 0.95) if spans else 0.0,
        "unchanged": statuses.count(204) / max(1, len(statuses)),
        "bad": sum(status not in (200, 204) for status in statuses),
        "connections": sum(tab.connections for tab in tabs),
    }


@contextmanager
def watching(url: str, addresses: list[str], cookie: str, **order: Any) -> Iterator[Callable[[], dict[str, Any]]]:
    """Start `tabs` in a process of their own, for `seconds` after a `warm` start; yield a function that waits for the
    end and returns the results."""
    port = int(url.rpartition(":")[2])
    whole = {"port": port, "addresses": addresses, "cookie": cookie, "warm": 3.0, **order}
    arguments = [sys.executable, "-m", "tests.bench.pollers", json.dumps(whole)]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)

    def wait_for_results() -> dict[str, Any]:
        out, _ = process.communicate(timeout=whole["warm"] + whole["seconds"] + 60)
        assert process.returncode == 0, "the pollers have failed"
        results: dict[str, Any] = json.loads(out)
        return results

    try:
        yield wait_for_results
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_watch(json.loads(sys.argv[1])))))
