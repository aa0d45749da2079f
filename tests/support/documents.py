"""Read the project's documents: headings, anchors, links, tables and code blocks of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import dashboard

ROOT = Path(dashboard.__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
INTERFACE = DOCS / "service-interface.md"
LINK_CREATION = DOCS / "link-creation.md"

_FOLDERS = ("dashboard", "templates", "static/css", "static/js", "tests", "deploy", "docs")
_FILES = ("README.md", "CHANGELOG.md", "SECURITY.md", "Makefile", "pyproject.toml")
_TEXT = frozenset({".py", ".html", ".css", ".js", ".md", ".sh", ".json", ".toml", ".mako", ""})
_LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.M | re.S)


def texts() -> Iterator[tuple[Path, str]]:
    """Yield every source file and document with its text."""
    files = [ROOT / name for name in _FILES]
    for folder in _FOLDERS:
        files += sorted(file for file in (ROOT / folder).rglob("*") if file.suffix in _TEXT and file.is_file())
    for file in files:
        if "__pycache__" not in file.parts:
            yield file, file.read_text(encoding="utf-8")


def documents() -> list[Path]:
    """Return the Markdown files of the project."""
    return [file for file, _ in texts() if file.suffix == ".md"]


def headings(file: Path) -> list[tuple[int, str]]:
    """Return the headings of a document with their level, without code blocks."""
    found = re.findall(r"^(#{1,6}) (.+)$", _FENCE.sub("", file.read_text(encoding="utf-8")), re.M)
    return [(len(marks), words.strip()) for marks, words in found]


def anchors(file: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a document."""
    made: dict[str, int] = {}
    found = set()
    for _, words in headings(file):
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        count = made.get(anchor, 0)
        made[anchor] = count + 1
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


def links(file: Path) -> list[str]:
    """Return the targets of the links and pictures in a document, without code blocks."""
    return _LINK.findall(_FENCE.sub("", file.read_text(encoding="utf-8")))


def section(file: Path, title: str) -> str:
    """Return the text under a heading, up to the next one of its level or above."""
    text = file.read_text(encoding="utf-8")
    start = re.search(rf"^(#+) {re.escape(title)}\n", text, re.M)
    assert start, f"{file.name} has no section {title}"
    rest = text[start.end() :]
    end = re.search(rf"^#{{1,{len(start[1])}}} ", rest, re.M)
    return rest[: end.start()] if end else rest


def table(file: Path, title: str, first_cell: str) -> list[list[str]]:
    """Return the rows of the table under a heading whose first row begins with `first_cell`."""
    rows = [_cells(line) for line in section(file, title).splitlines() if line.startswith("|")]
    heads = [number for number, cells in enumerate(rows[:-1]) if set(rows[number + 1][0]) <= {"-", ":"}]
    for number, head in enumerate(heads):
        if rows[head][0] == first_cell:
            end = heads[number + 1] if number + 1 < len(heads) else len(rows)
            return rows[head + 2 : end]
    raise AssertionError(f"{file.name} has no table of {first_cell} under {title}")


def code_blocks(file: Path) -> list[str]:
    """Return the fenced blocks of a document."""
    return _FENCE.findall(file.read_text(encoding="utf-8"))


def code(text: str) -> list[str]:
    """Return the text in backticks, without code blocks."""
    return re.findall(r"`([^`]+)`", _FENCE.sub("", text))


def lines_of_code(file: Path) -> list[str]:
    """Return the lines of the fenced blocks of a document, and its text in backticks."""
    blocks = (block.splitlines() for block in code_blocks(file))
    return [*(line for block in blocks for line in block), *code(file.read_text(encoding="utf-8"))]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
