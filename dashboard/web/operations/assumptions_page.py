"""Build the page of what creations rely on, with the checks that people made of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from flask import current_app, url_for

from dashboard.domain.assumptions import AssumptionOutcome
from dashboard.store.operations import assumption_checks, versions
from dashboard.store.operations.assumption_checks import AssumptionCheck
from dashboard.web.operations import texts
from dashboard.web.operations.assumption_texts import ASSUMPTIONS
from dashboard.web.operations.commands import commands
from dashboard.web.operations.records import Assumption, CheckedAssumptions, CheckRow
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.records import StateWords

MEANINGS = {
    AssumptionOutcome.HOLDS: "good",
    AssumptionOutcome.FAILS: "wrong",
    AssumptionOutcome.UNCLEAR: "waiting",
}
#: What is done comes first, then what is left.
_PROGRESS = (AssumptionOutcome.HOLDS, AssumptionOutcome.UNCLEAR, AssumptionOutcome.FAILS, None)


def tally(checked: Mapping[str, Sequence[AssumptionCheck]]) -> tuple[tuple[str, str], ...]:
    """Count the assumptions by what came of their newest check, the gravest first, each with its meaning."""
    newest = Counter(checks[0].outcome for checks in checked.values() if checks)
    counted = [(text(newest[outcome]), MEANINGS[outcome]) for outcome, text in texts.TALLY.items() if newest[outcome]]
    if unchecked := len(ASSUMPTIONS) - newest.total():
        counted.append((texts.not_checked(unchecked), ""))
    return tuple(counted)


def open_checks(checked: Mapping[str, Sequence[AssumptionCheck]]) -> tuple[tuple[str, str], ...]:
    """Count the checks by their newest outcome as the service page has room for it: the only one that fails is named,
    and those that work are left out while others do not.
    """
    fails, holds = AssumptionOutcome.FAILS, AssumptionOutcome.HOLDS
    failing = [each for each in ASSUMPTIONS if (checks := checked.get(each.code)) and checks[0].outcome is fails]
    counted = [each for each in tally(checked) if each[1] != MEANINGS[holds]] or list(tally(checked))
    if len(failing) == 1:
        counted[0] = texts.failing_check(failing[0].matters), MEANINGS[fails]
    return tuple(counted)


def checked_assumptions() -> CheckedAssumptions:
    """Return what creations rely on with the newest checks of each, in groups by what came of the newest one: in each
    group, first what was checked longest ago.
    """
    with current_services().store.read() as connection:
        database = versions.read(connection)
        checked = assumption_checks.newest(connection)
    settings = current_app.extensions["settings"]
    # Never the address where links take money.
    by_hand = commands(f"{settings.service_url}{settings.service_prefix}" if settings.staging else "https://STAGING")
    groups: dict[AssumptionOutcome | None, list[Assumption]] = defaultdict(list)
    for each in ASSUMPTIONS:
        checks = checked.get(each.code, ())
        known = texts.DATABASE_OF_HOSTS[database.name] if each.code == "A5" else ""
        see = url_for("operations.index", _anchor="clocks-title") if each.code == "A8" else ""
        command = by_hand.get(each.code, "")
        made = tuple(_check(check) for check in checks)
        shown = replace(each, known=known, command=command, see=see, checks=made)
        groups[checks[0].outcome if checks else None].append(shown)
    for outcome, listed in groups.items():
        if outcome is not None:
            listed.sort(key=lambda each: each.checks[0].at)
    working = len(groups[AssumptionOutcome.HOLDS])
    left = [*groups[None], *groups[AssumptionOutcome.FAILS], *groups[AssumptionOutcome.UNCLEAR]]
    shown_groups = [(title, tuple(groups[outcome])) for outcome, title in texts.GROUPS.items() if groups[outcome]]
    return CheckedAssumptions(
        groups=tuple(shown_groups),
        words=texts.working(working, len(ASSUMPTIONS), len(ASSUMPTIONS) - len(groups[None])),
        tally=tally(checked),
        progress=tuple(MEANINGS[outcome] if outcome else "" for outcome in _PROGRESS for _ in groups[outcome]),
        next=left[0].code if left else "",
    )


def _check(check: AssumptionCheck) -> CheckRow:
    state = StateWords("", "", MEANINGS[check.outcome], name=texts.OUTCOMES[check.outcome])
    return CheckRow(state, check.at, name_of(check.person_id), check.note)
