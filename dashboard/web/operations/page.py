"""Build the service page: the state of the calls, the key, what waits, failures, calls by day, clocks and versions."""

from __future__ import annotations

import platform
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from importlib.metadata import version

from flask import current_app, url_for

from dashboard.domain.allowance_resets import INDIA
from dashboard.domain.intents import UNCLEAR, IntentState
from dashboard.errors import CallGroup, Operation
from dashboard.services.operations import circuit_breaker, clocks
from dashboard.services.operations.allowances import AllowanceUse
from dashboard.services.operations.blocks import (
    LINK_ALLOWANCE,
    ORGANIZATION,
    SEARCH_ALLOWANCE,
    SECRET,
    ActiveBlock,
    is_throttle,
)
from dashboard.services.operations.call_outcomes import hour_of
from dashboard.store.creation import intents
from dashboard.store.links import due_links
from dashboard.store.operations import (
    assumption_checks,
    call_blocks,
    call_counts,
    clock_checks,
    metrics,
    versions,
)
from dashboard.store.operations.call_counts import DayOfCalls
from dashboard.store.operations.call_outcomes import ANSWERED, CallOutcome
from dashboard.store.operations.clock_checks import ClockCheck
from dashboard.store.operations.versions import DatabaseVersion
from dashboard.web.operations import texts
from dashboard.web.operations.assumptions_page import open_checks
from dashboard.web.operations.records import (
    CallRow,
    ClockRow,
    DayRow,
    Failure,
    Key,
    LimitDay,
    LimitRow,
    ServicePage,
)
from dashboard.web.operations.verdict import verdict
from dashboard.web.overview.charts import Chart, Figure, column_chart
from dashboard.web.shared.banner import back_at, next_try
from dashboard.web.shared.current import current_services, format_moment, zone
from dashboard.web.shared.records import StateWords

_ALLOWANCES = {Operation.SEARCH_CHALLANS: SEARCH_ALLOWANCE, Operation.CREATE_PAYMENT_LINK: LINK_ALLOWANCE}
#: How far back failures and calls are shown.
_HOURS, _DAYS = 24, 14
#: Failures by what was asked for, which say nothing of the service.
_OURS = frozenset({"NotFound", "Conflict", "RequestRefused"})
#: It says nothing of the service either: the row says that a limit is reached.
_LIMIT = "AllowanceSpent"
#: Failures that refuse the key, or a part of the service: they are answers, but nothing works meanwhile.
_OF_KEY = frozenset({"SecretRejected", "KeyThrottled", "OtherOrganization", "ServiceNotEnabled"})
#: A link that waits this long for its check is overdue; before, its turn has just come.
_LATE = timedelta(minutes=1)
_GRAVITY = ("wrong", "waiting", "good")
#: A failure whose kind is not written yet.
_JUST_FAILED = "JustFailed"
_GROUPS = frozenset(each.value for each in CallGroup)


