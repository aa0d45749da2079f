"""Define the mutants: each is one exact change, with the tests of which one must fail.

The first six are those of link-creation.md; each of the others is a plausible mistake.
"""

from __future__ import annotations

from dataclasses import dataclass

_CREATION = "dashboard/services/creation/create.py"
_RECORDING = "dashboard/services/creation/outcomes.py"
_RESOLVING = "dashboard/services/creation/resolve.py"


@dataclass(frozen=True)
class Mutant:
    """Describe one exact change; `old` occurs exactly once in `file`.

    `proofs` are node ids of tests; they run in order until one fails.
    """

    name: str
    file: str
    old: str
    new: str
    proofs: tuple[str, ...]


def _of(module: str, *names: str) -> tuple[str, ...]:
    """Return the node ids of tests of a module, which is named by its path below `tests`."""
    folder, _, name = module.rpartition("/")
    return tuple(f"tests/{folder}/test_{name}.py::test_{each}" for each in names)


MUTANTS = (
    Mutant(
        "ambiguity is treated as failure",
        _RECORDING,
        "elif isinstance(error, _DEFINITE):",
        "elif isinstance(error, ServiceError):",
        _of("services/creation/create", "a_link_created_behind_an_unclear_answer_is_found_by_resolving[sqlite-cut]"),
    ),
    Mutant(
        "no unique index",
        "dashboard/store/migrations/versions/r1_initial.py",
        '["challan_id"],\n            unique=True,',
        '["challan_id"],\n            unique=False,',
        _of("faults/each_promise", "of_two_clicks_that_passed_the_same_check_one_gets_the_challans"),
    ),
    Mutant(
        "a lease that runs out releases the challans",
        _RESOLVING,
        """
                intents.move(connection, intent.id, (IntentState.SENDING,), IntentState.UNKNOWN, now, **facts)
                reach(Point.SWEEP_INSIDE)
""",
        """
                intents.move(connection, intent.id, (IntentState.SENDING,), IntentState.UNKNOWN, now, **facts)
                claims.release(connection, intent.id, now, "the lease ran out")
                reach(Point.SWEEP_INSIDE)
""",
        _of("services/creation/create", "the_intent_of_a_stopped_sender_becomes_unknown_and_is_resolved[sqlite]"),
    ),
    Mutant(
        "no guard before a second attempt",
        _CREATION,
        "return self.outcome_resolver.guard(intent_id)",
        "return True",
        _of(
            "services/creation/create",
            "a_second_attempt_searches_first_and_adopts_a_link_that_was_committed_late[sqlite]",
        ),
    ),
    Mutant(
        "sent before the mark is committed",
        _CREATION,
        """
            marked = time.monotonic()
        reach(Point.MARK_DONE)
""",
        """
            early = self.client.create_payment_link(
                command.rc, sorted(command.challan_ids), expiry_hours=command.hours, before_send=lambda: None
            )
        return self.outcome_recorder.record_created(intent_id, command, early, now)
        marked = time.monotonic()
        reach(Point.MARK_DONE)
""",
        _of("faults/crash_table", "killed_after_the_whole_request_had_left_the_link_is_found[sqlite-send.whole]"),
    ),
    Mutant(
        "a creation is retried after a timeout",
        "dashboard/upstream/client.py",
        "retry=_Retry.NEVER,\n",
        "retry=_Retry.READ,\n",
        _of("faults/each_promise", "a_creation_whose_answer_is_lost_is_not_sent_again[sqlite]"),
    ),
    Mutant(
        "a conflict is treated as a refusal",
        _RECORDING,
        "_DEFINITE = (RequestRefused,",
        "_DEFINITE = (Conflict, RequestRefused,",
        _of("services/creation/create", "a_conflict_that_no_search_can_explain_stays_unknown[sqlite]"),
    ),
    Mutant(
        "absence is verified by one negative",
        _RESOLVING,
        'facts.get("negatives", 0) > 1',
        'facts.get("negatives", 0) > 0',
        _of("faults/each_promise", "one_negative_is_not_enough_however_late_it_comes[sqlite]"),
    ),
    Mutant(
        "absence is verified before the end of the commit window",
        _RESOLVING,
        "late_enough = started - intent.send_ended >= self.schedule.commit_window",
        "late_enough = True",
        _of("services/creation/create", "absence_is_verified_only_by_two_negatives_apart_and_late_enough[sqlite]"),
    ),
    Mutant(
        "a late answer is ignored",
        _RECORDING,
        """
                intent_id,
                IntentState,
                IntentState.CREATED,
""",
        """
                intent_id,
                (IntentState.SENDING,),
                IntentState.CREATED,
""",
        _of("faults/each_promise", "an_answer_read_after_others_moved_the_intent_on_is_recorded_as_certain[sqlite]"),
    ),
    Mutant(
        "a late record overwrites a later status",
        _RECORDING,
        "self.schedule, now, started_at=started, attribution=made)",
        "self.schedule, now, attribution=made)",
        _of("faults/each_promise", "a_late_answer_does_not_overwrite_a_later_status_of_its_link[sqlite-pay-PAID]"),
    ),
    Mutant(
        "an attempt accepts the cache",
        "dashboard/services/creation/evidence.py",
        "bypass_cache=True",
        "bypass_cache=False",
        _of("services/creation/create", "a_conflict_is_explained_at_once_by_a_challan_no_longer_payable[sqlite]"),
    ),
    Mutant(
        "a search adopts nothing",
        "dashboard/services/links/ledger.py",
        "for link_id, link in sorted(shown.items())",
        "for link_id, link in ()",
        _of("faults/each_promise", "a_link_created_elsewhere_is_adopted_by_the_first_search_that_shows_it[sqlite]"),
    ),
    Mutant(
        "the spool is not replayed",
        _RECORDING,
        "for entry in self.unrecorded_links.entries():",
        "for entry in ():",
        _of("services/creation/unrecorded_links", "the_record_follows_once_the_database_takes_it[sqlite]"),
    ),
    Mutant(
        "a send that was held up is sent after all",
        _CREATION,
        "if late or self.clock() - now > self.schedule.send_within:",
        "if False:",
        _of("services/creation/recovery", "a_send_that_does_not_begin_in_time_is_given_up[sqlite]"),
    ),
    Mutant(
        "released challans are sent again without a search",
        "dashboard/store/creation/claims.py",
        " | intent.c.released_at.is_not(None)",
        "",
        _of("services/creation/release", "another_intent_for_them_searches_once_more_before_it_is_sent[sqlite]"),
    ),
    Mutant(
        "a paid link releases its challans",
        "dashboard/domain/links.py",
        "ENDED_STATUSES = frozenset({EXPIRED,",
        "ENDED_STATUSES = frozenset({PAID, EXPIRED,",
        _of("services/creation/create", "a_paid_link_keeps_its_challans[sqlite]"),
    ),
    Mutant(
        "an older answer overwrites a newer one",
        "dashboard/store/links/links.py",
        "started_at is not None and started_at < row.checked_at",
        "False",
        _of("store/races", "an_older_answer_does_not_overwrite_a_newer_one_of_the_same_moment[sqlite-True]"),
    ),
)
