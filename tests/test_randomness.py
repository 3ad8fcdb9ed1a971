"""Random words: right, fresh in every thread and process, and labelled when they are not private."""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from noisewright.errors import InvalidParameter
from noisewright.randomness import BLOCK, REKEY, SecureSource, SeededSource, Stream, label


def test_words_are_the_aes_ctr_key_stream():
    """Counter mode from its definition: each block is the encrypted counter."""
    key, nonce = bytes(range(32)), (1 << 127).to_bytes(16, "big")
    words = np.empty(2 * BLOCK + 3, dtype=np.uint64)
    Stream(key, nonce, renewable=False).fill(words)
    block = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    blocks = -(-words.nbytes // 16)
    stream = b"".join(block.update(((1 << 127) + i).to_bytes(16, "big")) for i in range(blocks))
    assert words.tobytes() == stream[: words.nbytes]


def test_filling_in_pieces_continues_the_stream():
    whole, pieces = np.empty(1000, dtype=np.uint64), np.empty(1000, dtype=np.uint64)
    SeededSource(1).stream().fill(whole)
    stream = SeededSource(1).stream()
    for part in (pieces[:16], pieces[16:998], pieces[998:]):
        stream.fill(part)
    np.testing.assert_array_equal(whole, pieces)


def test_an_array_that_is_not_contiguous_is_refused_rather_than_half_filled():
    with pytest.raises((TypeError, ValueError)):
        SecureSource().stream().fill(np.empty(64, dtype=np.uint64)[::2])


def test_no_word_ever_repeats_between_calls_threads_and_sources():
    """10⁶ fresh 64-bit words collide with probability below 3·10⁻⁸."""
    source, found, lock = SecureSource(), [], threading.Lock()

    def work() -> None:
        for _ in range(10):
            words = source.words(12_500)
            with lock:
                found.append(words)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    words = np.concatenate(found)
    assert words.size == 1_000_000
    assert np.unique(words).size == words.size


FORKING = """
import os
import numpy as np
from noisewright.randomness import SecureSource

def forked(work):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, work())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    assert os.wait()[1] == 0
    return data
"""

FRESH_SOURCE = """
source = SecureSource()
source.words(8)
parts = [forked(lambda: source.words(64).tobytes()) for _ in range(4)] + [source.words(64).tobytes()]
"""

OPEN_STREAM = """
stream = SecureSource().stream()
stream.fill(np.empty(8, dtype=np.uint64))
def go_on():
    words = np.empty(64, dtype=np.uint64)
    stream.fill(words)
    return words.tobytes()
parts = [forked(go_on) for _ in range(4)] + [go_on()]
"""

POOL = """
import multiprocessing
from noisewright import Interval
from noisewright.mechanisms import OGPM
def work(_):
    return OGPM(Interval(0, 1), 1.0).perturb(np.full(64, 0.5)).tobytes()
with multiprocessing.get_context("fork").Pool(2) as pool:
    parts = pool.map(work, range(5), chunksize=1)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("script", [FRESH_SOURCE, OPEN_STREAM, POOL], ids=["source", "open stream", "pool"])
def test_a_forked_child_never_repeats_its_parents_words(script):
    """In a process of its own: forking a test runner that has threads would be asking for trouble."""
    count = "\nall = np.concatenate([np.frombuffer(p, dtype=np.uint64) for p in parts])\nprint(all.size, np.unique(all).size)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKING + script + count],
        capture_output=True, text=True, timeout=600, check=True,
    )  # fmt: skip
    drawn, different = map(int, done.stdout.split())
    assert drawn == 5 * 64
    assert different >= drawn - (3 if script is POOL else 0)  # reports of 2^20 cells coincide now and then


def test_a_secure_stream_renews_its_key_and_a_seeded_one_does_not(monkeypatch):
    keys = []
    start = Stream._start
    monkeypatch.setattr(
        Stream, "_start", lambda self, key, nonce: (keys.append(key), start(self, key, nonce))[1]
    )
    for source in (SecureSource(), SeededSource(1)):
        keys.clear()
        stream = source.stream()
        stream._drawn = REKEY
        stream.fill(np.empty(8, dtype=np.uint64))
        assert len(keys) == (2 if source.private else 1)
        assert len(set(keys)) == len(keys)


def test_keys_come_from_the_operating_system_and_are_never_repeated(monkeypatch):
    asked = []
    real = os.urandom
    monkeypatch.setattr(os, "urandom", lambda size: (asked.append(size), real(size))[1])
    source = SecureSource()
    source.words(1)
    source.words(1)
    assert asked == [32, 16, 32, 16]


def test_bits_are_balanced():
    """Each of 64 bits over n words: Hoeffding at 10⁻⁹ each; a bias of 1 % would be caught for certain."""
    count = 1_000_000
    words = SecureSource().words(count)
    bound = math.sqrt(math.log(2e9) / (2 * count))
    assert bound < 0.005
    for bit in range(64):
        assert abs(np.mean((words >> np.uint64(bit)) & np.uint64(1)) - 0.5) <= bound


def test_seeded_words_repeat_and_say_so():
    assert SeededSource(7).words(5).tolist() == SeededSource(7).words(5).tolist()
    assert SeededSource(7).words(5).tolist() != SeededSource(8).words(5).tolist()
    assert not SeededSource(7).private
    assert "NOT PRIVATE" in label(SeededSource(7))
    assert label(SecureSource()) == "cryptographic"


def test_a_seeded_source_continues_after_pickling():
    source = SeededSource(7)
    source.words(3)
    again = pickle.loads(pickle.dumps(source))
    assert again.words(5).tolist() == source.words(5).tolist()


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True, 1 << 128])
def test_senseless_seeds_are_refused(seed):
    with pytest.raises(InvalidParameter, match="seed"):
        SeededSource(seed)


def test_a_secure_source_holds_no_state_that_could_leak():
    source = SecureSource()
    source.words(100)
    assert vars(source) == {}
