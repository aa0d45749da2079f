"""Hold the tests that the threat model names, which `make security` runs; run as a program it prints them."""

from __future__ import annotations

from tests.support import documents
from tests.support.documents import DOCS, ROOT


def named() -> list[str]:
    """Return the files and folders of tests that the table of threats names, each once."""
    rows = documents.table(DOCS / "threat-model.md", "Threats, and what stops them", "threat")
    return list(dict.fromkeys(text for row in rows for text in documents.code(row[2]) if text.startswith("tests/")))


def test_every_threat_names_what_stops_it_and_a_test_that_exists() -> None:
    for threat, stopped_by, tests in documents.table(
        DOCS / "threat-model.md", "Threats, and what stops them", "threat"
    ):
        assert stopped_by
        assert documents.code(tests), threat
    assert len(named()) > 15
    for name in named():
        assert (ROOT / name).exists(), name


if __name__ == "__main__":
    print(*named())
