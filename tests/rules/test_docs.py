"""Test that every cited document, section, assumption, invariant, step and link exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import documents
from tests.support.documents import DOCS, INTERFACE, LINK_CREATION, README, ROOT

_NUMBERS = r"(\d+(?:\.\d+)?(?:(?:, | and | to | or )\d+(?:\.\d+)?)*)"
_SECTIONS = re.compile(rf"\b[Ss]ections? {_NUMBERS}")
_RULES = re.compile(r"\brule (\d+) of section (\d+\.\d+)|\b[Ss]ection (\d+\.\d+), rule (\d+)")
_STEPS = re.compile(rf"\b[Ss]teps? {_NUMBERS}")
_DOCUMENT = re.compile(r"[\w./-]*\w\.md\b")
_ASSUMPTION, _INVARIANT = re.compile(r"(?<![\w%])A(\d{1,2})\b"), re.compile(r"(?<![\w%])I(\d{1,2})\b")


def prose() -> Iterator[tuple[Path, str]]:
    """Yield every text on one line, so that a citation may continue on the next line or comment."""
    for file, text in documents.texts():
        yield file.relative_to(ROOT), re.sub(r"\s*\n\s*(?:#:?|//|\*)?\s*", " ", text)


def cited(pattern: re.Pattern[str]) -> Iterator[tuple[Path, str]]:
    """Yield each number that a pattern finds, with its file."""
    for file, text in prose():
        for found in pattern.finditer(text):
            for number in re.findall(r"\d+(?:\.\d+)?", found[1]):
                yield file, number


def missing(pattern: re.Pattern[str], known: set[str]) -> list[str]:
    found = list(cited(pattern))
    assert found, "nothing is cited: the pattern is wrong"
    return [f"{file}: {number}" for file, number in found if number not in known]


def test_every_section_of_the_interface_that_is_cited_exists() -> None:
    titles = [words for _, words in documents.headings(INTERFACE)]
    sections = {found[1] for words in titles if (found := re.match(r"(\d+(?:\.\d+)?)\.? ", words))}
    assert {"4.4", "9"} <= sections
    assert not missing(_SECTIONS, sections)


def test_every_rule_of_a_section_that_is_cited_exists() -> None:
    seen = 0
    for file, text in prose():
        for found in _RULES.finditer(text):
            rule, number = (found[1], found[2]) if found[1] else (found[4], found[3])
            title = next(words for _, words in documents.headings(INTERFACE) if words.startswith(f"{number} "))
            assert f"\n{rule}. " in documents.section(INTERFACE, title), f"{file}: {found[0]}"
            seen += 1
    assert seen


def test_every_assumption_that_is_cited_exists() -> None:
    rows = documents.table(LINK_CREATION, "Assumptions", "")
    assert [row[0] for row in rows] == [f"A{number}" for number in range(1, 9)]
    assert not missing(_ASSUMPTION, {row[0].removeprefix("A") for row in rows})


def test_every_invariant_that_is_cited_exists() -> None:
    stated = re.findall(r"^- \*\*I(\d)\*\* ", documents.section(LINK_CREATION, "Invariants"), re.M)
    assert stated == [str(number) for number in range(1, 8)]
    assert not missing(_INVARIANT, set(stated))


def test_every_step_of_a_creation_that_is_cited_exists() -> None:
    steps = [words for _, words in documents.headings(LINK_CREATION) if words.startswith("Step ")]
    numbers = [re.match(r"Step (\d): \w", words) for words in steps]
    known = {found[1] for found in numbers if found}
    assert sorted(known) == [str(number) for number in range(9)]
    assert not missing(_STEPS, known)


def test_every_document_that_is_named_exists() -> None:
    lost = []
    for file, text in documents.texts():
        folders = (file.parent, ROOT, DOCS)
        for name in _DOCUMENT.findall(text):
            if not any((folder / name).is_file() for folder in folders):
                lost.append(f"{file.relative_to(ROOT)}: {name}")
    assert not lost


def test_every_file_and_folder_that_a_document_names_exists() -> None:
    starts = {ROOT: ("dashboard", "templates", "static", "tests", "deploy", "docs")}
    starts[ROOT / "dashboard"] = tuple(each.name for each in (ROOT / "dashboard").iterdir() if each.is_dir())
    seen = 0
    for file in documents.documents():
        for path in documents.code(file.read_text(encoding="utf-8")):
            first, slash, _ = path.partition("/")
            if slash and re.fullmatch(r"[\w./-]+", path):
                for base in (base for base, names in starts.items() if first in names):
                    assert (base / path).exists(), f"{file.relative_to(ROOT)}: {path}"
                    seen += 1
    assert seen > 5


@pytest.mark.parametrize("file", documents.documents(), ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_of_a_document_has_a_target(file: Path) -> None:
    for target in documents.links(file):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        found = (file.parent / path).resolve() if path else file
        assert found.exists(), target
        assert found.is_relative_to(ROOT), f"{target} leaves the project"
        if anchor:
            assert anchor in documents.anchors(found), target


def test_the_readme_leads_to_every_document() -> None:
    linked = {(README.parent / target.partition("#")[0]).resolve() for target in documents.links(README)}
    assert {file.name for file in DOCS.iterdir() if file.resolve() not in linked} == set()


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 140