def service_page() -> ServicePage:
    services, settings = current_services(), current_app.extensions["settings"]
    now, fingerprint = services.clock(), services.call_policy.fingerprint()
    since = hour_of(now) - timedelta(hours=_HOURS - 1)
    with services.store.read() as connection:
        states = metrics.intents_by_state(connection)
        unclear = states.get(IntentState.UNKNOWN, 0) + states.get(IntentState.NEEDS_ATTENTION, 0)
        only = intents.in_states(connection, UNCLEAR, limit=1) if unclear == 1 else []
        sent = [metrics.oldest_sent(connection, state) for state in (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION)]
        overdue = due_links.most_overdue(connection, now)
        late, late_open = due_links.count_overdue(connection, now, _LATE)
        outcomes = services.call_outcomes.since(connection, since)
        answered = services.call_outcomes.latest_answers(connection)
        by_day = call_counts.by_day(connection, _days(now)[0].isoformat())
        failed_last = {
            scope: block.since
            for scope, block in call_blocks.read_all(connection).items()
            if block.since is not None and circuit_breaker.has_failed_last(block)
        }
        compared = clock_checks.read_all(connection)
        database = versions.read(connection)
        checked = assumption_checks.newest(connection)
    outcomes += _uncounted(outcomes, failed_last, since)
    failed = [each for each in outcomes if each.outcome != ANSWERED]
    blocks = {block.scope: block for block in services.call_policy.active_blocks()}
    used = {use.call_group: use for use in services.call_policy.allowances.used()}
    tries = {next_try(until, now, format_moment(until)) for until in _tries(blocks.values())}
    # One time is said once, at the head of the page; several each in the row of its calls.
    said_once = len(tries) <= 1
    rows = tuple(
        _row(
            operation,
            words,
            used[operation.call_group],
            blocks,
            answered,
            None if said_once else now,
            outcomes,
            since,
            late,
            failed_last,
        )
        for operation, words in texts.CALLS.items()
    )
    failures = _failures(failed)
    charts = _calls_by_day(by_day, now)
    answered_at = max((row.answered_at for row in rows if row.answered_at is not None), default=None)
    is_tried = answered_at is not None or any(row.calls for row in rows)
    head = verdict(
        dict(zip(texts.CALLS, rows, strict=True)),
        blocks,
        next_try="".join(tries) if said_once else "",
        is_tried=is_tried,
        unclear=unclear,
    )
    granted_since = services.call_policy.key_probe.granted_since(fingerprint)
    return ServicePage(
        address=f"{settings.service_url}{settings.service_prefix}",
        state=min((row.state for row in rows), key=lambda state: _GRAVITY.index(state.meaning)),
        verdict=head,
        is_tried=is_tried,
        answered_at=answered_at,
        rows=rows,
        allowances=tuple(
            LimitRow(
                words,
                texts.LEFT_TODAY[group],
                services.allowance_planner.forecast_of(used[group], 0),
                used[group].for_resolving,
                used[group].for_people,
                reset.days if (reset := used[group].reset) is not None else 0,
            )
            for group, words in texts.LIMITED.items()
        ),
        key=Key(fingerprint, granted_since, _key_state(blocks, granted_since)),
        unclear=unclear,
        requests=url_for("creation.request_page", request_id=only[0].id) if only else url_for("home.index"),
        unclear_since=min((moment for moment in sent if moment), default=None),
        overdue=late,
        overdue_words=texts.overdue(late, late_open),
        overdue_since=overdue if late else None,
        late_words=texts.late_by(current_app.jinja_env.filters["left"](now + (now - overdue))) if overdue else "",
        unrecorded=services.outcome_recorder.count_spooled(),
        failed=texts.failed([(failure.words, failure.calls) for failure in failures], sum(row.asked for row in rows)),
        failures=failures,
        failures_by_hour=_failures_by_hour(failed, since),
        charts_by_day=charts,
        days=() if charts else _calls_of_days(by_day),
        day_heads=tuple(texts.BY_DAY.values()),
        limits=tuple(
            LimitDay(texts.day(date.fromisoformat(each.day)), texts.LIMITED[CallGroup(each.call_group)], after)
            for each in by_day
            if (after := each.refused_after) is not None and each.call_group in texts.LIMITED
        ),
        clocks=tuple(_clock(check, now) for check in compared),
        versions=_versions(database),
        checks_tally=open_checks(checked),
    )


