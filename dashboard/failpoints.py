"""Named points at which a test may end or stop this process, to prove that nothing is lost or doubled there.

Only a test arms one, in code of its own; no setting can. Unarmed, reaching a point is one look into an empty dict.
The rows of the crash table in link-creation.md are these points.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Point(StrEnum):
    """In the order in which a creation, and then the watcher, comes by."""

    PREPARE_INSIDE = "prepare.inside"  #: The request and its claims are written, not committed.
    PREPARE_DONE = "prepare.done"
    GUARD_SEARCHED = "guard.asked"  #: The second-attempt guard has its answer, and has concluded nothing.
    MARK_INSIDE = "mark.inside"
    MARK_DONE = "mark.done"  #: SENDING is durable, and no connection is made yet.
    SEND_CONNECTED = "send.connected"  #: The connection stands, and no byte has left.
    SEND_HALF = "send.half"  #: The head has left, the body has not.
    SEND_WHOLE = "send.whole"  #: Everything has left, and no answer was read.
    ANSWER_READ = "answer.read"
    RECORD_INSIDE = "record.inside"  #: The created link is written, not committed.
    RECORD_DONE = "record.done"  #: The browser has not been told.
    END_INSIDE = "end.inside"  #: A refusal, or an unclear outcome, is written, not committed.
    END_DONE = "end.done"
    SPOOLED = "spooled"  #: The database refused the record; the ids are on disk.
    SWEEP_INSIDE = "sweep.inside"
    RESOLVE_CLAIMED = "look.taken"
    RESOLVE_SEARCHED = "look.asked"  #: The search and the links' states are read, and nothing is concluded.
    RESOLVE_INSIDE = "look.inside"
    RESOLVE_DONE = "look.done"


_armed: dict[Point, Callable[[], None]] = {}


def reach(point: Point) -> None:
    """Say that the process has come to a point."""
    if action := _armed.get(point):
        action()


def arm(point: Point, action: Callable[[], None]) -> None:
    """Do something when the process comes to a point; for tests."""
    _armed[point] = action


def disarm() -> None:
    """Forget every action."""
    _armed.clear()
