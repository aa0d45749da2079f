"""Define behaviours in which the click is a second attempt, on challans of an intent that ended NOT_CREATED."""

from __future__ import annotations

from tests.faults.behaviours import (
    ATTACHED,
    CREATED,
    NOT_SENT,
    RECOVERED,
    Act,
    Answered,
    Behaviour,
    both,
    fault,
)
from tests.faults.scene import Scene


def _first(scene: Scene, problem: Act) -> None:
    """Make a first attempt that ends NOT_CREATED."""
    form = scene.review()
    assert form
    problem(scene)
    scene.send(form)
    scene.settles()


def _cut(scene: Scene) -> None:
    _first(scene, fault("create_link", "cut"))


def _late(scene: Scene) -> None:
    scene.oracle.late_links = True
    _first(scene, fault("create_link", "late"))


SECOND_ATTEMPTS = [
    Behaviour("second attempt", _cut, Answered.WITH_A_LINK, CREATED, RECOVERED),
    Behaviour(
        "second attempt, answer cut",
        both(_cut, fault("create_link", "cut", when="after")),
        Answered.WITH_AN_END,
        RECOVERED,
        RECOVERED,
    ),
    Behaviour(
        "second attempt, guard refused",
        both(_cut, fault("search", "status", status=500)),
        Answered.NOT_AT_ALL,
        NOT_SENT,
        NOT_SENT,
    ),
    Behaviour(
        "second attempt, the first made late",
        both(_late, lambda scene: scene.levers.commit_late()),
        Answered.NOT_AT_ALL,
        ATTACHED,
        ATTACHED,
        late=True,
    ),
]
