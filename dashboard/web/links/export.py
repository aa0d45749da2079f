"""Export the links that a filter finds: a row for each link, or for each challan of a link, in constant memory.

Text that came from elsewhere is defused, so that no spreadsheet takes it for a formula. Amounts stay `Decimal` and
moments aware until the format is written; the head of each column names its currency or its zone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from decimal import Decimal
from enum import StrEnum

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.domain.link_filters import LinkFilter
from dashboard.domain.spreadsheets import Cell, defused
from dashboard.services.schedule import Clock
from dashboard.store.accounts import people
from dashboard.store.creation import possible_makers
from dashboard.store.engine import Store
from dashboard.store.links import custom_fields, links
from dashboard.store.links import listing as link_listing
from dashboard.store.links.records import CoveredChallan, Link
from dashboard.web.links import export_texts, texts
from dashboard.web.links.custom_field_texts import LABELS
from dashboard.web.shared.texts import NO_LONGER_KNOWN

_BATCH = 500


class RowPer(StrEnum):
    LINK = "link"
    CHALLAN = "challan"


@dataclass(frozen=True, slots=True)
class _Words:
    """Hold the words of rows: a file is sent after the request, which knows the language."""

    origins: Mapping[str, str]
    maker_not_settled: str
    no_longer_known: str

    @classmethod
    def of_request(cls) -> _Words:
        origins = {origin: str(words) for origin, words in export_texts.EXPORT_ORIGINS.items()}
        return cls(origins, str(texts.MAKER_NOT_SETTLED), str(NO_LONGER_KNOWN))


@dataclass(frozen=True)
class LinkExport:
    """`zone` is that of moments, and `currency` that of amounts."""

    store: Store
    clock: Clock
    zone: tzinfo
    currency: str

    def head(self, row_per: RowPer) -> list[str]:
        """Return the names of the columns, with the zone of moments and the currency of amounts."""
        columns = export_texts.EXPORT_OF_LINK + [LABELS[field.name] for field in CUSTOM_FIELDS]
        if row_per is RowPer.CHALLAN:
            columns += export_texts.EXPORT_OF_CHALLAN
        return [column.format(zone=self.zone, currency=self.currency) for column in columns]

    def rows(self, asked: LinkFilter, row_per: RowPer) -> Iterator[list[Cell]]:
        """Return the rows below the head. The store is read in batches, and no transaction is held between them."""
        return self._rows(asked, row_per, _Words.of_request())

    def _rows(self, asked: LinkFilter, row_per: RowPer, words: _Words) -> Iterator[list[Cell]]:
        now = self.clock()
        place = None
        with self.store.read() as connection:
            names: dict[int | None, str] = {person.id: person.name for person in people.everybody(connection)}
        while True:
            with self.store.read() as connection:
                found = link_listing.page(connection, asked, self.zone, now, place=place, limit=_BATCH)
                custom = custom_fields.of_links(connection, found)
                covered: dict[str, list[CoveredChallan]] = {row.id: [] for row in found}
                for challan in links.challans_of(connection, *covered) if found else ():
                    covered[challan.link_id].append(challan)
                possible = possible_makers.of_links(connection, covered)
            for row in found:
                challans = covered[row.id]
                # While only a search has shown a link, its challans are unknown.
                number = len(challans) if challans or row.detailed else None
                common = self._link(row, number, names, custom[row.id], words, possibly_ours=row.id in possible)
                if row_per is RowPer.LINK:
                    yield common
                else:
                    yield from (common + _challan(each) for each in challans or (None,))
            if len(found) < _BATCH:
                return
            place = link_listing.place_of(found[-1], asked.sort)

    def _link(
        self,
        row: Link,
        challans: int | None,
        names: dict[int | None, str],
        custom: Mapping[str, str],
        words: _Words,
        *,
        possibly_ours: bool,
    ) -> list[Cell]:
        amount = row.amount
        parts: Sequence[Decimal | None] = (None,) * 4
        if amount is not None:
            parts = (amount.base_amount, amount.legal_fee, amount.gst, amount.convenience_fee)
        return [
            row.id,
            defused(row.rc),
            defused(f"{row.status}, {words.no_longer_known}" if row.is_unknown else row.status),
            row.status_since,
            row.made_at,
            defused(names.get(row.person_id)),
            words.maker_not_settled if possibly_ours else words.origins[row.origin],
            row.hours,
            row.expires_at,
            row.paid_at,
            challans,
            *parts,
            row.total,
            defused(row.payment_url),
            *(defused(custom.get(field.name)) for field in CUSTOM_FIELDS),
        ]


def _challan(row: CoveredChallan | None) -> list[Cell]:
    """Return the cells of a challan; empty ones for a link without known challans, so that it is not left out."""
    if row is None:
        return [None] * 8
    values = (row.challan_no, row.rc_number, row.state, row.challan_type, row.status)
    return [*map(defused, values), row.challan_amount, row.legal_fee, row.total_amount]
