"""Test that `make check` runs the tests of the nouns that changed."""

from __future__ import annotations

import pytest

from tests.check import folders_for

ALWAYS = ["tests/rules", "tests/unit"]


@pytest.mark.parametrize(
    ("changed", "more"),
    [
        ("README.md", []),
        ("dashboard/store/sharing/drivers.py", ["tests/services/sharing", "tests/store/sharing", "tests/web/sharing"]),
        ("dashboard/services/links/polling.py", ["tests/services/links", "tests/store/links", "tests/web/links"]),
        ("templates/overview/index.html", ["tests/web/overview"]),
        ("static/css/components/links.css", ["tests/web/links"]),
        ("dashboard/upstream/client.py", ["tests/upstream"]),
        ("tests/store/test_races.py", ["tests/store/test_races.py"]),
        ("tests/unit/test_check.py", []),
        ("dashboard/web/gone/routes.py", []),
    ],
)
def test_a_changed_file_brings_the_folders_for_its_noun(changed: str, more: list[str]) -> None:
    assert folders_for([changed]) == sorted([*ALWAYS, *more])


def test_files_of_one_noun_bring_its_tests_once() -> None:
    assert folders_for(["dashboard/web/links/page.py", "tests/web/links/test_list.py"]) == sorted(
        [*ALWAYS, "tests/services/links", "tests/store/links", "tests/web/links"]
    )
