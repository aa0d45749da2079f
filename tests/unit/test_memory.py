"""Test that processes return the memory of hashed passwords, and that garbage is still collected."""

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


def test_frozen_objects_are_not_scanned_and_later_garbage_is_collected() -> None:
    program = """
import gc, weakref
from dashboard.memory import freeze_objects, collect_garbage_less_often

class Node:
    pass

collect_garbage_less_often()
freeze_objects()
assert gc.get_freeze_count() > len(gc.get_objects())
node = Node()
node.itself, gone = node, weakref.ref(node)
del node
gc.collect()
assert gone() is None
"""
    subprocess.run([sys.executable, "-c", program], check=True)
