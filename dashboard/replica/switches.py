"""Store the lasting switches that levers set, in the file so that they survive a restart."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass, fields, replace
from typing import Any


@dataclass(frozen=True)
class Switches:
    allow_second_link: bool = False  # breaks A2
    hide_links_seconds: float = 0.0  # breaks A3, for links made while it is on
    ended_links_visible: bool = True
    # None leaves these to the settings.
    latency_seconds: float | None = None
    paid_lag_seconds: float | None = None
    bad_tokens_per_minute: int | None = None
    source_failures: float | None = None


def read(connection: sqlite3.Connection) -> Switches:
    row = connection.execute("SELECT value FROM meta WHERE key = 'switches'").fetchone()
    return Switches(**json.loads(row["value"])) if row else Switches()


def turn(connection: sqlite3.Connection, changes: dict[str, Any]) -> Switches:
    unknown = set(changes) - {field.name for field in fields(Switches)}
    if unknown:
        raise ValueError(f"no such switch: {', '.join(sorted(unknown))}")
    for name, value in changes.items():
        if name in {"allow_second_link", "ended_links_visible"}:
            right = isinstance(value, bool)
        else:
            right = (value is None and name != "hide_links_seconds") or (
                isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 10**6
            )
        if not right:
            raise ValueError(f"{name} cannot be {value!r}")
    switches = replace(read(connection), **changes)
    connection.execute(
        "INSERT INTO meta (key, value) VALUES ('switches', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (json.dumps(asdict(switches)),),
    )
    return switches
