"""Steps of sharing a link, as staff would say them."""

from __future__ import annotations

from dashboard.services.container import Services
from dashboard.store.sharing import drivers
from tests.support.page import Page
from tests.support.web_client import HTMX, WebClient
from tests.web.steps import searched


def makes_a_link(visitor: WebClient) -> str:
    """Make a link for all challans of the usual vehicle; return its id."""
    page = searched(visitor)
    boxes = page.tree.xpath("//input[@type='checkbox'][@name='challan']/@value")
    review = visitor.read(page.submit("Review and create", challan=boxes))
    answer = review.submit("Create payment link")
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"].rsplit("/", 1)[-1]


def adds_a_driver(visitor: WebClient, **fields: str) -> str:
    """Add a driver, by default the usual one of the usual vehicle; return their id."""
    usual = {"name": "Ramesh Kumar", "phone": "98765 43210", "language": "hi", "vehicles": "mh-12 ab 1001"}
    answer = visitor.page("/drivers").submit("Add the driver", **usual | fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"].rpartition("/drivers?added=")[-1]


def opens_send_to(visitor: WebClient, link_id: str) -> Page:
    """Open the menu of whom a link is sent to, in its row."""
    [menu] = visitor.page("/follow-up").all(f"#send-to-{link_id}")
    return Page(visitor, visitor.get(str(menu["hx-get"]), headers=HTMX), region=True)


def chooses(visitor: WebClient, address: str, typed: dict[str, str], **fields: str | None) -> Page:
    """Type who drives which vehicle on a page where that is chosen, save, and return the page that follows."""
    named = {f"driver-{rc}": name for rc, name in typed.items()}
    return visitor.read(visitor.page(address).submit("Save drivers", **named, **fields))


def vehicles_by_driver(services: Services) -> dict[str, list[str]]:
    """Return the vehicles that each driver usually drives, by their name."""
    with services.store.read() as connection:
        listed = drivers.listed(connection)
        vehicles = drivers.vehicles(connection, [each.id for each in listed])
        return {each.name: vehicles[each.id] for each in listed}


def prepares(visitor: WebClient, link_id: str, driver: str = "", **chosen: str) -> Page:
    """Check the link and word its message, for a driver of this id if there is one; return the share page."""
    page = visitor.page(f"/links/{link_id}/share" + (f"?driver={driver}" if driver else ""))
    return visitor.read(page.submit("Update message", **chosen))


def shares(visitor: WebClient, page: Page, link_id: str, channel: str) -> None:
    """Use a way to send on the share page, as its script records it."""
    element = page.one("share-options")
    token = page.one("meta[name=csrf-token]")["content"]
    fields = {"channel": channel, "language": element["data-language"]}
    driver = element["data-driver"]
    fields |= {"driver": driver} if driver else {"to": element["data-to"]}
    answer = visitor.post(f"/links/{link_id}/shared", data=fields | {"csrf_token": token})
    assert answer.status_code == 204
