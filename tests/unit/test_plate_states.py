"""Test the state that a registration number names."""

from __future__ import annotations

import pytest

from dashboard.domain.plate_states import state_of_plate


@pytest.mark.parametrize(
    ("rc", "state"), [("MH12AB1001", "Maharashtra"), ("OR02A1234", "Odisha"), ("22BH1234AA", ""), ("XX01A1", "")]
)
def test_the_first_letters_of_a_number_name_its_state(rc: str, state: str) -> None:
    assert state_of_plate(rc) == state
