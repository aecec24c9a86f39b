"""Ports for what is to listen in a test."""

from __future__ import annotations

import atexit
import socket

PORTS = range(20_000, 32_000)
"""Below those that the system gives to anybody who asks for some port."""

_HELD: list[socket.socket] = []
atexit.register(lambda: [name.close() for name in _HELD])


def free_port() -> int:
    """A port at which nobody listens, and which is this process's for as long as it lives.

    What listens there may need seconds to start. Till then the port is known to be taken, to tests
    in any process, by a socket of that name.
    """
    for port in PORTS:
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0card-arena-test-port-{port}")
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            name.close()
        else:
            _HELD.append(name)
            return port
    raise OSError("no port is free for a test")
