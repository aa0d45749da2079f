"""Test that at every width, in every language, no page is wider than the window and no words or controls overlap."""

from __future__ import annotations

from datetime import time, timedelta
from decimal import Decimal

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.domain.fleet import FleetVehicle, PlannedLink
from dashboard.domain.fleet_input import Line
from dashboard.domain.fleet_schedules import EVERY_DAY, Repeat, Scope
from dashboard.domain.money import Sum
from tests.e2e.conftest import RC, Office
from tests.e2e.manager_steps import links_of, tab_of
from tests.support.lanes import take_parts
from tests.support.people import ARUN, ASHA
from tests.support.staff_member import StaffMember

pytestmark = pytest.mark.e2e

WIDTHS = (320, 390, 768, 1024, 1280, 1920)
MANY, HELD = "KA05MN4321", "DL01CB2002"
LONG = "Ramachandran Venkatasubramanian Krishnamoorthy (night depot, Visakhapatnam)"

#: What is wrong on a page. The layer of an element is what it stands in that lies over the page, such as a fixed bar:
#: two layers may overlap. A label may lie over its own control, which is clicked through it, and so may a payment URL
#: that is drawn whole over the field which holds it.
WRONG = """() => {
  const wrong = new Set(), root = document.documentElement, layers = new Map(), boxes = [];
  if (root.scrollWidth > root.clientWidth) wrong.add(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
  const layer = (e) => {
    if (e === document.body) return e;
    if (!layers.has(e)) {
      const style = getComputedStyle(e), above = layer(e.parentElement);
      const hidden = style.clipPath.startsWith("inset") || e.matches("svg, dialog:not([open])");
      const over = /fixed|sticky/.test(style.position) || (style.position === "absolute" && style.zIndex !== "auto");
      const scrolls = /auto|scroll/.test(style.overflowX) && e.scrollWidth > e.clientWidth;
      layers.set(e, hidden || !above ? null : over || scrolls ? e : above);
    }
    return layers.get(e);
  };
  // The nearest element around it that cuts off what does not fit, such as a cell of one line or words of two.
  const cuts = new Map();
  const cut = (e) => {
    if (e === root) return null;
    if (!cuts.has(e)) cuts.set(e, getComputedStyle(e).overflowX === "hidden" ? e : cut(e.parentElement));
    return cuts.get(e);
  };
  const seen = (e, { left, right, top, bottom }) => {
    const edge = cut(e)?.getBoundingClientRect();
    if (edge) [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
    if (edge) [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    return { left, right, top, bottom, width: right - left, height: bottom - top };
  };
  // Runs of letters, each with its text node; a number or an address may be broken anywhere.
  const words = (e) => [...e.querySelectorAll(":scope, *")].flatMap((each) => [...each.childNodes])
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .flatMap((node) => [...node.data.matchAll(/[\\p{L}\\p{M}]{3,}/gu)].map((word) => [node, word]));
  const name = (e) => `${e.localName}.${e.className} "${e.textContent.trim().replace(/\\s+/g, " ").slice(0, 40)}"`;
  for (const e of document.querySelectorAll("main *, header *")) {
    if (!e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) || !layer(e)) continue;
    if (e.matches("a, button, input, select, textarea, summary")) boxes.push([e, seen(e, e.getBoundingClientRect())]);
    for (const node of e.childNodes) if (node.nodeType === Node.TEXT_NODE && node.data.trim()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) boxes.push([e, seen(e, box)]);
    }
  }
  // A column that is narrower than its words breaks them between letters.
  for (const e of document.querySelectorAll("main :is(th, td, dd, li, p)")) {
    if (!e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) || !layer(e)) continue;
    for (const [text, word] of words(e)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const drawn = [...range.getClientRects()].filter((box) => box.width > 0);
      const lines = new Set(drawn.map((box) => Math.round(box.top)));
      const isBroken = lines.size > 2 && word[0].length / lines.size < 5;
      if (isBroken) wrong.add(`the word "${word[0].slice(0, 40)}" of ${name(e)} takes ${lines.size} lines`);
    }
  }
  const drawn = boxes.filter(([, box]) => box.width > 1 && box.height > 1).sort((a, b) => a[1].top - b[1].top);
  drawn.forEach(([a, over], at) => {
    for (const [b, under] of drawn.slice(at + 1)) {
      if (under.top >= over.bottom - 1) break;
      if (a.contains(b) || b.contains(a) || layer(a) !== layer(b)) continue;
      if (a.closest("label")?.control === b || b.closest("label")?.control === a) continue;
      if (a.closest(".copy-url")?.contains(b)) continue;
      const width = Math.min(over.right, under.right) - Math.max(over.left, under.left);
      // Boxes of letters are as high as the font, which is higher than what is drawn.
      const height = Math.min(over.bottom, under.bottom) - under.top - (a.matches("a, button, input") ? 0 : 2);
      if (width > 1 && height > 1) wrong.add(`${name(a)} and ${name(b)} overlap, ${width} by ${height} px`);
    }
  });
  return [...wrong];
}"""


