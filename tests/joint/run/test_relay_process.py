"""The relay as a process: started for a run, or from the command line for others."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from joint.pipes import together
from noisewright.errors import ProtocolError
from noisewright.joint.run.relay_process import running_relay
from noisewright.joint.transport.keys import PairToken
from noisewright.joint.transport.rendezvous import Rendezvous
from noisewright.joint.transport.tls import make_identity


def soon(seconds: float = 5.0) -> float:
    return time.monotonic() + seconds


def meet_both(rendezvous, token):
    return together(lambda: rendezvous.meet(token, soon()), lambda: rendezvous.meet(token, soon()))


def test_a_relay_is_started_as_a_process_and_ends_with_its_block():
    with running_relay() as place:
        left, right = meet_both(place.rendezvous, PairToken.fresh())
        with left, right:
            left.send(b"x")
            assert right.receive(1) == b"x"
    with pytest.raises(ProtocolError, match="cannot be reached"):
        Rendezvous(place.host, place.port).meet(PairToken.fresh(), soon())


def test_the_command_line_serves_until_it_is_told_to_stop(tmp_path):
    identity = make_identity(tmp_path)
    command = [sys.executable, "-m", "noisewright.joint.transport.relay"]
    files = ["--certificate", str(identity.certificate), "--key", str(identity.key)]
    with subprocess.Popen(
        command + files, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        where = json.loads(process.stdout.readline())
        rendezvous = Rendezvous(where["host"], where["port"], identity.certificate)
        for pipe in meet_both(rendezvous, PairToken.fresh()):
            pipe.close()
        process.terminate()
        assert process.wait(600) == 0
        assert process.stderr.read() == ""
