"""Run a proxy with TLS on this machine, and connect to it by its public name."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPSConnection
from pathlib import Path

import pytest

HOST = "challans.fleet.example"


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """Return a certificate of this machine alone, and its key."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed on this machine")
    made, key = tmp_path / "own.pem", tmp_path / "own.key"
    name = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST},IP:127.0.0.1"]
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command = ["openssl", "req", *kind, "-keyout", str(key), "-out", str(made), *name]
    subprocess.run(command, check=True, capture_output=True)
    return made, key


class ByName(HTTPSConnection):
    """Connect to a proxy on this machine by the public name, as a browser does."""

    def __init__(self, port: int, trust: ssl.SSLContext) -> None:
        super().__init__(HOST, port, timeout=30, context=trust)
        self._create_connection = lambda _, *rest: socket.create_connection(("127.0.0.1", port), *rest)


@contextmanager
def running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Run a proxy until the block ends."""
    with (folder / "words").open("w") as words:
        proxy = subprocess.Popen(
            [str(shutil.which(command[0])), *command[1:]],
            stdout=words,
            stderr=words,
            cwd=folder,
            env={"HOME": str(folder)},
        )
    pause, deadline = threading.Event(), time.monotonic() + 60
    try:
        while True:
            assert proxy.poll() is None, (folder / "words").read_text()
            try:
                socket.create_connection(("127.0.0.1", port), 5).close()
                break
            except OSError:
                assert time.monotonic() < deadline, (folder / "words").read_text()
                pause.wait(0.05)
        yield
    finally:
        proxy.terminate()
        proxy.wait(30)
