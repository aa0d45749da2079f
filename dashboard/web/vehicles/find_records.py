"""Define what the templates of the find box receive: what was found, by kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from dashboard.domain.money import NO_SUM, Sum
from dashboard.domain.registration import MAX_LENGTH
from dashboard.web.links.list_records import Column, LinkRow
from dashboard.web.shared.records import StateWords
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.records import Narrowing, VehicleCard

#: The palette lists so many of a kind, and so does the page of several kinds.
MOST_OFFERED = 6


@dataclass(frozen=True, slots=True)
class Found:
    """Show one thing that the find box found, with its state, sum and vehicle where it has them.

    `is_plate`: its words are the number of a vehicle; `is_vehicle`: it is that vehicle. `sum` adds up so many
    `amounts`, of what `sum_words` say. `status`, `dated` and `place` are those of a challan, as the service tells them;
    one that `is_not_payable` has its `fine` in place of a sum, and one that `is_payable` can be put on a link.
    `link_id` is that of a link; `is_sum`: its sum was typed.
    `hit` is where its words have what was typed, from and to, `place_hit` where its place has, and `more_hit` where the
    rest has, which begins with a driver's phone; `begins`: that begins as typed. `keys` lead there as well, and
    `presses` selects what a script presses in place of going there.
    """

    words: str
    address: str
    more: str = ""
    state: StateWords | None = None
    sum: Sum | None = None
    is_plate: bool = False
    is_vehicle: bool = False
    is_sum: bool = False
    plate: str = ""
    status: str = ""
    is_not_payable: bool = False
    is_payable: bool = False
    fine: Decimal | None = None
    hit: tuple[int, int] = (0, 0)
    amounts: int = 1
    dated: datetime | None = None
    place: str = ""
    place_hit: tuple[int, int] = (0, 0)
    more_hit: tuple[int, int] = (0, 0)
    begins: bool = False
    sum_words: str = ""
    keys: str = ""
    presses: str = ""
    link_id: str = ""


@dataclass(frozen=True, slots=True)
class FoundGroup:
    """Show what was found of one kind, and whether more was (`is_cut`): `total`, or even more (`is_more`).

    A page shows `vehicles` in the table of known ones, and `links` in that of the list of links, with its `columns`.
    The palette says of `links` what tells them apart.
    """

    title: str
    items: tuple[Found, ...]
    is_cut: bool = False
    in_links: str = ""  # where they are a list of links
    vehicles: tuple[VehicleCard, ...] = ()
    links: tuple[LinkRow, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    kind: str = ""  # of `texts.KINDS`, or "places"
    total: int = 0
    is_more: bool = False
    order: str = ""
    orders: Mapping[str, str] = field(default_factory=dict)  # what each is called, where there are several
    addresses: Mapping[str, str] = field(default_factory=dict)  # of the orders
    filters: tuple[Narrowing, ...] = ()
    among: int = 0  # how many were compared, where there are even more

    @property
    def count(self) -> str:
        """Return how many there are, with a sign where there are even more."""
        return f"{self.total or len(self.items)}{'+' if self.is_more else ''}"

    @property
    def offered(self) -> tuple[Found, ...]:
        """Return what the palette lists: every place, and so many of another kind."""
        return self.items if self.kind == "places" else self.items[:MOST_OFFERED]

    @property
    def rows(self) -> dict[str, LinkRow]:
        """Return the links by their ids."""
        return {row.card.id: row for row in self.links}

    @property
    def hits(self) -> dict[str, Found]:
        """Return what was found, by its words, or a link by its id."""
        return {item.link_id or item.words: item for item in self.items}

    @property
    def owed(self) -> Sum | None:
        """Return what is to pay for all of its vehicles; None for another kind, for nothing, or for a part of them."""
        if self.is_cut:
            return None
        total = sum((card.payable_sum for card in self.vehicles), NO_SUM)
        return total if total.total else None


@dataclass(frozen=True, slots=True)
class WithoutState:
    """Show what is found without the state that was typed, where no link is in it."""

    none: str  # that none is
    found: str  # what there is
    address: str


@dataclass(frozen=True, slots=True)
class FindPage:
    """Show all that the find box found, by kind.

    `search_rc` is the number that was typed, where it could be a vehicle's that is not known and can be searched;
    `is_beginning`: nothing is found, and what was typed is the beginning of one.
    """

    typed: str
    groups: tuple[FoundGroup, ...]
    kinds: tuple[FoundGroup, ...] = ()  # all that was found, where `groups` has one kind of it
    among: int = 0  # the newest challans among which parts of numbers are looked for, where there are more
    search_plate: str | None = None
    search_rc: str | None = None
    is_beginning: bool = False
    of: str = ""  # the one kind that was looked for, if it was one
    without_state: WithoutState | None = None  # where nothing is found
    best: str | None = None  # the address of what the text names exactly, or of all that was found

    @property
    def first(self) -> int | None:
        """Return how many of each kind are shown, so that the next kind is near; None where one kind was found."""
        return MOST_OFFERED if sum(group.kind != "places" for group in self.groups) > 1 else None

    @property
    def examples(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return what can be found, each with examples."""
        return texts.find_examples()

    @property
    def number(self) -> str | None:
        """Return what was typed, where it may be a part of a number that is typed in full next."""
        is_part = any(sign.isdigit() for sign in self.typed) and len(self.typed) <= MAX_LENGTH
        return self.typed if is_part else None
