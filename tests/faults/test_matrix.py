"""Test each failpoint with each behaviour of the service: nothing is duplicated, lost, denied or stuck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from dashboard.store.engine import Store
from tests.faults.matrix import Case, Play, all_cases, sample
from tests.faults.scene import Scene
from tests.support.levers import Levers

CASES = all_cases()
#: A sample that is short enough to run with all other tests.
SAMPLE = sample(CASES, 24)


def on_databases() -> Iterator[ParameterSet]:
    """Yield every case on SQLite and every sixth on PostgreSQL too; mark the sample on one database."""
    for number, case in enumerate(CASES):
        databases = ("sqlite",) if number % 6 else ("sqlite", "postgresql")
        for database in databases:
            marks = [pytest.mark.faults]
            if case in SAMPLE and database == databases[-1]:
                marks.append(pytest.mark.sample)
            yield pytest.param(database, case, id=f"{database}-{case}", marks=marks)


@pytest.mark.parametrize(("ledger", "case"), list(on_databases()), indirect=["ledger"])
def test_nothing_is_duplicated_lost_denied_or_stuck(
    ledger: Store, case: Case, levers: Levers, tmp_path: Path, figures: Callable[..., None]
) -> None:
    seconds = "1" if case.behaviour.hasty else "5"
    with Scene.of(levers, ledger, tmp_path, careful=False, create_seconds=seconds, host=case.host()) as scene:
        play = Play(case, scene)
        try:
            play.run()
        finally:
            figures(f"matrix, {ledger.engine.name}", **play.figures())


def test_there_are_enough_cases_and_the_sample_reaches_every_failpoint() -> None:
    assert len(CASES) >= 250
    assert len({str(case) for case in CASES}) == len(CASES)
    points = {point for case in CASES for point in (case.click, case.worker)}
    assert {point for case in SAMPLE for point in (case.click, case.worker)} == points
