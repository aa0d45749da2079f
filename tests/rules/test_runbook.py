"""Test that the runbook names commands, pages, settings and metrics that exist. (Commands: test_docs_tables.)"""

from __future__ import annotations

import re

from flask import Flask

from dashboard.cli import main
from tests.support import documents
from tests.support.documents import DOCS

RUNBOOK = DOCS / "runbook.md"


def test_every_page_that_the_runbook_names_exists(app: Flask) -> None:
    pages = {text for text in documents.code(RUNBOOK.read_text(encoding="utf-8")) if text.startswith("/")}
    assert {"/service", "/reconcile", "/readyz"} <= pages
    assert pages <= {rule.rule for rule in app.url_map.iter_rules()}


def test_every_command_that_the_runbook_names_exists_with_its_words() -> None:
    named = [text.split()[1:] for text in documents.lines_of_code(RUNBOOK) if text.startswith("dashboard ")]
    assert len(named) > 5
    for words in named:
        command = main.commands[words[0]]
        for word in words[1:]:
            command = command.commands[word]  # type: ignore[attr-defined]  # A group.


def test_every_metric_that_the_runbook_names_exists() -> None:
    known = {row[0].strip("`") for row in documents.table(DOCS / "metrics.md", "Metrics", "metric")}
    named = {text for text in documents.code(RUNBOOK.read_text(encoding="utf-8")) if re.match(r"dashboard_[a-z]", text)}
    assert named
    assert named <= known


def test_the_runbook_has_a_section_for_each_of_these_troubles() -> None:
    titles = " ".join(words.lower() for _, words in documents.headings(RUNBOOK))
    for trouble in (
        "key is revoked",
        "allowance",
        "down for a day",
        "disk is full",
        "from yesterday",
        "clock",
        "hangs",
    ):
        assert trouble in titles
