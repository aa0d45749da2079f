"""Define the mutants: each is one exact change, with the tests of which one must fail.

The first six are those of link-creation.md; each of the others is a plausible mistake.
"""

from __future__ import annotations

from dataclasses import dataclass

_CREATION = "dashboard/services/creation/create.py"
_RECORDING = "dashboard/services/creation/outcomes.py"
_POLLING = "dashboard/services/links/polling.py"
_RESOLVING = "dashboard/services/creation/resolve.py"
_PLANS = "dashboard/services/fleet/plans.py"
_SEARCHES = "dashboard/services/fleet/searches.py"


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
            return self.client.create_payment_link(command.rc, ids, expiry_hours=command.hours, before_send=mark)
""",
        """
            answer = self.client.create_payment_link(
                command.rc, ids, expiry_hours=command.hours, before_send=lambda: None
            )
            mark()
            return answer
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
        "late_enough = since_send >= self.schedule.commit_window",
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
        "self.schedule, now, asked=asked, attribution=made)",
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
        "if asked is not None and _is_older(asked, row):",
        "if False:",
        _of("store/races", "an_older_answer_does_not_overwrite_a_newer_one_of_the_same_moment[sqlite-True]"),
    ),
    Mutant(
        "a budget used up by a wrong clock stays used up",
        "dashboard/store/operations/call_budget.py",
        "return now if used_until is not None and used_until > now + longest else used_until",
        "return used_until",
        _of("services/clocks", "a_budget_that_was_used_up_an_hour_ahead_is_there_again_at_once[sqlite]"),
    ),
    Mutant(
        "a step of the clock counts as time that has passed",
        "dashboard/services/steady_clock.py",
        "return until - since - self._skipped(since, until) - self._lead_left(self._monotonic())",
        "return until - since",
        _of("services/clocks", "a_step_ahead_between_two_attempts_proves_no_absence[sqlite-by0]"),
    ),
    Mutant(
        "two live links are no alarm",
        "dashboard/services/links/ledger.py",
        "    elif asked is not None and is_live(row.status) and not recorded.is_dropped:",
        "    elif False and asked is not None:",
        _of("services/links/two_live_links", "our_link_and_one_made_elsewhere_on_its_challans[sqlite]"),
    ),
    Mutant(
        "a link that the service no longer knows can be copied",
        "dashboard/web/links/payment.py",
        "    if row.is_unknown:\n        return PaymentAddress(",
        "    if False:\n        return PaymentAddress(",
        _of("web/links/unknown", "its_page_says_so_first_and_offers_nothing_to_copy_share_or_print"),
    ),
    Mutant(
        "no limit to waiting for a lock",
        "dashboard/store/engine.py",
        '"lock_timeout": "5s"',
        '"lock_timeout": "0"',
        _of("store/frozen_hosts", "nobody_waits_longer_than_seconds_for_a_row_that_a_working_session_keeps"),
    ),
    Mutant(
        "a link of an open request is called made elsewhere",
        "dashboard/store/creation/possible_makers.py",
        "_OPEN = [str(state) for state in (IntentState.SENDING, *sorted(UNCLEAR))]",
        "_OPEN = [str(state) for state in (IntentState.PREPARED, *sorted(UNCLEAR)) if not state]",
        _of("faults/oracle", "a_link_of_a_request_whose_outcome_is_open_is_not_called_made_elsewhere[/reconcile]"),
    ),
    Mutant(
        "a status answer resolves no unclear request",
        _POLLING,
        "recognition.recognize(connection, answer, asked, self.schedule, self.clock)",
        "recognition.recognize  # noqa: B018",
        _of(
            "services/creation/recognition",
            "a_link_that_a_colleagues_search_shows_is_recognized_while_the_source_fails[sqlite]",
        ),
    ),
    Mutant(
        "a replaced link is polled no more than any ended one",
        "dashboard/services/schedule.py",
        "        if beside_payable:\n",
        "        if False:\n",
        _of(
            "services/links/ended_duplicates",
            "a_late_payment_beside_a_replacement_is_an_alarm_within_a_minute[sqlite-7]",
        ),
    ),
    Mutant(
        "a link paid elsewhere holds nothing",
        "dashboard/services/vehicles/eligibility.py",
        "if paid is None or not item.eligibility.selectable:",
        "if True:",
        _of("services/vehicles/paid_elsewhere", "nothing_is_sent_for_them[sqlite]"),
    ),
    Mutant(
        "absence is believed after the lifetime of the link",
        "dashboard/services/creation/evidence.py",
        "absence_counts=not later and not would_have_ended(intent, evidence.searched),",
        "absence_counts=not later,",
        _of(
            "services/creation/lifetime",
            "after_the_lifetime_of_its_link_absence_is_no_proof_and_a_person_is_needed[sqlite]",
        ),
    ),
    Mutant(
        "newer means recorded later",
        "dashboard/store/links/links.py",
        "return row.asked_at is not None and asked < Asked(row.answered_poll, row.asked_at)",
        "return row.checked_at is not None and asked.at < row.checked_at",
        _of("services/links/slow_answers", "a_payment_is_recorded_though_an_older_answer_came_meanwhile[sqlite]"),
    ),
    Mutant(
        "an answer that was asked for before is fresh enough",
        _POLLING,
        "last = due_links.last_poll(connection, link_id)",
        "last = due_links.last_poll(connection, link_id) - 1",
        _of(
            "services/links/slow_answers",
            "a_slow_answer_from_before_a_payment_lets_no_replacement_through[sqlite-same-process]",
        ),
    ),
    Mutant(
        "any 429 teaches a limit",
        "dashboard/services/operations/answer_recorder.py",
        "if refused_before or error.operation in _WITHOUT_ALLOWANCE or self.key_probe.is_refused():",
        "if False:",
        _of("services/operations/key", "a_dead_key_that_is_throttled_teaches_no_limit[sqlite]"),
    ),
    Mutant(
        "a rejected first search renews no cities",
        "dashboard/services/vehicles/reference_data.py",
        """
        with suppress(ServiceError):
            self._fetch(Operation.LIST_LOCATIONS, reference_data.CITIES, self.client.list_locations)
""",
        "\n",
        _of("web/vehicles/first_search", "a_city_that_is_gone_is_named_and_the_lists_are_renewed"),
    ),
    Mutant(
        "an intent that needs attention is resolved like a fresh one",
        _RESOLVING,
        "due = self.schedule.next_attempt_with_attention(now)",
        "due = self.schedule.next_attempt(intent.send_ended, now)",
        _of("services/creation/attention", "an_intent_that_needs_attention_is_resolved_once_a_day[sqlite]"),
    ),
    Mutant(
        "a guard reads every link of the vehicle",
        "dashboard/services/creation/evidence.py",
        "dict.fromkeys([*shown, *also, *new[:_MOST_NEW]])",
        "dict.fromkeys([*shown, *also, *new[:_MOST_NEW], *others])",
        _of("services/creation/attention", "a_guard_reads_no_known_links_of_other_challans[sqlite]"),
    ),
    Mutant(
        "a refused click does not wait for its twin",
        _CREATION,
        "if (earlier := self._await_twin(command)) is not None:",
        "if (earlier := self._earlier(command)) is not None:",
        _of(
            "services/creation/concurrent_clicks",
            "a_second_click_that_is_refused_while_the_first_still_searches_leads_to_what_the_first_sent[sqlite]",
        ),
    ),
    Mutant(
        "a late record is beaten by an outcome that is not committed yet",
        "dashboard/store/creation/intents.py",
        "_STATE_LOCKED = _STATE.with_for_update()",
        "_STATE_LOCKED = _STATE",
        _of("store/races", "a_late_record_moves_an_intent_whose_other_outcome_is_not_committed_yet[postgresql]"),
    ),
    Mutant(
        "a lane that begins again makes another request",
        _PLANS,
        'return f"{link.plan_id}:{link.position}:{number}"',
        "return uuid.uuid4().hex",
        _of("services/fleet/plans", "a_lane_that_is_begun_again_sends_nothing_more[sqlite]"),
    ),
    Mutant(
        "a creation that met a block uses up a try",
        _PLANS,
        "return link.tries + 1 - blocked",
        "return link.tries + 1",
        _of("services/fleet/plans", "a_creation_that_has_to_wait_uses_up_no_try[sqlite-ServiceFailed]"),
    ),
    Mutant(
        "an unclear request holds no other link of its vehicle",
        "dashboard/store/fleet/plans.py",
        "other.c.lane.is_not(None) | intent.c.state.in_([str(state) for state in OPEN]),",
        "other.c.lane.is_not(None),",
        _of("services/fleet/plans", "an_unclear_request_holds_its_vehicle_and_no_other[sqlite]"),
    ),
    Mutant(
        "an unclear request is requested anew",
        _PLANS,
        "return link.intent_state in NOTHING_CREATED",
        "return link.intent_state is not IntentState.CREATED",
        _of("services/fleet/plans", "an_unclear_request_is_never_requested_anew[sqlite]"),
    ),
    Mutant(
        "a vehicle gets a second outcome from a lane that thawed",
        "dashboard/store/fleet/runs.py",
        '_ONE_CLAIMED = _ONE.where(_is_left, fleet_vehicle.c.lane == bindparam("of_lane"))',
        '_ONE_CLAIMED = _ONE.where(fleet_vehicle.c.run_id != bindparam("of_lane"))',
        _of("services/fleet/searches", "of_two_ends_of_one_vehicle_the_first_counts[sqlite]"),
    ),
    Mutant(
        "a vehicle is searched again that somebody searched meanwhile",
        _SEARCHES,
        "return known is not None and known.searched_at >= vehicle.claimed_at",
        "return False",
        _of(
            "services/fleet/searches",
            "a_vehicle_that_somebody_searched_after_it_was_claimed_is_not_searched_again[sqlite]",
        ),
    ),
    Mutant(
        "a run ends while a vehicle is searched",
        _SEARCHES,
        "if not left.parts:",
        "if left.parts == left.claimed:",
        _of("services/fleet/searches", "a_lane_that_is_begun_again_searches_the_vehicle_that_it_had[sqlite]"),
    ),
)
