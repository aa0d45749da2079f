"""Test that the tables and lists of the documents equal the code."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import click
import pytest
from flask import Flask

from dashboard import errors
from dashboard.cli import main
from dashboard.domain.intents import IntentState
from dashboard.domain.links import KNOWN_STATUSES
from dashboard.domain.roles import Role
from tests.conftest import ServedReplica
from tests.support import documents
from tests.support.documents import DOCS, README, ROOT, code, section, table
from tests.support.metrics_page import MetricsPage
from tests.support.web_client import WebClient
from tests.web import steps

ARCHITECTURE, GLOSSARY = DOCS / "architecture.md", DOCS / "glossary.md"
METRICS, OPERATING = DOCS / "metrics.md", DOCS / "operating.md"
WEB = ROOT / "dashboard" / "web"


# Commands


def commands() -> dict[str, click.Command]:
    """Return every command with its words, such as `user add`."""

    def walk(words: str, group: click.Group) -> Iterator[tuple[str, click.Command]]:
        for name, command in group.commands.items():
            path = f"{words} {name}".strip()
            if isinstance(command, click.Group):
                yield from walk(path, command)
            elif not command.hidden:
                yield path, command

    return dict(walk("", main))


def test_the_table_of_commands_equals_the_commands() -> None:
    found = {}
    for cell, meaning in table(OPERATING, "Commands", "command"):
        line = cell.strip("`").removeprefix("dashboard ")
        name = re.match(r"[a-z][a-z -]*[a-z](?= |$)|[a-z]+", line)
        assert name, cell
        found[name[0]] = f"{line} {meaning}"
    assert found.keys() == commands().keys()
    for name, row in found.items():
        options = {option for each in commands()[name].params for option in each.opts}
        assert set(re.findall(r"(?<!\w)--?[a-z][a-z-]*", row)) <= options, name


def test_every_command_that_a_document_names_exists() -> None:
    words = {name.partition(" ")[0] for name in commands()}
    for file in documents.documents():
        for text in documents.lines_of_code(file):
            if found := re.match(r"dashboard ([a-z]+)", text):
                assert found[1] in words, f"{file.name}: {text}"


def test_every_target_that_a_document_names_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert {"run", "test"} <= targets
    for file in documents.documents():
        for text in documents.lines_of_code(file):
            if found := re.match(r"make ([a-z]+)", text):
                assert found[1] in targets, f"{file.name}: {text}"


# Roles, states, errors


def test_the_table_of_roles_equals_the_roles() -> None:
    assert [row[0] for row in table(OPERATING, "Roles", "role")] == [f"`{role}`" for role in Role]


def test_the_glossary_explains_every_state_of_an_intent() -> None:
    assert {row[0] for row in table(GLOSSARY, "States of an intent", "state")} == {f"`{each}`" for each in IntentState}


def test_the_transitions_of_an_intent_name_every_state_and_no_other() -> None:
    rows = table(documents.LINK_CREATION, "Records and states", "from")
    assert set(re.findall(r"\b[A-Z]{3,}(?:_[A-Z]+)?\b", str(rows))) == {str(state) for state in IntentState}


def test_the_glossary_explains_every_documented_status_of_a_link() -> None:
    assert {row[0] for row in table(GLOSSARY, "Statuses of a link", "status")} == {
        f"`{each}`" for each in KNOWN_STATUSES
    }


def test_the_errors_that_the_architecture_names_are_the_family() -> None:
    named = set(re.findall(r"`([A-Z][a-z]+[A-Za-z]+)`", section(ARCHITECTURE, "Errors")))
    assert named == {each.__name__ for each in errors.ServiceError.__subclasses__()}


# Metrics


@pytest.fixture
def exposed(replica: ServedReplica, staff: WebClient, admin: WebClient) -> MetricsPage:
    """Return the metrics after a search, and after a refusal from which the size of the allowance is learned."""
    replica.levers.add_vehicle(steps.RC, [steps.challan(1)])
    steps.searches(staff)
    replica.levers.set_organization(searchAllowance=0)
    steps.refresh(staff)
    return MetricsPage(admin.get("/metrics").text)


def test_the_table_of_metrics_equals_what_is_exposed(exposed: MetricsPage) -> None:
    labels: dict[str, set[str]] = defaultdict(set)
    for name, family in exposed.families.items():
        if name.startswith("dashboard_"):
            full = f"{name}_total" if family.type == "counter" else name
            labels[full] |= {label for sample in family.samples for label in sample.labels} - {"process", "le"}
    rows = table(METRICS, "Metrics", "metric")
    assert {row[0].strip("`"): set(code(row[1])) for row in rows} == labels


def test_the_reasons_for_calls_held_back_are_those_exposed(exposed: MetricsPage) -> None:
    meaning = next(row[2] for row in table(METRICS, "Metrics", "metric") if row[0] == "`dashboard_calls_held_back`")
    reasons = {sample.labels["why"] for sample in exposed.families["dashboard_calls_held_back"].samples}
    assert set(code(meaning)) == reasons | {"why"}


# Folders


def kept_out() -> list[str]:
    """Return the patterns of folders that git ignores."""
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    return [line.rstrip("/") for line in lines]


def folders(inside: Path) -> set[str]:
    """Return the names of the folders inside a folder."""
    names = {each.name for each in inside.iterdir() if each.is_dir() and not each.name.startswith((".", "_"))}
    return {name for name in names if not any(fnmatch(name, pattern) for pattern in kept_out())}


def nouns() -> set[str]:
    return folders(WEB) - {"shared"}


def test_every_path_in_where_things_live_exists() -> None:
    block = re.search(r"```\n(.*?)```", section(README, "Where things live"), re.S)
    assert block
    listed = {line.split()[0] for line in block[1].splitlines()}
    present = {f"dashboard/{name}" for name in folders(ROOT / "dashboard") if not name.startswith("_")}
    assert listed == present | (folders(ROOT) - {"dashboard"})


def test_the_layout_in_the_architecture_equals_the_folders() -> None:
    block = re.search(r"```\n(.*?)```", section(ARCHITECTURE, "Layers, and the same nouns in every layer"), re.S)
    assert block
    for line in block[1].splitlines():
        inside = ROOT / "dashboard" if line.startswith("  ") else ROOT
        assert (inside / line.split()[0]).exists(), line
    listed = {line.split()[0].rstrip("/") for line in block[1].splitlines() if line.startswith("  ")}
    assert folders(ROOT / "dashboard") <= listed
    tests = next(line for line in block[1].splitlines() if line.startswith("tests/"))
    assert folders(ROOT / "tests") == set(re.findall(r"[a-z0-9]+", tests.partition("/")[2])) - {"then"}


def test_the_nouns_are_the_folders_of_the_pages() -> None:
    rows = table(ARCHITECTURE, "Layers, and the same nouns in every layer", "noun")
    assert {row[0] for row in rows} == nouns()
    named = re.search(r"The nouns are (.*?):", section(README, "Where things live"), re.S)
    assert named
    assert set(code(named[1])) == nouns()


def test_every_address_is_in_the_row_of_its_noun(app: Flask) -> None:
    rows = table(ARCHITECTURE, "Layers, and the same nouns in every layer", "noun")
    listed = {row[0]: code(row[2]) for row in rows}
    used: set[tuple[str, str]] = set()
    for rule in app.url_map.iter_rules():
        noun, named, _ = rule.endpoint.partition(".")
        if named:  # Static files belong to no noun.
            address = re.sub(r"<[^>]*?(\w+)>", r"<\1>", rule.rule)
            matching = [each for each in listed[noun] if fits(address, each)]
            assert matching, f"{rule.rule} of {rule.endpoint}"
            used |= {(noun, each) for each in matching}
    assert used == {(noun, each) for noun, addresses in listed.items() for each in addresses}


def fits(address: str, listed: str) -> bool:
    """Whether an address is a listed one or below it; ids may have any name."""
    pattern = re.sub(r"<\w+>", "<[^/]+>", listed)
    return re.fullmatch(rf"{pattern}(?:[./].*)?" if listed != "/" else "/", address) is not None


# Libraries


def test_the_architecture_names_every_library_that_is_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = section(ARCHITECTURE, "What it is built on").lower()
    names = {re.split(r"[\[<>=]", each)[0] for each in project["dependencies"]}
    assert {name for name in names if name not in text} == set()
