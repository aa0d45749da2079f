"""Apply the faults that levers order for the next calls of an operation."""

from __future__ import annotations

import errno
import json
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from threading import Event
from typing import Any

from flask import Response

KINDS = ("delay", "status", "raw", "cut", "truncate", "drip", "corrupt", "late", "replay")
OPERATIONS = ("locations", "rc_types", "search", "create_link", "link_status")
CORRUPTIONS = ("invalid-json", "html", "empty", "success-false", "missing-field", "nan", "not-an-object")


@dataclass(frozen=True)
class Fault:
    kind: str
    when: str = "before"  # "before" the call took effect (it then never does), or "after"
    seconds: float | None = None
    status: int | None = None
    body: str | None = None
    content_type: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    corruption: str = "invalid-json"
    missing: str = "data"  # a dotted path: the field that "missing-field" leaves out, or that "nan" replaces
    answer: str = "first"  # which answer a replayed call returns

    @classmethod
    def ordered(cls, order: dict[str, Any]) -> Fault:
        unknown = set(order) - {part.name for part in fields(cls)}
        if unknown:
            raise ValueError(f"a fault has no {', '.join(sorted(unknown))}")
        fault = cls(**order)
        seconds_right = fault.seconds is None or (
            isinstance(fault.seconds, int | float) and 0 <= fault.seconds <= 86400
        )
        headers_right = isinstance(fault.headers, dict) and all(isinstance(v, str) for v in fault.headers.values())
        checks = {
            f"kind is one of {', '.join(KINDS)}": fault.kind in KINDS,
            "when is before or after": fault.when in {"before", "after"},
            "seconds is a number": seconds_right,
            "status is an HTTP status": fault.status is None or fault.status in range(200, 600),
            "body is text": fault.body is None or isinstance(fault.body, str),
            "headers maps text to text": headers_right,
            f"corruption is one of {', '.join(CORRUPTIONS)}": fault.corruption in CORRUPTIONS,
            "answer is first or second": fault.answer in {"first", "second"},
        }
        wrong = [claim for claim, holds in checks.items() if not holds]
        if wrong:
            raise ValueError("; ".join(wrong))
        return fault


def order(connection: sqlite3.Connection, operation: str, count: int, fault: Fault) -> None:
    if operation not in (*OPERATIONS, "*"):
        raise ValueError(f"operation is one of {', '.join(OPERATIONS)} or *")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError("count is a whole number from 1")
    connection.execute(
        "INSERT INTO fault (operation, remaining, spec) VALUES (?, ?, ?)",
        (operation, count, json.dumps(asdict(fault))),
    )


def take(connection: sqlite3.Connection, operation: str) -> Fault | None:
    """Take the oldest order that fits, counted down in the caller's transaction so that N means N calls."""
    row = connection.execute(
        "SELECT * FROM fault WHERE remaining > 0 AND operation IN (?, '*') ORDER BY id LIMIT 1", (operation,)
    ).fetchone()
    if row is None:
        return None
    connection.execute("UPDATE fault SET remaining = remaining - 1 WHERE id = ?", (row["id"],))
    return Fault(**json.loads(row["spec"]))


def pending(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    rows = connection.execute("SELECT * FROM fault WHERE remaining > 0 ORDER BY id")
    return [{"operation": row["operation"], "remaining": row["remaining"], **json.loads(row["spec"])} for row in rows]


def corrupted(fault: Fault, text: str) -> tuple[str, str]:
    """Return a damaged body and its content type."""
    if fault.corruption == "html":
        return "<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>", "text/html"
    if fault.corruption in {"invalid-json", "empty", "not-an-object"}:
        replacements = {"invalid-json": text[:-1] + ",,}", "empty": "", "not-an-object": '["success", true]'}
        return replacements[fault.corruption], "application/json"
    payload = json.loads(text)
    if fault.corruption == "success-false":
        payload["success"] = False
    else:
        *path, last = fault.missing.split(".")
        holder: Any = payload
        for name in path:
            holder = holder[int(name)] if isinstance(holder, list) else holder.get(name, {})
        if fault.corruption == "missing-field":
            holder.pop(last, None)
        else:
            holder[last] = float("nan")
    return json.dumps(payload), "application/json"


def cut(environ: dict[str, Any]) -> ConnectionResetError:
    """Shut the caller's socket under werkzeug's server and under gunicorn; in-process, only raise the error."""
    connection = environ.get("werkzeug.socket") or environ.get("gunicorn.socket")
    if connection is not None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
    # Servers ignore this error, because callers that disconnect cause it too.
    return ConnectionResetError(errno.ECONNRESET, "the replica cut the connection")


def cut_short(environ: dict[str, Any]) -> Response:
    """Send no answer. It raises while the server sends, because Flask would turn an earlier error into a page."""

    def nothing() -> Iterator[bytes]:
        raise cut(environ)
        yield b""

    return Response(nothing())


def truncated(response: Response, environ: dict[str, Any]) -> Response:
    """Promise the whole body in the headers, and send half of it."""
    body = response.get_data()

    def half() -> Iterator[bytes]:
        yield body[: len(body) // 2]
        raise cut(environ)

    response.response = half()
    response.headers["Content-Length"] = str(max(len(body), 2))
    return response


def dripping(response: Response, seconds: float, stopping: Event) -> Response:
    """Send the body in twenty pieces, spread over the given time."""
    body = response.get_data()
    size = max(1, -(-len(body) // 20))

    def drops() -> Iterator[bytes]:
        for start in range(0, len(body), size):
            yield body[start : start + size]
            stopping.wait(seconds / 20)

    response.response = drops()
    response.headers["Content-Length"] = str(len(body))
    return response
