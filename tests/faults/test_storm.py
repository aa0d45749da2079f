"""Test the random storm: a short round with every test run, longer ones on both databases under `make faults`."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.store.engine import Store
from tests.faults.scene import LISTS
from tests.faults.storm import ROUND_SECONDS
from tests.faults.storm_outcome import Outcome
from tests.faults.storm_round import Round

_ROUNDS = 2
_ANY = random.SystemRandom()


def rage(ledger: Store, folder: Path, seed: int, seconds: float) -> Outcome:
    """Run one round on a store of its own, and report violations with the seed."""
    url = ledger.url.render_as_string(hide_password=False)
    database = ledger.engine.name
    print(
        f"A storm on {database}, with the seed {seed}; again: "
        f"python -m tests.faults.storm --seed {seed} --rounds 1 --database {database}"
    )
    outcome = Round(seed, url, folder, seconds).run()
    print(outcome.in_short())
    assert not outcome.violations, f"seed {seed} on {database}:\n" + "\n".join(outcome.violations)
    return outcome


@pytest.mark.parametrize("ledger", ["sqlite"], indirect=True)
def test_a_short_storm_duplicates_loses_and_denies_nothing(ledger: Store, tmp_path: Path) -> None:
    outcome = rage(ledger, tmp_path, seed=1, seconds=5)
    assert outcome.counts["clicks"] >= 10
    assert outcome.counts["links"] >= 1
    assert outcome.counts["pages read"] >= outcome.counts["forms"]
    assert outcome.counts["lists read"] == len(LISTS) + 1


@pytest.mark.faults
@pytest.mark.parametrize("number", range(_ROUNDS))
def test_a_storm_duplicates_loses_and_denies_nothing(
    ledger: Store, tmp_path: Path, figures: Callable[..., None], number: int
) -> None:
    outcome = rage(ledger, tmp_path, _ANY.randrange(10**6), ROUND_SECONDS)
    figures(f"storm, {ledger.engine.name}", **outcome.figures())
