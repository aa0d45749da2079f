"""Test how a plan is made from payable challans, and what its address says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from dashboard.domain.fleet_plan import (
    Order,
    PayableChallan,
    ReviewFilter,
    by_vehicle,
    make_plan,
    mark_of,
    narrowed,
    pack,
    unpack,
)
from dashboard.domain.money import Sum

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def challan(rc: str, number: int, *, days: int | None = 10, total: str | None = "500", **more: str) -> PayableChallan:
    date = None if days is None else NOW - timedelta(days=days)
    amount = None if total is None else Decimal(total)
    return PayableChallan(int(rc[1:]), rc, f"{rc}-{number}", amount, date, more.get("state"), more.get("type"))


def plates(challans: list[PayableChallan], order: Order) -> list[str]:
    return [link.rc for link in make_plan(by_vehicle(challans, order), order).links]


def test_a_vehicle_of_more_than_a_hundred_challans_makes_several_links_of_all_of_them() -> None:
    challans = [challan("V1", n, days=n) for n in range(179)]
    plan = make_plan(by_vehicle(challans, Order.OLDEST), Order.OLDEST)
    assert [len(link.challan_ids) for link in plan.links] == [100, 79]
    assert {each for link in plan.links for each in link.challan_ids} == {each.id for each in challans}
    assert plan.challans == 179
    assert plan.vehicles == 1
    assert plan.links[0].challan_ids[0] == "V1-178", "the oldest is not on the first link"


def test_an_unknown_amount_is_counted_and_not_added() -> None:
    plan = make_plan(by_vehicle([challan("V1", 1), challan("V1", 2, total=None)], Order.OLDEST), Order.OLDEST)
    assert plan.to_pay == Sum(Decimal(500), 1)


def test_what_was_on_a_failed_link_is_left_out_unless_it_is_ticked_anyway() -> None:
    [lot] = by_vehicle([challan("V1", n) for n in (1, 2, 3)], Order.OLDEST)
    skipped = {mark_of("V1-3")}

    def ticked(*anyway: int) -> list[str]:
        chosen = lot.ticked(skipped, {"V1-2"}, anyway)
        assert chosen.to_pay == Sum(Decimal(500 * len(chosen.challans)), 0)
        return [each.id for each in chosen.challans]

    assert ticked() == ["V1-1"]
    assert ticked(2) == ["V1-1"], "another vehicle"
    assert ticked(1) == ["V1-1", "V1-2"], "what is skipped stays so"


def test_the_oldest_or_the_largest_come_first() -> None:
    challans = [challan("V1", 1, days=5, total="900"), challan("V2", 1, days=50), challan("V3", 1, days=None)]
    assert plates(challans, Order.OLDEST) == ["V2", "V1", "V3"]
    assert plates(challans, Order.LARGEST) == ["V1", "V2", "V3"]


def test_links_of_one_vehicle_stand_together() -> None:
    challans = [challan("V1", n, days=300 - n) for n in range(150)] + [challan("V2", 1, days=250)]
    assert plates(challans, Order.OLDEST) == ["V1", "V1", "V2"]


def test_a_filter_narrows_by_age_amount_state_type_and_driver() -> None:
    old = challan("V1", 1, days=90, total="2000", state="Goa", type="ONLINE")
    new = challan("V2", 1, days=1, total="100", state="Kerala", type="OFFLINE")
    unknown = challan("V3", 1, days=None, total=None)
    filters = (
        ReviewFilter(days=30),
        ReviewFilter(least=Decimal(1000)),
        ReviewFilter(state="Goa"),
        ReviewFilter(type="ONLINE"),
        ReviewFilter(driver_id=7),
    )
    for each in filters:
        assert narrowed([old, new, unknown], each, NOW, {"V1"}) == [old], each
    assert narrowed([old, new, unknown], ReviewFilter(most=Decimal(1000)), NOW) == [new]
    assert narrowed([old, new, unknown], ReviewFilter(), NOW) == [old, new, unknown]


def test_a_plan_of_other_challans_has_another_fingerprint() -> None:
    one = make_plan(by_vehicle([challan("V1", 1)], Order.OLDEST), Order.OLDEST)
    other = make_plan(by_vehicle([challan("V1", 1, total="501")], Order.OLDEST), Order.OLDEST)
    assert one.fingerprint != other.fingerprint
    assert one.fingerprint == make_plan(by_vehicle([challan("V1", 1)], Order.LARGEST), Order.LARGEST).fingerprint


@given(st.frozensets(st.integers(1, 10_000)))
def test_places_survive_an_address(positions: frozenset[int]) -> None:
    packed = pack(positions)
    assert unpack(packed) == positions
    assert len(packed) < 1800
    assert packed.replace("-", "").replace("_", "").isalnum() or not packed


@given(st.text(max_size=200))
def test_a_text_that_is_no_address_of_ours_leaves_nothing_out(text: str) -> None:
    assert isinstance(unpack(text), frozenset)
