"""Simulate impatient staff, who click on the same vehicles, at the same moments, twice, again later, and by going back.

Each clerk decides by a seed of their own; the order in which clerks act is not reproducible.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from tests.faults.witness import Click, Witness
from tests.support.browser import Browser, NoAnswer, ShownPage

CREATE = "Create payment link"
#: The hours that clerks request. Links created elsewhere in the storm have other hours, which distinguishes them.
HOURS = (24, 25, 48, 48, 72, 168)
#: Most clicks are on few vehicles, so that people compete for the same challans.
_BUSY = 3
_AT_ONCE_SECONDS = 0.25


class Tally:
    """Count events from many threads."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, what: str, count: int = 1) -> None:
        with self._lock:
            self._counts[what] += count

    def counted(self) -> Counter[str]:
        with self._lock:
            return self._counts.copy()


class Meetings:
    """Let two people who are about to click on the same vehicle wait briefly for one another."""

    def __init__(self, rcs: Sequence[str]) -> None:
        self._places = {rc: threading.Barrier(2) for rc in rcs}

    def meet(self, rc: str) -> bool:
        try:
            self._places[rc].wait(_AT_ONCE_SECONDS)
        except threading.BrokenBarrierError:
            self._places[rc].reset()
            return False
        return True


@dataclass(frozen=True)
class Office:
    """Hold the state that all clerks share."""

    rcs: Sequence[str]
    meetings: Meetings
    witness: Witness
    tally: Tally
    over: threading.Event
    hands: ThreadPoolExecutor


class Clerk(threading.Thread):
    def __init__(self, office: Office, browser: Browser, person_id: int, rng: random.Random) -> None:
        super().__init__(name=f"{browser.email} {rng.random():.3f}", daemon=True)
        self._office = office
        self._browser = browser
        self._person_id = person_id
        self._rng = rng
        self._sent: list[Click] = []
        self._led_to: list[str] = []
        self._open: dict[str, ShownPage] = {}
        self._pending: list[Future[None]] = []
        self.trouble: list[str] = []

    def run(self) -> None:
        steps: list[Callable[[], None]] = [self._create, self._resend, self._look, self._look_now, self._sign_out]
        while not self._office.over.is_set():
            step = self._rng.choices(steps, (10, 4, 2, 1, 0.1))[0]
            try:
                step()
            except NoAnswer:
                self._office.tally.add("no answer")
                self._office.over.wait(0.2)
            except Exception as error:
                self.trouble.append(f"{self.name}: {type(error).__name__}: {error}")
        for future in self._pending:
            future.result()

    # Their actions

    def _create(self) -> None:
        busy = self._rng.random() < 0.6
        rc = self._rng.choice(self._office.rcs[:_BUSY] if busy else self._office.rcs)
        page = self._vehicle(rc)
        if not (listed := page.ticks()):
            for words in ("Refresh from source", "Try again"):
                if page.has(words):
                    self._browser.send(page.form(words))
            return
        chosen = self._rng.sample(listed, min(len(listed), self._rng.choice((1, 1, 2, 2, 3, 5))))
        review = self._in_session(self._browser.send(page.form("Review and create").with_(challan=chosen)))
        if not review.has(CREATE):
            return
        form = review.form(CREATE).with_(hours=[str(self._rng.choice(HOURS))])
        click = Click(self._person_id, form)
        if self._rng.random() < 0.5 and self._office.meetings.meet(rc):
            self._office.tally.add("at the same moment")
        self._press(click, review.address)

    def _vehicle(self, rc: str) -> ShownPage:
        """Return the page of a vehicle: as it was a while ago, as it is now, or searched again."""
        how = self._rng.random()
        if how < 0.3 and rc in self._open:
            return self._open[rc]
        page = self._browser.open(f"/vehicles/{rc}")
        if how > 0.7 or not page.has("Review and create"):
            page = self._in_session(self._browser.send(page.form("Search").with_(rc_number=[rc])))
        self._open[rc] = page
        return page

    def _press(self, click: Click, review: str) -> None:
        """Press the button as people do."""
        self._sent.append(click)
        match self._rng.choices(("once", "twice", "impatient", "back"), (5, 4, 2, 2))[0]:
            case "once":
                self._send(click)
            case "twice":
                twins = [self._office.hands.submit(self._send, click) for _ in range(self._rng.choice((1, 1, 2)))]
                self._send(click)
                for twin in twins:
                    twin.result()
            case "impatient":
                self._pending.append(self._office.hands.submit(self._send, click))
                self._office.over.wait(self._rng.random())
                self._send(click)
            case "back":
                self._send(click)
                # The review is drawn again, with a new request key, for what is still ticked.
                again = self._browser.open(review)
                if again.has(CREATE):
                    click = Click(self._person_id, again.form(CREATE))
                    self._sent.append(click)
                    self._send(click)

    def _resend(self) -> None:
        if self._sent:
            self._office.tally.add("resent")
            self._send(self._rng.choice(self._sent))

    def _look(self) -> None:
        if self._led_to:
            self._office.witness.see(self._browser.open(self._rng.choice(self._led_to[-20:])))

    def _look_now(self) -> None:
        if self._led_to:
            page = self._browser.open(self._rng.choice(self._led_to[-20:]))
            if page.has("Check now"):
                self._office.witness.see(self._browser.send(page.form("Check now")))

    def _sign_out(self) -> None:
        """Sign out in this tab; the person's other tabs notice when they send something."""
        self._browser.send(self._browser.open("/").form("Sign out"))
        self._office.tally.add("signed out")

    # Sending forms

    def _send(self, click: Click) -> None:
        """Send a form that requests a link, and read the page that it leads to, or only the address."""
        self._office.tally.add("clicks")
        self._office.witness.clicks[click.key] = click
        try:
            shown = self._browser.send(click.form, follow=self._rng.random() < 0.6)
        except NoAnswer:
            self._office.tally.add("clicks without an answer")
            self._office.over.wait(0.2)
            return
        self._office.witness.see(shown, click)
        self._office.tally.add(f"answer {_kind(shown)}")
        if shown.status == 200:
            self._in_session(shown)
        if shown.address.startswith(("/links/", "/requests/")):
            self._led_to.append(shown.address)

    def _in_session(self, shown: ShownPage) -> ShownPage:
        """Return the shown page, after signing in again if it asks for that."""
        if shown.address != "/sign-in":
            return shown
        self._office.tally.add("signed in again")
        return self._browser.sign_in(shown)


def _kind(shown: ShownPage) -> str:
    place = shown.address.split("/")[1] or "home"
    return place if shown.status in (200, 303) else f"{place} {shown.status}"
