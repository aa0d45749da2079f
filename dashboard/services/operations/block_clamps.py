"""End blocks of calls that a wrong clock has set: they would last longer than any of ours."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from dashboard.services.operations.blocks import lasts_too_long
from dashboard.store.engine import Store
from dashboard.store.operations import call_blocks


def clamp_blocks(store: Store, now: datetime) -> None:
    """Let one caller try at once where a block ends too far ahead; the outcome clears the block or prolongs it."""
    with store.read() as connection:
        blocks = call_blocks.read_all(connection)
    for scope, seen in blocks.items():
        if seen.until is None or not lasts_too_long(scope, seen.until, now):
            continue
        with store.write() as connection:
            block = call_blocks.find_locked(connection, scope)
            if block.until == seen.until:  # Otherwise another process was first.
                call_blocks.save(
                    connection, replace(block, since=now, blocked_at=now, until=now, recent=(), outdated_at=None)
                )