def _row(
    operation: Operation,
    words: str,
    used: AllowanceUse,
    blocks: Mapping[str, ActiveBlock],
    answered: Mapping[str, datetime],
    now: datetime | None,
    outcomes: Sequence[CallOutcome],
    since: datetime,
    late: int,
    failed: Mapping[str, datetime],
) -> CallRow:
    failed_since = failed.get(operation.call_group)
    by_hour: Counter[datetime] = Counter()
    made: Counter[datetime] = Counter()
    refused: Counter[datetime] = Counter()
    failures = []
    for each in outcomes:
        if each.call_group != operation.call_group:
            continue
        is_refusal = each.outcome in _OURS or each.outcome == _LIMIT
        is_failure = each.outcome != ANSWERED and not is_refusal
        made[each.hour] += each.calls
        by_hour[each.hour] += each.calls if is_failure else 0  # An hour with calls has an entry, also one of zero.
        if is_failure:
            failures.append(each)
        elif is_refusal:
            refused[each.hour] += each.calls
    block = next((blocks[scope] for scope in _scopes(operation) if scope in blocks), None)
    return CallRow(
        words=words,
        service=operation.group,
        state=_state(operation, blocks, now),
        calls=used.calls,
        asked=sum(each.calls for each in outcomes if each.call_group == operation.call_group),
        answered_at=answered.get(operation.call_group),
        since=block.since if block else max((each.latest_at for each in failures), default=failed_since),
        failed_by_hour=tuple(by_hour.get(since + timedelta(hours=number)) for number in range(_HOURS)),
        refused_by_hour=tuple(refused[since + timedelta(hours=number)] for number in range(_HOURS)),
        is_overdue=bool(late) and operation is Operation.GET_PAYMENT_LINK,
        failed=failed_since is not None,
        key_refusals=sum(each.calls for each in failures if each.outcome in _OF_KEY),
        creates=operation is Operation.CREATE_PAYMENT_LINK,
        asked_by_hour=tuple(made[since + timedelta(hours=number)] for number in range(_HOURS)),
    )


def _scopes(operation: Operation) -> tuple[str, ...]:
    """Return what may block these calls, the gravest first."""
    return SECRET, ORGANIZATION, operation.group, operation.call_group, _ALLOWANCES.get(operation, "")


def _tries(blocks: Iterable[ActiveBlock]) -> Iterable[datetime]:
    """Return when blocked calls are tried again; those of another organization are not until the key changes, and for
    those of a daily limit it is said until when that most likely holds.
    """
    return (block.until for block in blocks if block.scope not in (ORGANIZATION, *_ALLOWANCES.values()))


def _key_state(blocks: Mapping[str, ActiveBlock], granted_since: datetime | None) -> StateWords | None:
    """Say whether the service accepts the key; None before it was tried."""
    if SECRET in blocks:
        return StateWords(texts.REFUSED, "", "wrong")
    if ORGANIZATION in blocks:
        return StateWords(texts.OTHER, "", "wrong")
    return StateWords(texts.ACCEPTED, "", "good") if granted_since else None


def _state(operation: Operation, blocks: Mapping[str, ActiveBlock], now: datetime | None) -> StateWords:
    """Return the gravest block of these calls, with its next try where `now` is given."""
    said_of = (
        (texts.REFUSED, texts.KEY_REFUSED, "wrong"),
        (texts.OTHER, texts.OTHER_ORGANIZATION, "wrong"),
        (texts.DISABLED, texts.NOT_ENABLED, "wrong"),
        (texts.PAUSED, texts.BREAKER_OPEN, "wrong"),
        (texts.SPENT, texts.ALLOWANCE_SPENT, "waiting"),
    )
    for scope, (name, text, meaning) in zip(_scopes(operation), said_of, strict=True):
        if block := blocks.get(scope):
            said = str(texts.KEY_THROTTLED if is_throttle(block) else text)
            back = back_at(block) if scope in _ALLOWANCES.values() else ""
            words = said.format(group=operation.group, since=format_moment(block.since), back=back)
            following = (
                ""
                if now is None or back or scope == ORGANIZATION
                else f" {next_try(block.until, now, format_moment(block.until))}"
            )
            return StateWords(name, f"{words}{following}", meaning)
    return StateWords(texts.WORKING, "", "good")


# Failures and calls


def _uncounted(
    outcomes: Sequence[CallOutcome], failed_last: Mapping[str, datetime], since: datetime
) -> list[CallOutcome]:
    """Return a failure for each group of calls of which the circuit breaker knows one that no count has yet: another
    process writes its counts some seconds later.
    """
    counted = {(each.hour, each.call_group) for each in outcomes if each.outcome not in (ANSWERED, *_OURS)}
    return [
        CallOutcome(hour_of(at), group, _JUST_FAILED, 1, at)
        for group, at in failed_last.items()
        if at >= since and group in _GROUPS and (hour_of(at), group) not in counted
    ]


