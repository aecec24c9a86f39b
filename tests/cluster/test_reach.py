"""A scheduler that can't be reached: the reason is told, not only that it took too long."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest

from card_arena.cluster import engine
from card_arena.cluster import engine as keys_module
from card_arena.cluster.engine import Unreachable, make_keys, probe
from card_arena.tests.cluster.harness import Cluster
from card_arena.tests.ports import free_port


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    make_keys(tmp_path / "keys")
    return tmp_path / "keys"


@contextmanager
def listening(keys: Path | None = None, greeting: bytes = b"") -> Iterator[str]:
    """The address of somebody who takes one connection: with keys, with a greeting or silently."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tls://127.0.0.1:{server.getsockname()[1]}"

        def answer() -> None:
            with suppress(OSError), server.accept()[0] as connection:
                if keys is not None:
                    listen = engine.security(address, keys).get_listen_args("scheduler")
                    listen["ssl_context"].wrap_socket(connection, server_side=True)
                connection.sendall(greeting)
                connection.recv(1 << 16)
                connection.recv(1)

        thread = Thread(target=answer)
        thread.start()
        try:
            yield address
        finally:
            thread.join(20)


def test_a_scheduler_with_our_keys_is_reached(cluster: Cluster) -> None:
    probe(cluster.scheduler.address, cluster.keys)


def test_a_port_where_nothing_listens_is_told(keys: Path) -> None:
    with pytest.raises(Unreachable, match=r"^nothing listens there$"):
        probe(f"tls://127.0.0.1:{free_port()}", keys)


def test_an_unknown_name_is_told(keys: Path) -> None:
    with pytest.raises(Unreachable, match=r"^no machine is known as head\.invalid$"):
        probe("tls://head.invalid:8786", keys)


def test_other_keys_are_told(keys: Path, tmp_path: Path) -> None:
    make_keys(tmp_path / "others")
    with (
        listening(tmp_path / "others") as address,
        pytest.raises(Unreachable, match=f"^its keys are not those in {keys}$"),
    ):
        probe(address, keys)


def test_keys_that_have_expired_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_module, "VALID", timedelta(hours=-1))
    make_keys(tmp_path / "keys")
    with (
        listening(tmp_path / "keys") as address,
        pytest.raises(Unreachable, match=r"^its certificate has expired$"),
    ):
        probe(address, tmp_path / "keys")


def test_a_machine_that_says_nothing_is_not_waited_for_long(keys: Path) -> None:
    with listening() as address, pytest.raises(Unreachable, match=r"^no answer within 0\.5 s$"):
        probe(address, keys, patience=0.5)


def test_another_service_at_the_port_is_told(keys: Path) -> None:
    with (
        listening(greeting=b"SSH-2.0-OpenSSH_9.2\r\n") as address,
        pytest.raises(Unreachable, match=r"^what listens there is no scheduler with keys$"),
    ):
        probe(address, keys)
