"""The server around the pages."""

from __future__ import annotations

import socket

import pytest

from card_arena.leaderboard.web.server import PortInUse, serve


def test_a_port_in_use_gets_one_sentence(url):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            PortInUse, match=f"^port {port} of 127.0.0.1 is in use: .*another port$"
        ):
            serve(url, "127.0.0.1", port)


def test_an_address_that_is_not_ours_gets_one_sentence(url):
    with pytest.raises(PortInUse, match=r"^can't listen on port 8000 of 192\.0\.2\.1: "):
        serve(url, "192.0.2.1", 8000)
