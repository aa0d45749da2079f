"""Test that the table of settings in docs/settings.md equals the code."""

from __future__ import annotations

import re

from dashboard.settings import VARIABLES, markdown_table
from tests.support import documents
from tests.support.documents import DOCS, LINK_CREATION, README

SETTINGS = DOCS / "settings.md"


def test_the_document_holds_the_table_of_the_declarations() -> None:
    assert markdown_table() in SETTINGS.read_text(encoding="utf-8")


def test_every_setting_that_a_document_names_exists() -> None:
    names = {variable.name for variable in VARIABLES.values()}
    names |= {f"{variable.name}_FILE" for variable in VARIABLES.values() if variable.secret}
    for file in (README, *DOCS.glob("*.md")):
        named = set(re.findall(r"DASHBOARD_[A-Z_]+", file.read_text(encoding="utf-8")))
        assert named <= names, f"{file.name} names {named - names}"


def test_the_parameters_of_a_creation_are_the_defaults_of_their_settings() -> None:
    defaults = {variable.name: variable.default for variable in VARIABLES.values()}
    rows = [row for row in documents.table(LINK_CREATION, "Parameters", "parameter") if row[2]]
    assert len(rows) > 5
    for _, value, setting in rows:
        number, unit = value.split()
        assert defaults[setting.strip("`")] == number, setting
        assert setting.strip("`").endswith({"s": "_SECONDS", "min": "_MINUTES"}[unit])
