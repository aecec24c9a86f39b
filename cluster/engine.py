"""Dask's settings for every process of a cluster; addresses and keys."""

from __future__ import annotations

import ipaddress
import logging
import os
import socket
import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import dask
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from distributed import Security

from card_arena.common.errors import UserError

# The keys to a cluster: an authority that is used once, and what it signed.
#
# The holder of the member's key is a member: it may join, distribute work and return results. The
# authority's own key is never written down, so nobody can make another member's later; to shut a
# machine out, make new keys and don't copy them there.


CA, MEMBER = "ca.pem", "member.pem"
"""The files of a folder of keys: what members are recognised by, and what a member has."""

VALID = timedelta(days=825)
"""The lifetime of keys."""

AHEAD = timedelta(days=1)
"""The most that another machine's clock may be behind."""


class KeysThere(UserError):
    """There are keys in a folder already."""


class OpenKeys(UserError):
    """A key that others on this machine can read."""


def make_keys(folder: Path) -> None:
    """Make the keys of a cluster in a folder; raises `KeysThere` rather than replace any."""
    for name in (CA, MEMBER):
        if (folder / name).exists():
            raise KeysThere(
                f"there is a {folder / name} already: give another folder, or remove this one if no"
                " machine uses its keys any more"
            )
    key, authority_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    usage = dict.fromkeys(
        (
            *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
            *("key_agreement", "crl_sign", "encipher_only", "decipher_only"),
        ),
        False,
    )
    authority = _certificate(
        "card arena cluster",
        authority_key.public_key(),
        authority_key,
        (x509.BasicConstraints(ca=True, path_length=0), True),
        (x509.KeyUsage(key_cert_sign=True, **usage), True),
        (x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key()), False),
    )
    member = _certificate(
        "card arena member",
        key.public_key(),
        authority_key,
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), False),
    )
    folder.mkdir(parents=True, exist_ok=True)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    _write(folder / CA, authority.public_bytes(Encoding.PEM))
    _write(folder / MEMBER, member.public_bytes(Encoding.PEM) + private)


def _certificate(
    name: str,
    key: ec.EllipticCurvePublicKey,
    authority_key: ec.EllipticCurvePrivateKey,
    *extensions: tuple[x509.ExtensionType, bool],
) -> x509.Certificate:
    """Have the authority sign a certificate; each extension is critical or not."""
    now = datetime.now(UTC)
    subject, issuer = (
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
        for common_name in (name, "card arena cluster")
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - AHEAD)
        .not_valid_after(now + VALID)
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(authority_key, hashes.SHA256())


def _write(path: Path, content: bytes) -> None:
    """Write a file that was not there, readable by its owner alone."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


SETTINGS = {
    # Runners hand tasks to workers themselves, so there is nothing to steal.
    "distributed.scheduler.work-stealing": False,
    # The pool gives up a silent host long before the scheduler does.
    "distributed.scheduler.worker-ttl": "60s",
    # Pages for everybody who reaches the port, without a key: none of them is needed.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # A slot computes in its own child; what it holds itself is small and never worth a pause.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
    "distributed.comm.timeouts.connect": "10s",
    "distributed.comm.timeouts.tcp": "30s",
}

LOGGERS = ("distributed", "distributed.client", "distributed.gc")
"""Dask's loggers: it sets the level of each."""

NO_PAGES = "127.0.0.1:0"
"""Dask's page for browsers, which can't be turned off: nothing answers there."""


class BadAddress(UserError):
    """An address of a cluster that can't be used; the message says what was expected."""


def set_up() -> None:
    """Set Dask as this arena needs it, whatever a user's or a machine's own files say."""
    dask.config.set(SETTINGS)
    for name in LOGGERS:
        logging.getLogger(name).setLevel(os.environ.get("ARENA_DASK_LOG", "CRITICAL"))


def checked_address(address: str) -> str:
    """A scheduler's address as it is used; raises `BadAddress`.

    Without keys only addresses of this machine are allowed: anybody who reaches a scheduler without
    keys can run programs on all of its hosts.
    """
    expected = "expected tls://HOST:PORT"
    try:
        parts = urlsplit(address if "://" in address else f"tls://{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadAddress(f"{address[:80]!r} is no address of a cluster: {expected}") from None
    if parts.scheme not in ("tls", "tcp") or not host or not port or parts.path.strip("/"):
        raise BadAddress(f"{address[:80]!r} is no address of a cluster: {expected}")
    if parts.scheme == "tcp" and not is_here(host):
        raise BadAddress(
            f"{address} has no encryption, so that everybody who reaches it could run programs on"
            f" its hosts: {expected}, with keys that `arena cluster keys` makes"
        )
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}:{port}"


def is_here(host: str) -> bool:
    """Whether an address can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def security(address: str, keys: Path) -> Security:
    """The keys to an address: those in a folder that `arena cluster keys` made.

    Raises `BadAddress` if they are missing or damaged, and `OpenKeys` if others can read them.
    """
    if address.startswith("tcp://"):
        return Security(require_encryption=False)
    ca, member = keys / CA, keys / MEMBER
    for file in (ca, member):
        if not file.is_file():
            raise BadAddress(
                f"{address} needs keys, and there is no {file}: copy the folder from a machine"
                f" that has them, or make new ones for all with `arena cluster keys {keys}`"
            )
    if member.stat().st_mode & 0o077:
        raise OpenKeys(
            f"{member} can be read by others on this machine, who could then join the cluster:"
            f" chmod 600 {member}"
        )
    roles = ("scheduler", "worker", "client")
    files = {f"tls_{role}_{part}": str(member) for role in roles for part in ("cert", "key")}
    settings = Security(require_encryption=True, tls_ca_file=str(ca), **files)
    try:
        settings.get_connection_args("client")
    except OSError as error:
        raise BadAddress(f"the keys in {keys} can't be used: {error.strerror or error}") from None
    return settings


def listens_at(address: str) -> tuple[str, int]:
    """The interface and the port of an address that a scheduler listens at."""
    parts = urlsplit(address)
    return parts.hostname or "", parts.port or 0


def host_name() -> str:
    """Return this machine's default name."""
    return socket.gethostname().split(".")[0] or "unnamed"


PATIENCE = 10.0
"""Seconds in which a machine must answer."""

OUTDATED = {9: "is not valid yet, by this machine's clock", 10: "has expired"}
"""The meanings of OpenSSL's error numbers for a certificate of the right authority."""


class Unreachable(ConnectionError):
    """A scheduler can't be reached; the message says why."""


def out_of_reach(address: str, error: Unreachable) -> str:
    return f"{address} is out of reach: {error}; trying again until it answers"


def probe(address: str, keys: Path, patience: float = PATIENCE) -> None:
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
