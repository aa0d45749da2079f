"""Test that every layer has the same nouns, so that noun and layer give the folder."""

from __future__ import annotations

import re
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
#: Nouns with a lazy sheet of which only those pages load it that need it: the others are opened all day.
BY_PAGE = {"links", "sharing", "vehicles"}
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
    components = {
        file.stem for folder in ("components", "lazy") for file in (ROOT / "static/css" / folder).glob("*.css")
    }
    assert components <= NOUNS


def test_pages_with_classes_whose_styles_are_not_in_the_first_bundle_load_them_and_no_others() -> None:
    sheets = [file.relative_to(ROOT / "static/css") for file in (ROOT / "static/css").rglob("*.css")]
    styled = {lazy: set[str]() for lazy in (True, False)}
    for sheet in sheets:
        styled[sheet.parts[0] == "lazy"] |= classes_of_styles((ROOT / "static/css" / sheet).read_text("utf-8"))
    nouns = {sheet.stem for sheet in sheets if sheet.parts[0] == "lazy"} - BY_PAGE
    templates = {
        str(file.relative_to(ROOT / "templates")): file.read_text("utf-8")
        for file in (ROOT / "templates").rglob("*.html")
    }
    loading: set[str] = set()
    for name, html in templates.items():
        if '{% extends "layout.html" %}' in html:
            parts = with_included(name, templates)
            loads = "{% set needs_lazy_styles = " in html  # always, or in the states that need them
            has_them = any(classes_of_html(templates[part]) & (styled[True] - styled[False]) for part in parts)
            assert loads == (has_them or Path(name).parts[0] in nouns), name
            loading |= parts if loads else set()
    for name, html in templates.items():
        is_macro = Path(name).parts[0] == "macros"
        has_them = bool(classes_of_html(html) & (styled[True] - styled[False]))
        assert is_macro or name in loading or Path(name).parts[0] in nouns or not has_them, name


def with_included(name: str, templates: dict[str, str]) -> set[str]:
    """Return a template with all that it includes by name or has the rows of, and what these include."""
    found, to_read = {name}, [name]
    while to_read:
        included = set(re.findall(r'{% (?:include|from) "((?!macros/)[^"]+)"', templates[to_read.pop()])) - found
        found |= included
        to_read += included
    return found


def classes_of_styles(sheet: str) -> set[str]:
    return set(re.findall(r"\.([a-z][\w-]*)", re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)))


def classes_of_html(template: str) -> set[str]:
    return {word for names in re.findall(r'class="([^"]*)"', template) for word in re.findall(r"[a-z][\w-]*", names)}
