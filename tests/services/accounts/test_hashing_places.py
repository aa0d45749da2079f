"""Test that passwords are hashed by a few at a time, and that a flood of strangers keeps out nobody who is known."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from dashboard.services.accounts.hashing_places import Busy, HashingPlaces


class Bench:
    """Fill places until the test empties them."""

    def __init__(self, places: HashingPlaces) -> None:
        self.places = places
        self.release = threading.Event()
        self.most = self.now = 0
        self.lock = threading.Lock()
        self.arrived = threading.Semaphore(0)

    def hash(self, known: bool) -> str:
        try:
            with self.places.place(known=known):
                with self.lock:
                    self.now += 1
                    self.most = max(self.most, self.now)
                self.arrived.release()
                assert self.release.wait(20)
                with self.lock:
                    self.now -= 1
        except Busy:
            return "busy"
        return "hashed"


def test_so_many_hash_at_once_so_many_wait_and_the_rest_is_told_to_come_back() -> None:
    bench = Bench(HashingPlaces(4, waiting=6))
    with ThreadPoolExecutor(40) as pool:
        futures = [pool.submit(bench.hash, False) for _ in range(40)]
        for _ in range(3):
            assert bench.arrived.acquire(timeout=10)
        while sum(future.done() for future in futures) < 31:
            threading.Event().wait(0.01)
        known = pool.submit(bench.hash, True)
        assert bench.arrived.acquire(timeout=10), "one place is for those who are known"
        bench.release.set()
        answers = [future.result() for future in futures]
    assert known.result() == "hashed"
    assert (answers.count("hashed"), answers.count("busy")) == (9, 31)
    assert bench.most == 4


def test_nobody_waits_longer_than_their_patience() -> None:
    places = HashingPlaces(1, waiting=5, patience=0.05)
    with places.place(known=True), pytest.raises(Busy), places.place(known=True):
        pass
    with places.place(known=True):
        pass


def test_there_are_two_places_a_core() -> None:
    assert HashingPlaces().places == 2 * (os.cpu_count() or 1)
