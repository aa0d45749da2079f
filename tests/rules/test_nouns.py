"""Test that every layer has the same nouns, so that noun and layer give the folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

ROOT = Path(__file__).parent.parent.parent
NOUNS = frozenset(
    (
        "accounts",
        "creation",
        "fleet",
        "home",
        "links",
        "operations",
        "overview",
        "reconciliation",
        "sharing",
        "vehicles",
    )
)
#: Layer -> the folders in it that hold what every noun uses.
LAYERS = {
    "dashboard/web": {"shared"},
    "dashboard/services": set(),
    "dashboard/store": {"migrations"},
    "templates": {"shared", "macros"},
    "tests/web": {"shared"},
    "tests/services": set(),
    "tests/store": {"data"},
}


def folders(layer: str) -> set[str]:
    return {each.name for each in (ROOT / layer).iterdir() if each.is_dir() and not each.name.startswith("__")}


@pytest.mark.parametrize("layer", LAYERS)
def test_the_folders_of_a_layer_are_nouns(layer: str) -> None:
    assert folders(layer) - LAYERS[layer] <= NOUNS


def test_every_noun_has_pages_templates_and_tests_of_them() -> None:
    for layer in ("dashboard/web", "templates", "tests/web"):
        assert folders(layer) >= NOUNS, layer


def test_every_noun_has_one_blueprint_and_its_endpoints_belong_to_it(app: Flask) -> None:
    assert app.blueprints.keys() == NOUNS
    for name, blueprint in app.blueprints.items():
        assert blueprint.import_name == f"dashboard.web.{name}.routes"


def test_the_style_sheets_of_components_are_named_by_nouns() -> None:
    components = {file.stem for file in (ROOT / "static/css/components").glob("*.css")}
    assert components <= NOUNS
