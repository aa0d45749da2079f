"""Test selections that two requests of one person save at the same moment, as a double click does."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from dashboard.store.engine import Store
from dashboard.store.vehicles import selections
from tests.store.test_races import NOW, RC, Work, asha, do, overlapping

__all__ = ["asha"]


def saves(person_id: int, *challan_ids: str) -> Work:
    return lambda connection: selections.save(connection, person_id, RC, challan_ids, "48", NOW)


def saved(person_id: int) -> Work:
    def find(connection: Connection) -> tuple[str, ...]:
        found = selections.find(connection, person_id, RC)
        return found.challan_ids if found else ()

    return find


@pytest.mark.parametrize("before", [(), ("a", "b", "c")])
def test_of_two_selections_saved_at_once_the_later_one_stays(ledger: Store, asha: int, before: tuple[str, ...]) -> None:
    do(ledger, saves(asha, *before))
    overlapping(ledger, saves(asha, "a"), saves(asha, "a", "b"))
    assert do(ledger, saved(asha)) == ("a", "b")


def test_a_selection_sent_while_it_is_saved_is_deleted(ledger: Store, asha: int) -> None:
    overlapping(ledger, saves(asha, "a"), saves(asha))
    assert do(ledger, saved(asha)) == ()
