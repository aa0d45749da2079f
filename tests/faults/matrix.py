"""Define the matrix: every failpoint under every behaviour of the service that lets a click, or a worker, reach it.

A case is one scene: a click in a process that dies at a failpoint, people who read the pages, workers that go on while
time moves (the first of them may die too), the same form sent again, a colleague's click on what is payable then.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum

from dashboard.domain.intents import LINK_KNOWN, NOTHING_CREATED, IntentState
from dashboard.failpoints import Point
from dashboard.store.creation import intents
from tests.faults.behaviours import (
    ABANDONED,
    CREATED,
    NOT_CREATED,
    RECOVERED,
    Answered,
    Behaviour,
)
from tests.faults.behaviours import (
    BEHAVIOURS as FIRST_ATTEMPTS,
)
from tests.faults.scene import Scene
from tests.faults.second_attempts import SECOND_ATTEMPTS
from tests.faults.stage import RECEIVED
from tests.support.killable_processes import Action, Answer, AppFactory, Host, KillableTask
from tests.support.oracle import Kind
from tests.support.people import MEERA
from tests.support.waiting import until

BEHAVIOURS = [*FIRST_ATTEMPTS, *SECOND_ATTEMPTS]
BY_NAME = {behaviour.name: behaviour for behaviour in BEHAVIOURS}

#: Failpoints at which a click may die, by stage of the creation.
PREPARING = (Point.PREPARE_INSIDE, Point.PREPARE_DONE)
SENDING = (Point.CONNECT_DONE, Point.MARK_INSIDE, Point.MARK_DONE, Point.SEND_HALF)
RECORDING = (Point.ANSWER_READ, Point.RECORD_INSIDE, Point.RECORD_DONE)
ENDING = (Point.END_INSIDE, Point.END_DONE)
LOOKING = (Point.RESOLVE_CLAIMED, Point.RESOLVE_SEARCHED, Point.RESOLVE_INSIDE, Point.RESOLVE_DONE)

#: What the service does in the cases about clocks: it answers, or leaves every kind of doubt.
_ABOUT_CLOCKS = (
    "well",
    "cut, after",
    "cut, before",
    "true conflict, after",
    "late, before not created",
    "all on a link from elsewhere",
    "search 502 while looking",
)

#: Long enough for a lease to end, then for the second attempt; both within the commit window.
_FIRST_ROUNDS = (18, 35)
_SETTLED = NOTHING_CREATED | LINK_KNOWN


class Circumstance(StrEnum):
    """Name what else goes wrong in a case, besides the service and a process that dies."""

    APART = "hosts-apart"  #: The host of the click is 10 s ahead of the others.
    BACK = "clock-back"  #: The database's clock steps back by a minute after the click.
    AHEAD = "clock-ahead"  #: It steps ahead by an hour.
    FROZEN = "frozen"  #: The process of the click is stopped until the workers are done, and then goes on.
    OVERLAPPING = "overlapping"  #: At the end a slow answer from before a payment overlaps with a later one.


_STEPS = {Circumstance.BACK: -60.0, Circumstance.AHEAD: 3600.0}


@dataclass(frozen=True)
class Case:
    """Define one case; `click` and `worker` are the failpoints at which these processes die.

    With `at_once`, the same form and a colleague's with the same challans are sent before any worker's attempt.
    """

    behaviour: Behaviour
    click: Point | None = None
    worker: Point | None = None
    at_once: bool = False
    circumstance: Circumstance | None = None

    def host(self) -> Host | None:
        """Return the host of the processes, where a case is about their clocks."""
        if self.circumstance is Circumstance.APART:
            return Host(off=-5)
        return Host() if self.circumstance in _STEPS else None

    def __str__(self) -> str:
        parts = [self.behaviour.name.replace(",", "").replace(" ", "-"), self.click or "none"]
        parts += [self.circumstance] if self.circumstance else []
        return "-".join([*parts, *([f"worker-{self.worker}"] if self.worker else []), *(["at-once"] * self.at_once)])

    def expected(self) -> set[IntentState] | None:
        """Return the states in which the intent of the click may end; None when the click left no intent."""
        how = self.behaviour
        if self.circumstance is Circumstance.FROZEN and self.click in RECEIVED:
            # It goes on with the answer unread, and its deadline may have passed by then.
            return {CREATED, how.whole} if how.answered is Answered.WITH_A_LINK else {how.ends}
        match self.click:
            case Point.PREPARE_INSIDE if not self.at_once:
                return None
            case Point.PREPARE_INSIDE:
                return {CREATED if how.unreachable else how.ends}
            case Point.PREPARE_DONE | Point.GUARD_SEARCHED | Point.CONNECT_DONE | Point.MARK_INSIDE:
                return {ABANDONED}
            case Point.MARK_DONE | Point.SEND_HALF:
                return {how.early}
            case Point.SEND_WHOLE | Point.ANSWER_READ | Point.RECORD_INSIDE | Point.END_INSIDE:
                return {ABANDONED} if how.unreachable else {how.whole}
            case Point.RESOLVE_CLAIMED | Point.RESOLVE_SEARCHED | Point.RESOLVE_INSIDE:
                # The next attempt may come after the conflict is over.
                return {how.whole, how.ends}
            case _:
                return {how.ends}


class Play:
    """Play one case, from the click to the oracle."""

    def __init__(self, case: Case, scene: Scene) -> None:
        self._case = case
        self._how = case.behaviour
        self._scene = scene
        self._kills = 0

    def run(self) -> None:
        """Run the case. Raises AssertionError with every violation."""
        scene, case, how = self._scene, self._case, self._how
        scene.oracle.late_links = how.late
        scene.search()
        how.order(scene)
        form, colleagues = scene.review(), scene.review(MEERA) if case.at_once else None
        assert form
        before = scene.levers.count("create_link")
        action = Action.STOP if case.circumstance is Circumstance.FROZEN else Action.KILL
        click = scene.click(form, at=case.click, action=action, app_factory=self._where())
        answer = self._answer(click)
        received = case.click in RECEIVED and not how.unreachable
        scene.awaits_the_service(before + 1 if received else 0)
        scene.check_answer(answer, form)
        scene.reads_everything()
        if how.meanwhile:
            how.meanwhile(scene)
        if colleagues:
            scene.send(form)
            scene.send(colleagues, MEERA)
        if step := _STEPS.get(case.circumstance) if case.circumstance else None:
            scene.step(step)
        self._workers(case.worker)
        if action is Action.STOP:
            click.resume()
            scene.check_answer(click.result(), form)
            self._workers(None)
        row, expected = scene.request_of(form), case.expected()
        assert (row.state if row else None) in (expected or {None}), f"{row.state if row else None}, not {expected}"
        if case.circumstance and row is not None and row.state in LINK_KNOWN:
            with scene.store.read() as connection:
                denied = intents.was_ever(connection, row.id, NOT_CREATED)
            assert not denied, "it was denied before, although the service kept to its time"
        scene.send(form)
        # After a step of the clock the moments of two sends do not say which of them made a link: the oracle is told of
        # one send alone.
        if not step and (again := scene.review(MEERA)) is not None:
            scene.send(again, MEERA)
        self._workers(None)
        if case.circumstance is Circumstance.OVERLAPPING:
            self._overlap()
        assert {request.state for request in scene.requests()} <= _SETTLED
        scene.reads_everything()
        scene.oracle.verify()

    def _workers(self, dies_at: Point | None) -> None:
        scene, how = self._scene, self._how
        scene.awaits_the_service()
        for seconds in _FIRST_ROUNDS:
            scene.passes(seconds)
            if dies_at and not self._worker_killed:
                self._kills += scene.worker_dies(dies_at)
            scene.round()
        if how.relief:
            how.relief(scene)
        scene.settles()
        if how.after_verdict:
            how.after_verdict(scene)
            scene.settles()

    @property
    def _worker_killed(self) -> bool:
        return self._kills > (self._case.click is not None)

    def _where(self) -> AppFactory | None:
        """Return a factory for the process of the click, where it is unlike the others."""
        own = self._scene.app_factory
        if self._how.unreachable:  # An address at which nothing listens.
            return replace(own, environ={**own.environ, "DASHBOARD_SERVICE_URL": "http://127.0.0.1:9"})
        return replace(own, host=Host(off=5)) if self._case.circumstance is Circumstance.APART else None

    def _answer(self, click: KillableTask) -> Answer | None:
        """Wait until the click is answered, has died or is stopped; return its answer."""
        at = self._case.click
        if self._case.circumstance is Circumstance.FROZEN:
            assert click.wait_stopped(), f"the click did not come by {at}"
            return None
        answer: Answer | None = click.result()
        self._kills += click.was_killed
        assert click.was_killed == (at is not None), f"the click did not come by {at}: {answer}"
        return answer

    def _overlap(self) -> None:
        """Pay each link that can be paid while a poll of it is answered slowly; poll it again, as slowly, meanwhile."""
        scene = self._scene
        poller = scene.app.extensions["services"].link_poller
        for item in scene.levers.truth()["links"]:
            if item["status"] != "ACTIVE":
                continue
            before = scene.levers.count("link_status")
            scene.levers.fault("link_status", "delay", seconds=1, when="after", count=2)
            with ThreadPoolExecutor(1) as pool:
                slow = pool.submit(poller.refresh, item["id"])
                until(lambda: scene.levers.count("link_status") > before)  # noqa: B023 - called at once.
                scene.levers.pay(item["id"])
                assert not slow.done(), "the answers do not overlap"
                poller.require_fresh(item["id"])
                slow.result()

    def figures(self) -> dict[str, int]:
        """Return the figures of the case, for the summary."""
        oracle, truth = self._scene.oracle, self._scene.levers.truth()
        kinds = {"duplicates": Kind.DUPLICATE, "lost": Kind.LOST, "false_words": Kind.FALSE_WORD, "stuck": Kind.STUCK}
        counts = {name: oracle.count(kind) for name, kind in kinds.items()}
        return {
            "cases": 1,
            "kills": self._kills,
            "posts": self._scene.levers.count("create_link"),
            "links": sum(1 for item in truth["links"] if item["id"] not in oracle.theirs),
            "most_posts": oracle.most_posts,
            **counts,
            "others": len(set(oracle.violations)) - sum(counts.values()),
        }


def _click_points(how: Behaviour, turn: int) -> list[Point]:
    """Return the failpoints that a click reaches under a behaviour. Before the send the behaviours differ little, so
    each of them meets two of these points in turn, and each point meets a third of the behaviours.
    """
    if how.answered is Answered.NOT_AT_ALL and not how.unreachable:
        return [*PREPARING, *([Point.GUARD_SEARCHED] if how.late else [])]
    early = [*PREPARING, *([] if how.unreachable else SENDING)]
    points = [early[turn % len(early)], early[(turn + 3) % len(early)]]
    if "second" in how.name:
        points.append(Point.GUARD_SEARCHED)
    if not how.unreachable:
        points.append(Point.SEND_WHOLE)
    points += RECORDING if how.answered is Answered.WITH_A_LINK else ENDING
    if how.answered is Answered.WITH_A_CONFLICT:
        points += LOOKING[:1] if how.hidden else LOOKING
    return points


def _worker_cases(how: Behaviour, turn: int) -> list[Case]:
    """Return cases in which a worker dies while it resolves a request: after a kill, and after an unclear answer."""
    if how.answered is Answered.NOT_AT_ALL:
        return [Case(how, Point.PREPARE_DONE, Point.SWEEP_INSIDE)]
    cases = [Case(how, Point.SEND_WHOLE, point) for point in (Point.SWEEP_INSIDE, LOOKING[turn % 4])]
    if how.answered is Answered.WITH_AN_END and how.ends in (RECOVERED, NOT_CREATED):
        cases.append(Case(how, None, LOOKING[(turn + 2) % 4]))
    return cases


def all_cases() -> list[Case]:
    cases: list[Case] = []
    for turn, how in enumerate(BEHAVIOURS):
        clicks = [None, *_click_points(how, turn)]
        cases += [Case(how, point, at_once=(turn + number) % 3 == 0) for number, point in enumerate(clicks)]
        cases += _worker_cases(how, turn)
    return [*cases, *_circumstances()]


def _circumstances() -> list[Case]:
    """Return the cases about clocks, a host that stands still, and answers that overlap."""
    clocks = (Circumstance.APART, *_STEPS)
    cases = [
        Case(BY_NAME[name], click, circumstance=circumstance)
        for name in _ABOUT_CLOCKS
        for click in (None, Point.MARK_DONE, Point.SEND_WHOLE)
        for circumstance in clocks
    ]
    stopped = (*PREPARING[1:], Point.CONNECT_DONE, Point.MARK_DONE, Point.SEND_WHOLE, Point.ANSWER_READ)
    cases += [Case(BY_NAME["well"], point, circumstance=Circumstance.FROZEN) for point in stopped]
    unclear = ("cut, after", "cut, before", "late, before not created")
    cases += [Case(BY_NAME[name], Point.END_DONE, circumstance=Circumstance.FROZEN) for name in unclear]
    cases += [Case(BY_NAME[name], circumstance=Circumstance.OVERLAPPING) for name in ("well", "cut, after")]
    return cases


def sample(cases: list[Case], size: int) -> list[Case]:
    """Choose a few cases, always the same, that reach every failpoint and as many behaviours as there is room for."""
    points = list(dict.fromkeys(case.worker or case.click for case in cases))
    chosen: list[Case] = []
    used: set[str] = set()
    while len(chosen) < size:
        for point in points[: size - len(chosen)]:
            fitting = [case for case in cases if (case.worker or case.click) == point and case not in chosen]
            fresh = [case for case in fitting if case.behaviour.name not in used]
            if case := next(iter(fresh[len(chosen) % max(1, len(fresh)) :] or fitting), None):
                chosen.append(case)
                used.add(case.behaviour.name)
    return chosen
