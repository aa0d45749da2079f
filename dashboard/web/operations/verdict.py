"""Say at the head of the service page whether the service works, what staff can do now, and what is to be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dashboard.errors import CallGroup, Operation, ServiceGroup
from dashboard.services.operations.blocks import (
    LINK_ALLOWANCE,
    ORGANIZATION,
    SEARCH_ALLOWANCE,
    SECRET,
    ActiveBlock,
    day_ends,
    is_throttle,
)
from dashboard.web.operations import texts, verdict_texts
from dashboard.web.operations.records import CallRow, Verdict
from dashboard.web.shared import banner_texts
from dashboard.web.shared.banner import back_at, failing_since
from dashboard.web.shared.current import format_moment

_ALLOWANCES = {Operation.SEARCH_CHALLANS: SEARCH_ALLOWANCE, Operation.CREATE_PAYMENT_LINK: LINK_ALLOWANCE}


def verdict(
    rows: Mapping[Operation, CallRow],
    blocks: Mapping[str, ActiveBlock],
    *,
    next_try: str,
    is_tried: bool,
    unclear: int,
) -> Verdict:
    """Judge the calls of each kind. `next_try` says when blocked calls are tried again, where that is one time, and
    `unclear` of how many requests the outcome is not known.
    """
    if block := blocks.get(SECRET) or blocks.get(ORGANIZATION):
        return _of_key(block, next_try)
    stopped = [operation for operation, row in rows.items() if row.state.meaning != "good"]
    failed = [operation for operation, row in rows.items() if row.has_failed_last]
    limits = _limits_alone(stopped, blocks)
    works = {str(row.words): operation not in stopped for operation, row in rows.items()}
    failures = _failures(rows, failed)
    # Whether their links exist comes before what became of calls.
    is_of_requests = bool(unclear) and not stopped and Operation.CREATE_PAYMENT_LINK in failed
    if is_of_requests:
        words = verdict_texts.unclear_requests(unclear)
    elif limits:
        words = texts.limit_reached(stopped)
    elif stopped and all(each.call_group in blocks for each in stopped):
        words = banner_texts.paused(_named(stopped), are_all=len(stopped) == len(rows))
    else:
        words = texts.verdict(works, failures, is_tried=is_tried)
    return Verdict(
        words=words,
        now=verdict_texts.nothing_paused_by(failures)
        if is_of_requests
        else " ".join(_now(rows, blocks, stopped, failed, limits)),
        to_do=" ".join(_to_do(blocks, stopped, bool(limits), next_try, is_tried)),
        warning=str(verdict_texts.NOT_AGAIN) if unclear and Operation.CREATE_PAYMENT_LINK in failed else "",
        is_limit_alone=bool(limits),
        is_of_requests=is_of_requests,
    )


def _limits_alone(stopped: Sequence[Operation], blocks: Mapping[str, ActiveBlock]) -> list[ActiveBlock]:
    """Return the daily limits that stop calls; none where anything else stops some."""
    limits = [block for each in stopped if (block := blocks.get(_ALLOWANCES.get(each, ""))) is not None]
    return limits if len(limits) == len(stopped) == len(blocks) else []


def _named(operations: Iterable[Operation]) -> list[str]:
    return [str(banner_texts.WORK[each.call_group]) for each in operations]


def _failures(rows: Mapping[Operation, CallRow], failed: Sequence[Operation]) -> str:
    """Say how many calls failed of the kind of which the last one did, or which kinds these are."""
    if len(failed) != 1:
        return texts.last_failed([str(rows[each].words) for each in failed]) if failed else ""
    [operation] = failed
    row = rows[operation]
    return texts.some_failed(operation, row.failures, row.asked) if row.asked > 1 else str(texts.ONE_FAILED[operation])


def _of_key(block: ActiveBlock, next_try: str) -> Verdict:
    """Say that no call is made, because of the key."""
    since = format_moment(block.since)
    if block.scope == ORGANIZATION:
        title, now = banner_texts.OTHER_ORGANIZATION[0], verdict_texts.NO_CALLS
        to_do, first = verdict_texts.OUR_KEY_BEGINS, verdict_texts.ASK_FOR_OUR_KEY
    elif is_throttle(block):
        title, now = banner_texts.KEY_THROTTLED[0], verdict_texts.NO_CALLS_NO_LIMIT
        to_do, first = verdict_texts.MAY_HAVE_EXPIRED, verdict_texts.ASK_ABOUT_KEY
    else:
        title, now = banner_texts.KEY_REFUSED[0], verdict_texts.NO_CALLS
        to_do, first = verdict_texts.VALID_AGAIN, verdict_texts.ASK_FOR_KEY
    said = f"{next_try} {to_do}" if next_try else str(to_do)
    return Verdict(str(title), str(now).format(since=since), said, is_limit_alone=False, first_step=str(first))


def _now(
    rows: Mapping[Operation, CallRow],
    blocks: Mapping[str, ActiveBlock],
    stopped: Sequence[Operation],
    failed: Sequence[Operation],
    limits: Sequence[ActiveBlock],
) -> Iterator[str]:
    """Say why calls are stopped, which still work, and what pages show meanwhile."""
    if limits:
        yield str(texts.ALLOWANCE_SPENT).format(back=back_at(max(limits, key=day_ends)))
    if breakers := [blocks[group] for group in CallGroup if group in blocks]:
        yield f"{failing_since(breakers, format_moment)[0]}."
    if stopped:
        # Not those that were never tried, of which nothing is known.
        if works := _named(each for each, row in rows.items() if row.shown.meaning == "good"):
            yield banner_texts.still_working(works).strip()
    elif failed:
        yield str(verdict_texts.NOTHING_PAUSED)
    if Operation.CREATE_PAYMENT_LINK in stopped:
        yield str(verdict_texts.SELECTIONS_SAVED)
    if failed and stopped:
        yield banner_texts.may_fail(_named(failed))
    elif failed and (newest := max((at for each in failed if (at := rows[each].since)), default=None)):
        yield verdict_texts.last_time(format_moment(newest))
    if set(stopped) - {Operation.CREATE_PAYMENT_LINK}:
        yield str(verdict_texts.LAST_KNOWN)


def _to_do(
    blocks: Mapping[str, ActiveBlock],
    stopped: Sequence[Operation],
    is_limit_alone: bool,
    next_try: str,
    is_tried: bool,
) -> Iterator[str]:
    """Say what happens by itself, and what the reader does."""
    if next_try:
        # As the banner has it: the watcher tries status calls by itself.
        yield str(banner_texts.NEXT_POLL) if CallGroup.STATUS in blocks else next_try
    for group in ServiceGroup:
        if group in blocks:
            yield verdict_texts.ask_to_enable(group)
    if is_limit_alone:
        yield str(verdict_texts.LIMIT_ENDS)
    elif stopped:
        yield str(verdict_texts.TRY_AGAIN)
    elif not is_tried:
        yield str(verdict_texts.ASKS_ONCE)
