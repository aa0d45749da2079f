"""Let a clerk work on an application without a server, as over a connection."""

from __future__ import annotations

from collections.abc import Mapping
from http.client import HTTPConnection
from typing import cast

from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import Client, TestResponse


class _Answer:
    """Answer as `HTTPResponse` does to a clerk."""

    def __init__(self, answer: TestResponse) -> None:
        self._answer = answer
        self.status = answer.status_code
        self.headers = self

    def read(self) -> bytes:
        return self._answer.get_data()

    def get_all(self, name: str) -> list[str]:
        headers: Headers = self._answer.headers
        return headers.getlist(name)

    def getheader(self, name: str) -> str | None:
        return self._answer.headers.get(name)


class _InProcess:
    def __init__(self, app: Flask) -> None:
        self._client = Client(app, use_cookies=False)
        self._answer: TestResponse

    def request(self, method: str, address: str, body: str | None, headers: Mapping[str, str]) -> None:
        self._answer = self._client.open(address, method=method, data=body, headers=dict(headers))

    def getresponse(self) -> _Answer:
        return _Answer(self._answer)

    def close(self) -> None:
        pass


def connection_to(app: Flask) -> HTTPConnection:
    """Return what a clerk takes for a connection."""
    return cast(HTTPConnection, _InProcess(app))