@pytest.fixture
def pages(office: Office) -> dict[str, str]:
    """Fill the office, and return the addresses of its pages by what stands on them."""
    many = [{"challanNo": f"KA{n:014}", "challanAmount": 500 + n, "offenseDetails": LONG} for n in range(40)]
    office.levers.add_vehicle(MANY, many)
    active, paid = links_of(office, HELD, ARUN, [2500, 123456])
    links_of(office, "MH14GH0007", ASHA, [900])
    person = office.app.extensions["people"].find(ARUN.email)
    arun = StaffMember(office.services, person.id)
    for rc in (MANY, RC):
        arun.search(rc)
        office.services.selections.tick(person.id, rc, arun.payable(rc)[:3], "")
    given = [
        {"rc": "truck"},
        {"rc": "MH12AB1003", "city": "Punne", "rc_type": "TRUCK"},
        {"rc": "MH12AB10012", "note": LONG},
    ]
    lines = [Line(number, cells) for number, cells in enumerate(given, start=1)]
    office.services.fleet_drafts.fetch_lists(lines)
    draft = office.services.fleet_drafts.add(person.id, LONG, lines, ignored=[LONG])
    listed = office.services.fleet_lists.save(LONG[:60], [FleetVehicle(HELD)], person.id)
    office.services.fleet_schedules.add(Repeat(Scope.LIST, EVERY_DAY, time(2, 0), listed.id), person.id)
    run = office.services.fleet_searches.start(LONG, [FleetVehicle(rc) for rc in (RC, MANY, HELD, "XX")], person.id)
    take_parts(office.services, run)
    planned = [PlannedLink(MANY, tuple(arun.payable(MANY)[n : n + 2]), Sum(Decimal(1234567), 1)) for n in (6, 8)]
    plan = office.services.fleet_plans.start(LONG, planned, hours=48, person_id=person.id, run_id=run)
    take_parts(office.services, plan)
    office.levers.pay(paid)
    office.polls_until(paid, status="PAID")
    return {
        "home": "/",
        "links": "/links",
        "an active link": f"/links/{active}",
        "a paid link": f"/links/{paid}",
        "share": f"/links/{active}/share",
        "follow up": "/follow-up",
        "choose drivers": "/follow-up/drivers",
        "fleet": "/fleet",
        "a draft": f"/fleet/drafts/{draft}",
        "a run": f"/fleet/runs/{run}",
        "vehicles of a run without details": f"/fleet/runs/{run}?outcome=details_needed",
        "the review of a run": f"/fleet/runs/{run}/review",
        "a vehicle of the review of a run": f"/fleet/runs/{run}/review/vehicles/{MANY}",
        "the plan of a run": f"/fleet/runs/{run}/review/plan",
        "a plan": f"/fleet/plans/{plan}",
        "the links of a plan by driver": f"/fleet/plans/{plan}/share",
        "the choice of drivers of a plan": f"/fleet/plans/{plan}/drivers",
        "the codes of a plan": f"/fleet/plans/{plan}/sheet",
        "drivers": "/drivers",
        "messages": "/messages",
        "reconcile": "/reconcile",
        "statement": "/reconcile/statement",
        "overview": "/overview",
        "service": "/service",
        "service, checks": "/service/assumptions",
        "people": "/people",
        "account": "/account",
        "audit": "/audit",
        "find": "/find?q=MH1",
        "find a place": "/find?q=sion",
        "vehicles": "/vehicles",
        "many challans": f"/vehicles/{MANY}",
        "the review": f"/vehicles/{RC}/review",
    }


@pytest.mark.parametrize("language", ["English", "हिन्दी"])
def test_no_page_is_too_wide_and_nothing_overlaps(
    office: Office, browser: Browser, pages: dict[str, str], language: str
) -> None:
    with tab_of(browser, office, ARUN, reduced_motion="reduce") as desk:
        desk.adds_a_driver(name=LONG, phone="98765 43210", vehicles=HELD)
        desk.page.locator("person-menu summary").click()
        desk.page.get_by_role("button", name=language).click()
        expect(desk.page.locator("html")).to_have_attribute("lang", "hi" if language == "हिन्दी" else "en")
        wrong: list[str] = []
        for name, address in pages.items():
            desk.opens(address)
            assert desk.page.url == desk.url + address
            for width in WIDTHS:
                wrong += [f"{name} at {width} px: {each}" for each in measured(desk.page, width)]
        assert not wrong, "\n".join(wrong[:40])


@pytest.mark.parametrize("language", ["English", "हिन्दी"])
def test_when_a_link_should_have_ended_stays_in_its_column(office: Office, browser: Browser, language: str) -> None:
    [overdue] = links_of(office, HELD, ARUN, [2500])
    at = office.services.clock().replace(microsecond=0) - timedelta(hours=2)
    office.levers.set_link(overdue, raw={"expiresAt": f"{at:%Y-%m-%dT%H:%M:%S}Z", "status": "ACTIVE"})
    office.polls_until(overdue, expires_at=at)
    with tab_of(browser, office, ARUN, reduced_motion="reduce") as desk:
        desk.opens("/links")
        desk.page.locator("person-menu summary").click()
        desk.page.get_by_role("button", name=language).click()
        expect(desk.page.locator("html")).to_have_attribute("lang", "hi" if language == "हिन्दी" else "en")
        expect(desk.page.locator(f"#row-{overdue} .when > .follow-urgent")).to_be_visible()
        for width in (*WIDTHS, 1440):
            assert measured(desk.page, width) == [], f"at {width} px"


def measured(page: Page, width: int) -> list[str]:
    page.set_viewport_size({"width": width, "height": 844})
    page.wait_for_function("width => innerWidth === width", arg=width)
    found: list[str] = page.evaluate(WRONG)
    return found
