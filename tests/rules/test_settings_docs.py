"""The table of settings in docs/settings.md equals the code."""

from __future__ import annotations

import re

from dashboard.setting_table import VARIABLES
from dashboard.settings import Settings
from tests.support import documents
from tests.support.documents import DOCS, LINK_CREATION, README

TABLE = DOCS / "settings.md"


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


def test_every_setting_that_a_document_names_exists() -> None:
    names = {variable.name for variable in VARIABLES}
    names |= {f"{variable.name}_FILE" for variable in VARIABLES if variable.secret}
    for file in (README, *DOCS.glob("*.md")):
        named = set(re.findall(r"DASHBOARD_[A-Z_]+", file.read_text(encoding="utf-8")))
        assert named <= names, f"{file.name} names {named - names}"


def test_the_parameters_of_a_creation_are_the_defaults_of_their_settings() -> None:
    defaults = {variable.name: variable.default for variable in VARIABLES}
    rows = [row for row in documents.table(LINK_CREATION, "Parameters", "parameter") if row[2]]
    assert len(rows) > 5
    for _, value, setting in rows:
        number, unit = value.split()
        assert defaults[setting.strip("`")] == number, setting
        assert setting.strip("`").endswith({"s": "_SECONDS", "min": "_MINUTES"}[unit])
