"""Test what processes keep of memory: not that of hashed passwords, and no garbage."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import threading, time
from pathlib import Path
from argon2 import PasswordHasher
from dashboard.memory import give_freed_memory_back

def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 2**20

give_freed_memory_back()
hasher = PasswordHasher(time_cost=1, memory_cost=19 * 1024, parallelism=1)
places, before = threading.Semaphore(4), megabytes()
hashed, over = threading.Semaphore(0), threading.Event()

def work():
    for _ in range(3):
        with places:
            hasher.hash("a long enough phrase")
    hashed.release()
    over.wait()

threads = [threading.Thread(target=work) for _ in range(32)]
for each in threads:
    each.start()
for _ in threads:
    hashed.acquire()
print(megabytes() - before)
over.set()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no heap for each thread")
def test_threads_that_hash_passwords_leave_no_memory_behind() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60)
    assert int(done.stdout) < 100


def test_what_stays_is_left_out_of_the_search_for_garbage_and_what_is_made_later_is_not() -> None:
    program = """
import gc, weakref
from dashboard.memory import leave_what_stays_out, look_for_garbage_less_often

class Node:
    pass

look_for_garbage_less_often()
leave_what_stays_out()
assert gc.get_freeze_count() > len(gc.get_objects())
node = Node()
node.itself, gone = node, weakref.ref(node)
del node
gc.collect()
assert gone() is None
"""
    subprocess.run([sys.executable, "-c", program], check=True)
