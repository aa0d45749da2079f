"""The table of settings in docs/settings.md equals the code."""

from __future__ import annotations

import re
from pathlib import Path

import dashboard
from dashboard.setting_table import VARIABLES
from dashboard.settings import Settings

TABLE = Path(dashboard.__file__).parents[1] / "docs" / "settings.md"


def rows() -> dict[str, tuple[str, ...]]:
    """The cells of every row of a table that begins with a variable in backticks."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and (match := re.fullmatch(r"`(DASHBOARD_[A-Z_]+)`", cells[0])):
            found[match[1]] = tuple(cells[1:])
    return found


def test_every_setting_is_in_the_table_and_nothing_else_is() -> None:
    assert rows().keys() == {variable.name for variable in VARIABLES}


def test_the_table_states_the_meanings_and_defaults_of_the_code() -> None:
    for variable in VARIABLES:
        assert rows()[variable.name] == (variable.doc, variable.default_cell), variable.name


def test_the_code_has_no_setting_without_a_variable() -> None:
    assert [variable.field for variable in VARIABLES] != []
    assert {variable.field for variable in VARIABLES} == set(Settings.__dataclass_fields__)
