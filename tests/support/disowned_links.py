"""Find the links that a page or an export calls made elsewhere."""

from __future__ import annotations

import re

import lxml.html
from lxml.html import HtmlElement

from dashboard.domain.discrepancies import DiscrepancyKind

_NOT_OURS = re.compile(r"(made|created) (elsewhere|outside this dashboard)|not created here|nobody made it here", re.I)
_LINK = re.compile(r"/links/([0-9a-f-]{36})(?:$|[/?#])")


def disowned_links(address: str, markup: str) -> set[str]:
    """Return the ids of the links that an answer calls made elsewhere; a CSV file is read line by line."""
    if not _NOT_OURS.search(markup):
        return set()
    path, _, query = address.partition("?")
    if path.endswith(".csv"):
        return {line[:36] for line in markup.splitlines() if _NOT_OURS.search(line)}
    page = lxml.html.document_fromstring(markup)
    for hidden in page.xpath("//script|//option"):
        hidden.drop_tree()
    own = _LINK.search(path)
    found = {own[1]} if own and _NOT_OURS.search(_words(page)) else set()
    for anchor in page.iter("a"):
        if (about := _LINK.search(anchor.get("href", ""))) and _is_disowned(anchor, query):
            found.add(about[1])
    return found


def _is_disowned(anchor: HtmlElement, query: str) -> bool:
    rows = anchor.xpath("ancestor::*[self::tr or self::li][1]")
    if any(_first_link(row) != anchor.get("href") for row in rows):
        return False  # A row is about the link that it names first: it may lead to the one that replaces it as well.
    in_filter = "elsewhere" in query and bool(anchor.xpath("ancestor::*[@id='links-rows']"))
    is_found = bool(anchor.xpath(f"ancestor::section[@id='{DiscrepancyKind.ELSEWHERE}']"))
    return in_filter or is_found or any(_NOT_OURS.search(_words(row)) for row in rows)


def _first_link(row: HtmlElement) -> str | None:
    return next((address for address in row.xpath(".//a/@href") if _LINK.search(address)), None)


def _words(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())
