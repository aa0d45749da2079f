"""Run a random storm: many people click, processes die, the service misbehaves, time passes; then the oracle checks.

`python -m tests.faults.storm [--seed N] [--database sqlite|postgresql] [--seconds N | --rounds N]`. It goes in rounds
of twenty seconds, each on a new store and with a seed of its own, which is printed, also in every failure. All
that is random comes of that seed, but which thread or process is first does not: a round replays nearly, not exactly.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic

from tests.faults.storm_outcome import Outcome
from tests.faults.storm_round import Round
from tests.support.postgres import NotInstalled, empty_database, running_server

ROUND_SECONDS = 20.0


def main(arguments: list[str] | None = None) -> int:
    asked = _asked(arguments)
    seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**6)
    rounds = asked.rounds or max(1, round(asked.seconds / ROUND_SECONDS))
    length = ROUND_SECONDS if asked.rounds else asked.seconds / rounds
    print(f"A storm on {asked.database}: {rounds} rounds of {length:.0f} s, from seed {seed}.", flush=True)
    began = monotonic()
    total = Outcome.none()
    with ExitStack() as stack:
        try:
            new_store = stack.enter_context(_stores(asked.database))
        except NotInstalled as reason:
            print(reason)
            return 0
        for number in range(seed, seed + rounds):
            outcome = _go_through(number, length, asked.database, new_store)
            print(f"  seed {number}: {outcome.in_short()}", flush=True)
            total = total + outcome
    print(total.table(asked.database, seed, rounds, monotonic() - began))
    return 1 if total.violations else 0


def _go_through(seed: int, seconds: float, database: str, new_store: Callable[[ExitStack, Path], str]) -> Outcome:
    """Run one round in a folder of its own; delete it unless the round failed or the oracle found a violation."""
    folder = Path(tempfile.mkdtemp(prefix="storm-"))
    where = f"  seed {seed}, {database}: stores and logs are in {folder}"
    try:
        with ExitStack() as stack:
            outcome = Round(seed, new_store(stack, folder), folder, seconds).run()
    except KeyboardInterrupt:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except BaseException:
        print(where, file=sys.stderr)
        raise
    for violation in outcome.violations:
        print(f"  seed {seed}, {database}: {violation}", file=sys.stderr)
    if outcome.violations:
        print(where, file=sys.stderr)
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


@contextmanager
def _stores(database: str) -> Iterator[Callable[[ExitStack, Path], str]]:
    """Yield a function that returns the URL of a new, empty database for each round."""
    if database == "sqlite":
        yield lambda _, folder: f"sqlite:///{folder / 'dashboard.db'}"
        return
    with running_server() as server:
        yield lambda stack, _: stack.enter_context(empty_database(server))


def _asked(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.storm", description="A random storm.")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=float, default=100.0)
    length.add_argument("--rounds", type=int)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
