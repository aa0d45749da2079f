"""Refuse a call with a documented status, and a reason that only the journal of calls shows."""

from __future__ import annotations

from collections.abc import Mapping


class Refused(Exception):
    def __init__(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{status}: {reason}")
        self.status = status
        self.reason = reason
        self.headers = dict(headers or {})
