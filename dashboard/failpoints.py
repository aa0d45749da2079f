"""Name the points at which a test may stop or kill this process, to prove that no link is lost or duplicated there.

Only a test's own code arms one; no setting can. An unarmed point costs a lookup in an empty dict. The crash table of
link-creation.md is made of these points.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Point(StrEnum):
    """A failpoint, in the order in which a creation and then the watcher reach them."""

    PREPARE_INSIDE = "prepare.inside"  #: The intent and its claims are written, not committed.
    PREPARE_DONE = "prepare.done"
    GUARD_SEARCHED = "guard.searched"  #: The second-attempt guard has its evidence, and has concluded nothing.
    CONNECT_DONE = "connect.done"  #: The connection is made, and the intent is not marked yet.
    MARK_INSIDE = "mark.inside"
    MARK_DONE = "mark.done"  #: SENDING is durable, and no byte has left.
    SEND_HALF = "send.half"  #: The head of the request has left, the body has not.
    SEND_WHOLE = "send.whole"  #: The whole request has left, and no answer was read.
    ANSWER_READ = "answer.read"
    RECORD_INSIDE = "record.inside"  #: The created link is written, not committed.
    RECORD_DONE = "record.done"  #: The browser has no answer yet.
    END_INSIDE = "end.inside"  #: A refusal or an unclear outcome is written, not committed.
    END_DONE = "end.done"
    SPOOLED = "spooled"  #: The database refused the record; the ids are on disk.
    SWEEP_INSIDE = "sweep.inside"
    RESOLVE_CLAIMED = "resolve.claimed"
    RESOLVE_SEARCHED = "resolve.searched"  #: Search and status answers are read, and nothing is concluded.
    RESOLVE_INSIDE = "resolve.inside"
    RESOLVE_DONE = "resolve.done"


_armed: dict[Point, Callable[[], None]] = {}


def reach(point: Point) -> None:
    """Run the action that a test has armed at this point, if any."""
    if action := _armed.get(point):
        action()


def arm(point: Point, action: Callable[[], None]) -> None:
    """Run an action whenever the process reaches a point; for tests."""
    _armed[point] = action


def disarm() -> None:
    """Remove every action."""
    _armed.clear()
