"""Define how the service behaves in the scenes of the matrix, and how an intent must end there.

Each is ordered before the click, by the replica's own levers. What the service does later (a commit put off, a key
given back) happens when the scene says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from dashboard.domain.intents import IntentState
from tests.conftest import CANARY
from tests.faults.scene import Scene
from tests.faults.stage import RC

Act = Callable[[Scene], object]

CREATED, RECOVERED, ATTACHED = IntentState.CREATED, IntentState.RECOVERED, IntentState.ATTACHED
NOT_CREATED, NOT_SENT, REJECTED = IntentState.NOT_CREATED, IntentState.NOT_SENT, IntentState.REJECTED
ABANDONED = IntentState.ABANDONED


class Answered(Enum):
    """Classify the answer that the sending thread reads; it decides which failpoints the thread reaches."""

    WITH_A_LINK = auto()
    WITH_AN_END = auto()  #: A refusal, or anything unclear.
    WITH_A_CONFLICT = auto()  #: A search explains it at once.
    NOT_AT_ALL = auto()  #: It never connects.


@dataclass(frozen=True)
class Behaviour:
    """Describe how the service behaves during a click, and the outcomes to expect.

    `ends` is the outcome of a request whose process lives; `whole` if the process died after the whole request was sent
    and before its outcome was stored; `early` if it died with SENDING stored and less sent.
    """

    name: str
    order: Act
    answered: Answered
    ends: IntentState
    whole: IntentState
    early: IntentState = NOT_CREATED
    meanwhile: Act | None = None  #: Right after the click.
    relief: Act | None = None  #: After the first rounds of the workers.
    after_verdict: Act | None = None  #: After the intent's outcome is known.
    hasty: bool = False  #: The deadline of a creation is short, so that a hang does not take long.
    unreachable: bool = False
    hidden: bool = False  #: A search does not find the vehicle.
    late: bool = False  #: Assumption A4 is broken: a commit after NOT_CREATED.


def fault(operation: str, kind: str, **more: object) -> Act:
    return lambda scene: scene.levers.fault(operation, kind, **more)  # type: ignore[arg-type]  # The fields of a fault differ in type.


def both(*acts: Act) -> Act:
    def act(scene: Scene) -> None:
        for one in acts:
            one(scene)

    return act


def _nothing(_scene: Scene) -> None:
    """Inject no fault."""


# The answer is unclear, and a link was created or was not.

_UNCLEAR_AFTER = {
    "cut": {"kind": "cut"},
    "500": {"kind": "status", "status": 500},
    "502": {"kind": "status", "status": 502},
    "503": {"kind": "status", "status": 503},
    "redirect": {"kind": "status", "status": 302},
    "unlisted 418": {"kind": "status", "status": 418},
    "true conflict": {"kind": "status", "status": 409},
    "html": {"kind": "corrupt", "corruption": "html"},
    "empty": {"kind": "corrupt", "corruption": "empty"},
    "not json": {"kind": "corrupt", "corruption": "invalid-json"},
    "not an object": {"kind": "corrupt", "corruption": "not-an-object"},
    "success false": {"kind": "corrupt", "corruption": "success-false"},
    "no id": {"kind": "corrupt", "corruption": "missing-field", "missing": "data.id"},
    "no data": {"kind": "corrupt", "corruption": "missing-field", "missing": "data"},
    "truncated": {"kind": "truncate"},
    "drip past the deadline": {"kind": "drip", "seconds": 3},
    "silence past the deadline": {"kind": "delay", "seconds": 1.4},
}
_UNCLEAR_BEFORE = {
    "cut": {"kind": "cut"},
    "500": {"kind": "status", "status": 500},
    "502": {"kind": "status", "status": 502},
    "503": {"kind": "status", "status": 503},
    "true conflict": {"kind": "status", "status": 409},
    "html": {"kind": "corrupt", "corruption": "html"},
    "empty": {"kind": "corrupt", "corruption": "empty"},
    "no id": {"kind": "raw", "body": '{"success": true, "data": {"status": "ACTIVE"}}'},
}


def _unclear() -> list[Behaviour]:
    found = []
    for when, faults, end in (("after", _UNCLEAR_AFTER, RECOVERED), ("before", _UNCLEAR_BEFORE, NOT_CREATED)):
        for name, kind in faults.items():
            answered = Answered.WITH_A_CONFLICT if "conflict" in name else Answered.WITH_AN_END
            act = fault("create_link", when=when, **kind)
            found.append(Behaviour(f"{name}, {when}", act, answered, end, end, hasty="deadline" in name))
    # The service creates the link after the client has timed out.
    act = fault("create_link", "delay", seconds=1.4)
    late = Behaviour("silence, then made", act, Answered.WITH_AN_END, RECOVERED, RECOVERED, hasty=True)
    return [*found, late]


# The service refuses.


def _refusals() -> list[Behaviour]:
    found = []
    for status in (400, 404, 413, 415, 422, 429, 401, 403):
        act = fault("create_link", "status", status=status)
        found.append(Behaviour(f"refused with {status}", act, Answered.WITH_AN_END, REJECTED, NOT_CREATED))
    levers: list[tuple[str, Act, Act]] = [
        (
            "secret revoked",
            lambda scene: scene.levers.revoke_secret(),
            lambda scene: scene.levers.replace_secret(secret=CANARY),
        ),
        (
            "links not enabled",
            lambda scene: scene.levers.set_organization(linksEnabled=False),
            lambda scene: scene.levers.set_organization(linksEnabled=True),
        ),
        (
            "link allowance spent",
            lambda scene: scene.levers.set_organization(linkAllowance=0),
            lambda scene: scene.levers.set_organization(linkAllowance=None),
        ),
    ]
    for name, order, relief in levers:
        found.append(Behaviour(name, order, Answered.WITH_AN_END, REJECTED, NOT_CREATED, relief=relief))
    return found


# A true conflict: 409.


def _made_elsewhere(scene: Scene, challans: slice) -> None:
    """Create a link for some of the challans by another system of the organization, a while before the click."""
    chosen = [challan["id"] for challan in scene.levers.vehicle(RC)["challans"]][challans]
    scene.makes_elsewhere(chosen)
    scene.passes(20)


def _first_challan(scene: Scene, status: str) -> None:
    [first, *_] = sorted(challan["id"] for challan in scene.levers.vehicle(RC)["challans"])
    scene.levers.set_challan(first, status=status)


def _conflicts() -> list[Behaviour]:
    conflict = Answered.WITH_A_CONFLICT
    return [
        Behaviour(
            "all on a link from elsewhere",
            lambda scene: _made_elsewhere(scene, slice(None)),
            conflict,
            ATTACHED,
            ATTACHED,
            early=ATTACHED,
        ),
        Behaviour(
            "some on a link from elsewhere",
            lambda scene: _made_elsewhere(scene, slice(2)),
            conflict,
            ATTACHED,
            ATTACHED,
            early=ATTACHED,
        ),
        Behaviour(
            "a challan no longer payable",
            lambda scene: _first_challan(scene, "DISPOSED"),
            conflict,
            REJECTED,
            NOT_CREATED,
            relief=lambda scene: _first_challan(scene, "PENDING"),
        ),
        Behaviour(
            "the vehicle went elsewhere",
            lambda scene: scene.levers.assign_vehicle(RC, "second"),
            conflict,
            REJECTED,
            NOT_CREATED,
            relief=lambda scene: scene.levers.assign_vehicle(RC, "demo"),
            hidden=True,
        ),
    ]


# The commit comes late, or never.


def _lates() -> list[Behaviour]:
    late, end = fault("create_link", "late"), Answered.WITH_AN_END
    return [
        Behaviour(
            "late, before not created",
            late,
            end,
            RECOVERED,
            RECOVERED,
            relief=lambda scene: scene.levers.commit_late(),
        ),
        Behaviour(
            "late, after not created",
            late,
            end,
            RECOVERED,
            RECOVERED,
            after_verdict=lambda scene: scene.levers.commit_late(),
            late=True,
        ),
        Behaviour(
            "late, and dropped", late, end, NOT_CREATED, NOT_CREATED, relief=lambda scene: scene.levers.drop_late()
        ),
    ]


# The answer is lost, and attempts to resolve fail as well, for a while.


def _failing_attempts() -> list[Behaviour]:
    made, end = fault("create_link", "cut", when="after"), Answered.WITH_AN_END
    faults: dict[str, Act] = {
        "search 502": fault("search", "status", status=502, count=3),
        "search 500": fault("search", "status", status=500, count=2),
        "search html": fault("search", "corrupt", corruption="html", when="after", count=2),
        "search truncated": fault("search", "truncate", when="after", count=2),
        "status 500": fault("link_status", "status", status=500, count=2),
        "status 404": fault("link_status", "status", status=404),
        "status cut": fault("link_status", "cut", count=2),
    }
    found = [
        Behaviour(f"{name} while looking", both(made, act), end, RECOVERED, RECOVERED) for name, act in faults.items()
    ]
    conflict = both(fault("create_link", "status", status=409, when="after"), faults["search 500"])
    unmade = both(fault("create_link", "cut"), fault("search", "status", status=500, count=2))
    return [
        *found,
        Behaviour("search 500 while looking, before", unmade, end, NOT_CREATED, NOT_CREATED),
        Behaviour("true conflict, and search 500", conflict, end, RECOVERED, RECOVERED),
        Behaviour(
            "search allowance spent while looking",
            both(made, lambda scene: scene.levers.set_organization(searchAllowance=0)),
            end,
            RECOVERED,
            RECOVERED,
            relief=lambda scene: scene.levers.set_organization(searchAllowance=None),
        ),
        Behaviour(
            "search not enabled while looking",
            both(made, lambda scene: scene.levers.set_organization(searchEnabled=False)),
            end,
            RECOVERED,
            RECOVERED,
            relief=lambda scene: scene.levers.set_organization(searchEnabled=True),
        ),
        Behaviour(
            "secret revoked while looking",
            made,
            end,
            RECOVERED,
            RECOVERED,
            meanwhile=lambda scene: scene.levers.revoke_secret(),
            relief=lambda scene: scene.levers.replace_secret(secret=CANARY),
        ),
    ]


# The answer is lost, and the link or its challans have changed before the next attempt.


def _each_link(change: Callable[[Scene, str], object]) -> Act:
    return lambda scene: [change(scene, item["id"]) for item in scene.levers.truth()["links"]]


def _each_challan(**changes: object) -> Act:
    def act(scene: Scene) -> None:
        for challan in scene.levers.vehicle(RC)["challans"]:
            scene.levers.set_challan(challan["id"], **changes)

    return act


def _changed_evidence() -> list[Behaviour]:
    made, end = fault("create_link", "cut", when="after"), Answered.WITH_AN_END
    unlinked = {"paymentLinkId": None, "paymentLink": None, "prepaid": True}
    changes: dict[str, tuple[Act, Act | None]] = {
        "paid before it is found": (_each_link(lambda scene, key: scene.levers.pay(key)), None),
        "cancelled before it is found": (_each_link(lambda scene, key: scene.levers.cancel(key)), None),
        "failed before it is found": (_each_link(lambda scene, key: scene.levers.fail(key)), None),
        "expired before it is found": (_each_link(lambda scene, key: scene.levers.expire(key)), None),
        "in an unknown state when found": (
            _each_link(lambda scene, key: scene.levers.set_link(key, status="ON_HOLD")),
            None,
        ),
        "without an expiry when found": (
            _each_link(lambda scene, key: scene.levers.set_link(key, raw={"expiresAt": None, "paymentUrl": None})),
            None,
        ),
        "prepaid without a link for a while": (_each_challan(raw=unlinked), _each_challan(raw=None)),
        "gone from the list for a while": (_each_challan(gone=True), _each_challan(gone=False)),
    }
    return [
        Behaviour(name, made, end, RECOVERED, RECOVERED, meanwhile=meanwhile, relief=relief)
        for name, (meanwhile, relief) in changes.items()
    ]


BEHAVIOURS = [
    Behaviour("well", _nothing, Answered.WITH_A_LINK, CREATED, RECOVERED),
    Behaviour(
        "slow, within the deadline",
        fault("create_link", "delay", when="after", seconds=0.2),
        Answered.WITH_A_LINK,
        CREATED,
        RECOVERED,
    ),
    Behaviour("nobody there", _nothing, Answered.NOT_AT_ALL, NOT_SENT, NOT_SENT, unreachable=True),
    *_unclear(),
    *_refusals(),
    *_conflicts(),
    *_lates(),
    *_failing_attempts(),
    *_changed_evidence(),
]
