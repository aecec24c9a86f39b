"""Keys: members reach each other, strangers reach nothing, and what can be mistyped is told."""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from distributed import Client, Security

from card_arena.cluster import engine
from card_arena.cluster import slot as slot_process
from card_arena.cluster.engine import (
    CA,
    MEMBER,
    BadAddress,
    KeysThere,
    OpenKeys,
    checked_address,
    make_keys,
)
from card_arena.cluster.host import this_arena
from card_arena.common.hosts import Host
from card_arena.tests.cluster.harness import Cluster, HostProcess, SchedulerProcess

pytestmark = pytest.mark.timeout(600)


def test_keys_are_their_owners_alone_and_never_replaced(tmp_path: Path) -> None:
    make_keys(tmp_path / "keys")
    for name in (CA, MEMBER):
        assert (tmp_path / "keys" / name).stat().st_mode & 0o077 == 0
    before = (tmp_path / "keys" / MEMBER).read_bytes()
    with pytest.raises(KeysThere, match=r"there is a .*ca\.pem already"):
        make_keys(tmp_path / "keys")
    assert (tmp_path / "keys" / MEMBER).read_bytes() == before


def test_keys_that_others_can_read_are_not_used(tmp_path: Path) -> None:
    make_keys(tmp_path)
    (tmp_path / MEMBER).chmod(0o644)
    with pytest.raises(OpenKeys, match=r"chmod 600 .*member\.pem"):
        engine.security("tls://10.0.0.1:8786", tmp_path)


def test_missing_keys_are_told_with_what_makes_them(tmp_path: Path) -> None:
    with pytest.raises(BadAddress, match="`arena cluster keys"):
        engine.security("tls://10.0.0.1:8786", tmp_path)


@pytest.mark.parametrize("name", [CA, MEMBER])
def test_damaged_keys_are_told(name: str, tmp_path: Path) -> None:
    make_keys(tmp_path)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:100])
    with pytest.raises(BadAddress, match=r"the keys in .* can't be used"):
        engine.security("tls://10.0.0.1:8786", tmp_path)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("tls://head:8786", "tls://head:8786"),
        ("head:8786", "tls://head:8786"),
        ("tls://[::1]:8786/", "tls://[::1]:8786"),
        ("tcp://127.0.0.1:8786", "tcp://127.0.0.1:8786"),
    ],
)
def test_an_address_is_encrypted_unless_it_says_otherwise(typed: str, read: str) -> None:
    assert checked_address(typed) == read


@pytest.mark.parametrize("typed", ["head", "http://head:80", "tls://head:x", "tls://:1", "", "::"])
def test_what_is_no_address_is_one_sentence(typed: str) -> None:
    with pytest.raises(BadAddress, match="expected tls://HOST:PORT"):
        checked_address(typed)


def test_without_encryption_only_this_machine_is_reached() -> None:
    with pytest.raises(BadAddress, match="has no encryption"):
        checked_address("tcp://192.168.0.7:8786")


def test_a_stranger_without_the_key_can_neither_join_nor_hand_in_nor_ask(
    cluster: Cluster, tmp_path: Path
) -> None:
    """A stranger has keys, but of another cluster; and one has none at all."""
    cluster.host("alpha")
    strangers = tmp_path / "keys"
    make_keys(strangers)
    said: list[str] = []
    with cluster.pool(said) as pool:
        stranger = HostProcess(_with_keys(cluster.scheduler, strangers), "eve", cluster.new_cache())
        try:
            address = cluster.scheduler.address
            keys = engine.security(address, strangers)
            assert not reached(address, keys)
            assert not reached(address.replace("tls", "tcp"), None)
            assert not answered(cluster.scheduler.port)
            assert stranger.process.stdout is not None
            assert f"its keys are not those in {strangers}" in stranger.process.stdout.readline()
            assert slot_was_refused(address, strangers)
            assert pool.workers == 1
            assert not any("eve" in each for each in said)
            assert pool.submit(len, "four").result(60) == 4
        finally:
            stranger.end()


def slot_was_refused(address: str, keys: Path) -> bool:
    """Whether a slot of a stranger, who does not ask first whether the keys fit, ends alone."""
    eve = Host("eve", this_arena(), "a test", cores=1, speed=10.0)
    arguments = slot_process.arguments_for(eve, 1, -1, address, keys, keys / "blobs")
    with subprocess.Popen(
        [sys.executable, "-m", slot_process.__name__, arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as slot:
        assert slot.stdout is not None
        return slot.stdout.read() == b"" and slot.wait() == slot_process.GONE


def reached(address: str, keys: Security | None) -> bool:
    """Whether somebody with these keys becomes a client."""
    with suppress(OSError, TimeoutError):
        Client(address, security=keys, timeout=3, set_as_default=False)
        return True
    return False


def answered(port: int) -> bool:
    """Whether somebody who has no certificate is told anything."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with (
        suppress(OSError),
        socket.create_connection(("127.0.0.1", port), 5) as raw,
        context.wrap_socket(raw) as wrapped,
    ):
        wrapped.sendall(b"\0" * 8)
        return wrapped.recv(1) != b""
    return False


def _with_keys(scheduler: SchedulerProcess, keys: Path) -> SchedulerProcess:
    """The same scheduler, as a stranger knows it."""
    other = object.__new__(SchedulerProcess)
    other.keys, other.port, other.address = keys, scheduler.port, scheduler.address
    return other


def test_nothing_listens_to_others_without_keys(cluster: Cluster) -> None:
    """Dask would serve pages about tasks to everybody, on a port of its own."""
    alpha = cluster.host("alpha")
    with cluster.pool([]):
        for process in (psutil.Process(cluster.scheduler.process.pid), *alpha.slot_processes):
            listening = [c for c in process.net_connections() if c.status == psutil.CONN_LISTEN]
            assert listening
            assert {each.laddr.ip for each in listening} == {"127.0.0.1"}
