"""Check that the mutants fit the product, without waiting for a run of `python -m tests.faults.mutants`."""

from __future__ import annotations

import re

import pytest

from tests.faults.mutants import PROJECT, weakened
from tests.faults.mutations import MUTANTS, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_mutant_finds_its_place_and_its_tests(mutant: Mutant) -> None:
    compile(weakened(mutant, PROJECT), mutant.file, "exec")
    for proof in mutant.proofs:
        module, _, name = proof.partition("::")
        assert re.search(rf"^def {re.escape(name.partition('[')[0])}\(", (PROJECT / module).read_text(), re.M), proof


def test_the_mutants_differ() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len({(mutant.file, mutant.old) for mutant in MUTANTS}) >= 12