def _failures(failed: Sequence[CallOutcome]) -> tuple[Failure, ...]:
    calls: Counter[str] = Counter()
    latest: dict[str, datetime] = {}
    for each in failed:
        calls[each.outcome] += each.calls
        latest[each.outcome] = max(each.latest_at, latest.get(each.outcome, each.latest_at))
    return tuple(
        Failure(texts.FAILURE_NAMES.get(name, name), texts.FAILURE_MEANINGS.get(name, ""), name, count, latest[name])
        for name, count in calls.most_common()
    )


def _failures_by_hour(failed: Sequence[CallOutcome], since: datetime) -> Chart | None:
    if not failed:
        return None
    hours = [since + timedelta(hours=number) for number in range(_HOURS)]
    calls: Counter[datetime] = Counter()
    for each in failed:
        calls[each.hour] += each.calls
    labels = [texts.hour(each.astimezone(zone())) for each in hours]
    figures = [Figure(label, calls[hour], f"{calls[hour]:,}") for label, hour in zip(labels, hours, strict=True)]
    series = {texts.FAILURES: figures}
    chart = column_chart("failures", texts.FAILURES_BY_HOUR, labels, series, written=texts.number)
    # Of few hours the table beside it tells all.
    return chart if chart.axis else None


def _calls_by_day(by_day: Sequence[DayOfCalls], now: datetime) -> tuple[Chart, ...]:
    """Return the calls that have an allowance, and apart from them the state checks, which are many more; nothing while
    there are so few days that a table says more.
    """
    calls: dict[str, dict[str, int]] = defaultdict(dict)
    for each in by_day:
        calls[each.call_group][each.day] = each.calls
    days = _days(now)
    labels = [texts.day(each) for each in days]
    charts = []
    for key, (title, summary, groups) in texts.CALLS_BY_DAY.items():
        series = {}
        for group, name in groups.items():
            counts = [calls[group].get(each.isoformat(), 0) for each in days]
            series[name] = [Figure(label, count, f"{count:,}") for label, count in zip(labels, counts, strict=True)]
        charts.append(column_chart(key, title, labels, series, summary, written=texts.number))
    return tuple(chart for chart in charts if chart.axis and chart.bars)


def _calls_of_days(by_day: Sequence[DayOfCalls]) -> tuple[DayRow, ...]:
    """Return the calls of each day that has any, the newest first."""
    calls: dict[str, dict[str, int]] = defaultdict(dict)
    for each in by_day:
        if each.calls:
            calls[each.day][each.call_group] = each.calls
    return tuple(
        DayRow(texts.day(date.fromisoformat(day)), tuple(calls[day].get(group, 0) for group in texts.BY_DAY))
        for day in sorted(calls, reverse=True)
    )


def _days(now: datetime) -> list[date]:
    last = now.astimezone(INDIA).date()
    return [last - timedelta(days=back) for back in range(_DAYS - 1, -1, -1)]


# Clocks and versions


def _clock(check: ClockCheck, now: datetime) -> ClockRow:
    differs = clocks.is_broken(check, now)
    step = texts.NO_STEP
    if check.stepped_at is not None and check.stepped_by is not None:
        step = texts.step(check.stepped_by, format_moment(check.stepped_at))
    return ClockRow(
        host=check.host,
        state=StateWords(texts.CLOCK_DIFFERS, "", "wrong") if differs else StateWords(texts.CLOCK_AGREES, "", "good"),
        database=texts.ahead(check.database_ahead),
        service=texts.ahead(check.service_ahead),
        step=step,
        at=check.at,
    )


def _versions(database: DatabaseVersion) -> tuple[tuple[str, str], ...]:
    name = texts.DATABASES.get(database.name, database.name)
    return (
        (texts.DASHBOARD, version("challan-dashboard")),
        (name, database.version),
        (texts.TABLES, database.revision),
        (texts.PYTHON, platform.python_version()),
    )
