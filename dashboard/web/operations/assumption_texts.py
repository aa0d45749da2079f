"""The assumptions of docs/link-creation.md in plain words, each with a check that a person makes at staging."""

from __future__ import annotations

from dashboard.web.operations.records import Assumption
from dashboard.web.shared.languages import lazy

_FILL_IN = lazy(
    "In the command below, put the vehicle in place of VEHICLE and the challan in place of CHALLAN. "
    "DASHBOARD_API_SECRET must hold the API key."
)
_A_VEHICLE = lazy("Search a test vehicle at staging that has a pending challan.")

ASSUMPTIONS = (
    Assumption(
        "A1",
        lazy("A refusal (4xx) means that no link was created."),
        lazy("After a refusal the challans are free for another link at once."),
        (
            _A_VEHICLE,
            _FILL_IN,
            lazy("Refresh the vehicle from the source."),
        ),
        lazy("The command says 400, because a link of 23 hours is not allowed, and the challan is still on no link."),
    ),
    Assumption(
        "A2",
        lazy("The service makes no second active link for a challan."),
        lazy("No challan can be paid twice, even through a link made elsewhere."),
        (
            _A_VEHICLE,
            _FILL_IN,
            lazy("It sends the same creation twice at the same moment. Then run it once more."),
        ),
        lazy("At first one request says 200 and the other 409; then both say 409."),
    ),
    Assumption(
        "A3",
        lazy("A fresh search shows a created link on its challans."),
        lazy("A link whose answer got lost is found again by a search."),
        (
            _A_VEHICLE,
            lazy("Create a link for the challan."),
            lazy("Refresh the vehicle from the source within 10 seconds."),
        ),
        lazy("The challan shows the new link."),
    ),
    Assumption(
        "A4",
        lazy("A creation is carried out or dropped within 120 seconds."),
        lazy("Two minutes after a lost answer we know whether there is a link."),
        (
            lazy("Create a link at staging and cut the network before the answer comes."),
            lazy("Watch the page of the request: it searches by itself."),
            lazy("Compare when the link was created there with when it was sent."),
        ),
        lazy(
            "The link was created within 120 s of the send. Ask the service’s support for its longest time limit too."
        ),
    ),
    Assumption(
        "A5",
        lazy("All processes of the dashboard share one database."),
        lazy("Two of our hosts never create a link for the same challan."),
        (
            lazy("Compare DASHBOARD_DATABASE_URL and DASHBOARD_DATA_DIR on every host."),
            lazy("Create a link through one host, and open it through each of the others."),
        ),
        lazy("Every host shows the link at once."),
    ),
    Assumption(
        "A6",
        lazy("Nothing between us and the service sends a request twice."),
        lazy("One click creates one link, never a second one unseen."),
        (
            lazy("List what stands between: proxy, firewall, mesh. Switch off retries of POST there."),
            lazy("Create one link at staging, and cut the connection between proxy and service meanwhile."),
            lazy("Count the creation requests in the proxy’s log."),
        ),
        lazy("The log has the request once."),
    ),
    Assumption(
        "A7",
        lazy("A wrong key is answered with 401."),
        lazy("A wrong API key stops all calls at once."),
        (lazy("Run the command below once: it has a made-up key, and wrong keys are throttled."),),
        lazy("The command says 401."),
    ),
    Assumption(
        "A8",
        lazy("The clocks of our hosts agree within 1 second and do not step."),
        lazy("A link is matched with the request that created it."),
        (
            lazy("Read the table Clocks on the page Service status."),
            lazy("Ask each host: “chronyc tracking” or “timedatectl” says synchronized."),
        ),
        lazy("Every host agrees, and none has stepped."),
    ),
)
