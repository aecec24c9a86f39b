"""Why a scheduler can't be reached, in a few words: Dask itself only tells that time ran out."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from pathlib import Path

from tournament.cluster.engine import listens_at, security

PATIENCE = 10.0
"""Seconds in which a machine must answer."""

OUTDATED = {9: "is not valid yet, by this machine's clock", 10: "has expired"}
"""What OpenSSL's numbers say of a certificate whose authority is the right one."""


class Unreachable(ConnectionError):
    """A scheduler can't be reached; the message says why."""


def out_of_reach(address: str, error: Unreachable) -> str:
    """What an organiser is told meanwhile."""
    return f"{address} is out of reach: {error}; trying again until it answers"


def knock(address: str, keys: Path, patience: float = PATIENCE) -> None:
    """Connect to a scheduler and go away again.

    Raises `Unreachable` if nobody answers, or somebody with other keys, and `BadAddress` and
    `OpenKeys` if our own keys can't be used.
    """
    tls = security(address, keys).get_connection_args("client").get("ssl_context")
    host, port = listens_at(address)
    try:
        with socket.create_connection((host, port), timeout=patience) as plain:
            if tls is not None:
                with tls.wrap_socket(plain) as encrypted, suppress(OSError):
                    encrypted.unwrap()
    except socket.gaierror:
        raise Unreachable(f"no machine is known as {host}") from None
    except TimeoutError:
        raise Unreachable(f"no answer within {patience:g} s") from None
    except ConnectionRefusedError:
        raise Unreachable("nothing listens there") from None
    except ssl.SSLCertVerificationError as error:
        if reason := OUTDATED.get(error.verify_code):
            raise Unreachable(f"its certificate {reason}") from None
        raise Unreachable(f"its keys are not those in {keys}") from None
    except (ssl.SSLError, ConnectionResetError):
        raise Unreachable("what listens there is no scheduler with keys") from None
    except OSError as error:
        raise Unreachable(error.strerror or str(error)) from None
