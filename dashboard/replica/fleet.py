"""Seed a deterministic, believable fleet for the demo organization."""

from __future__ import annotations

import random
import sqlite3
from datetime import datetime, timedelta
from typing import Any

from dashboard.replica import auth, challans, clock, linking, vehicles
from dashboard.replica.bodies import LinkBody
from dashboard.replica.invention import dice, invent_one
from dashboard.replica.organizations import CITIES, DEMO, SECOND, stable_id
from dashboard.replica.settings import ReplicaSettings
from dashboard.replica.vocabulary import RC_TYPES

FLEET_SIZE = 260
NEW_EVERY, UNSEARCHED_EVERY, FRESH_EVERY = 12, 5, 6

# (state code, districts): real registration districts, so that plates look like plates.
DISTRICTS = (
    ("MH", ("01", "02", "04", "12", "14", "43", "46")),
    ("DL", ("1C", "3C", "8C", "1L", "1GC")),
    ("KA", ("01", "03", "05", "51", "53")),
    ("TN", ("01", "07", "09", "22", "38")),
    ("GJ", ("01", "05", "06", "18")),
    ("UP", ("14", "16", "32", "78")),
    ("RJ", ("14", "19", "45")),
    ("WB", ("02", "06", "19", "26")),
    ("TS", ("07", "08", "09")),
    ("HR", ("26", "38", "51", "55")),
)
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"

PLENTIFUL, HUGE, EMPTY, STALE, PAID_BEFORE, EXPIRED_BEFORE = (
    "HR55AL1790", "MH14GH2300", "GJ01KT0007", "MH43BX7788", "TN22DE1400", "WB19F2048",
)  # fmt: skip
STAR, NEWCOMER, FOREIGN, DELETED, UNSEEN = "MH12AB1001", "KA05MN4321", "TN09BX5555", "UP16DT0404", "22BH1234AB"


def seed_fleet(connection: sqlite3.Connection, settings: ReplicaSettings, now: datetime) -> None:
    planter = _Planter(connection, settings, now)
    planter.special()
    planter.usual()


class _Planter:
    def __init__(self, connection: sqlite3.Connection, settings: ReplicaSettings, now: datetime) -> None:
        self.connection = connection
        self.settings = settings
        self.now = now
        self.demo = stable_id("organization", DEMO)

    def vehicle(
        self, rc: str, made: list[dict[str, Any]], *, owner: str | None = DEMO, searched: bool = True, **more: Any
    ) -> list[str]:
        roll = random.Random(f"particulars of {rc}")  # noqa: S311 - no secret.
        vehicle_id = vehicles.register(
            self.connection,
            rc,
            vehicle_id=stable_id("vehicle", rc),
            organization=stable_id("organization", owner) if owner else None,
            rc_type=roll.choice(RC_TYPES)[0] if owner else None,
            city=stable_id("city", DEMO, roll.randrange(len(CITIES))) if owner == DEMO else None,
            searched_at=clock.stamp(self.now - timedelta(hours=roll.randint(3, 400))) if searched else None,
            **more,
        )
        return [
            challans.issue(
                self.connection,
                vehicle_id,
                {name: value for name, value in fields.items() if name != "unseen"},
                shown=searched and not fields.get("unseen"),
                challan_id=stable_id("challan", rc, number),
            )
            for number, fields in enumerate(made)
        ]

    def challans(self, rc: str, count: int, **given: Any) -> list[dict[str, Any]]:
        roll = dice(f"{rc} {sorted(given.items())}")
        return [invent_one(rc, roll, self.now, **given) for _ in range(count)]

    def link(self, rc: str, ids: list[str], hours_ago: float, hours: int = 48) -> str:
        row = self.connection.execute("SELECT * FROM organization WHERE id = ?", (self.demo,)).fetchone()
        return linking.create(
            self.connection,
            self.settings,
            auth.organization_of(row),
            LinkBody(rc, tuple(ids), None, hours),
            self.now - timedelta(hours=hours_ago),
        )

    def special(self) -> None:
        ids = self.vehicle(STAR, self._star(), note="A bit of everything: payable, on an active link, not payable.")
        self.link(STAR, ids[8:11], hours_ago=5)
        self.vehicle(HUGE, self.challans(HUGE, 230), note="Exactly 230 challans.")
        plentiful = self.challans(PLENTIFUL, 140, status="PENDING") + self.challans(
            PLENTIFUL, 39, status="TO_BE_ASSIGNED"
        )
        plentiful += self.challans(PLENTIFUL, 6, status="DISPOSED")
        self.vehicle(PLENTIFUL, plentiful, note="179 payable challans: more than one link can hold.")
        self.vehicle(EMPTY, [], note="No challans at all.")
        fresh = [{**fields, "unseen": True} for fields in self.challans(STALE, 3, status="PENDING")]
        self.vehicle(
            STALE, self.challans(STALE, 4) + fresh, note="Three challans were issued since: refresh from source."
        )
        paid = self.vehicle(
            PAID_BEFORE, self.challans(PAID_BEFORE, 4, status="PENDING", challanType="ONLINE"), note="One paid link."
        )
        paid_link = self.link(PAID_BEFORE, paid[:2], hours_ago=90)
        linking.pay(self.connection, paid_link, "UPI", self.now - timedelta(hours=80), 0)
        ended = self.vehicle(
            EXPIRED_BEFORE, self.challans(EXPIRED_BEFORE, 5, status="PENDING"), note="One link that expired unpaid."
        )
        expired_link = self.link(EXPIRED_BEFORE, ended[:3], hours_ago=100)
        linking.set_status(self.connection, expired_link, "EXPIRED", self.now - timedelta(hours=52))
        self.vehicle(
            NEWCOMER,
            self.challans(NEWCOMER, 6, status="PENDING") + self.challans(NEWCOMER, 1, status="IN_COURT_REVIEW"),
            owner=None,
            searched=False,
            note="New to the organization: the first search needs RC type and City.",
        )
        self.vehicle(UNSEEN, self.challans(UNSEEN, 5), searched=False, note="Associated (BH series), never searched.")
        self.vehicle(FOREIGN, self.challans(FOREIGN, 3), owner=SECOND, note="Belongs to another organization: 409.")
        self.vehicle(DELETED, self.challans(DELETED, 2), deleted=True, note="Deleted: 409.")

    def _star(self) -> list[dict[str, Any]]:
        day = timedelta(days=1)

        def made(number: int, status: str, paise: int | None, days: int, text: str, place: str) -> dict[str, Any]:
            return {
                "challanNo": f"MH10987654{number:02d}",
                "status": status,
                "challanAmount": paise,
                "challanDate": clock.stamp(self.now - days * day - timedelta(hours=number % 7, minutes=number)),
                "state": "Maharashtra",
                "challanType": "ONLINE",
                "challanPlace": place,
                "offenseDetails": text,
            }

        no_parking = "No parking, Sec 122 r/w 177 MV Act"
        speed = "Over speeding by light motor vehicle, Sec 183(1)(i) MV Act"
        court = made(2, "IN_COURT_REVIEW", 5000_00, 314, "Dangerous driving, Sec 184 MV Act", "Dadar TT, Mumbai")
        return [
            made(32, "PENDING", 2000_00, 70, speed, "NH-48 km 23, Panvel"),
            made(33, "PENDING", 500_00, 263, "Stop line violation, Sec 119 r/w 177 MV Act", "Sion circle, Mumbai"),
            made(34, "TO_BE_ASSIGNED", 1177_50, 31, "Driving on the wrong side, Sec 184 MV Act", "JM Road, Pune"),
            made(35, "PENDING", None, 12, "बिना सीट बेल्ट वाहन चलाना, धारा 194B मो.वा. अधिनियम", "Katraj chowk, Pune"),
            made(36, "PENDING", 10000_00, 190, "No valid PUC certificate, Sec 190(2) MV Act", "Vashi toll plaza"),
            made(37, "PENDING", 590_25, 402, "Tinted glass beyond the permitted limit, Rule 100 CMVR", "FC Road, Pune"),
            made(38, "TO_BE_ASSIGNED", 1000_00, 5, "लाल बत्ती का उल्लंघन, धारा 184 मो.वा. अधिनियम", "Swargate, Pune"),
            made(
                39, "PENDING", None, 540, "Lane discipline not followed, Sec 119 r/w 177A MV Act", "Pune–Mumbai km 61"
            ),
            made(1, "PENDING", 500_00, 264, no_parking, "MG Road, Pune"),
            made(3, "PENDING", 1500_00, 150, "Parking that causes obstruction, Sec 122 r/w 127 MV Act", "Camp, Pune"),
            made(4, "TO_BE_ASSIGNED", 2000_00, 88, speed, "Western Express Highway, Andheri"),
            {**court, "challanType": "COURT"},
            made(5, "DISPOSED", None, 630, no_parking, "Shivajinagar, Pune"),
        ]

    def usual(self) -> None:
        roll = random.Random("the rest of the fleet")  # noqa: S311 - no secret.
        made: set[str] = set()
        while len(made) < FLEET_SIZE:
            rc = self._plate(roll, len(made))
            if rc in made or vehicles.by_rc(self.connection, rc):
                continue
            made.add(rc)
            number = len(made)
            count = roll.choice((0, 0, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11, 17))
            own = self.challans(rc, count)
            if number % NEW_EVERY == 0:
                self.vehicle(rc, own, owner=None, searched=False)
                continue
            if number % FRESH_EVERY == 0:
                own += [{**fields, "unseen": True} for fields in self.challans(rc, 2, status="PENDING")]
            self.vehicle(rc, own, searched=number % UNSEARCHED_EVERY != 0)

    def _plate(self, roll: random.Random, number: int) -> str:
        code, districts = DISTRICTS[number % len(DISTRICTS)]
        four = f"{roll.randint(1, 9999):04d}"
        if number % 23 == 0:
            return f"{roll.randint(21, 25)}BH{four}{roll.choice(LETTERS)}{roll.choice(LETTERS)}"
        if number % 37 == 0:
            return f"MH12{four}"  # the old format, before there were series letters
        series = "".join(roll.choice(LETTERS) for _ in range(1 if code == "DL" else 2))
        return f"{code}{roll.choice(districts)}{series}{four}"
