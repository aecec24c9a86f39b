"""The keys to a cluster: an authority that is used once, and what it signed.

Whoever has the member's key is a member: it may join, hand out work and hand in results. The
authority's own key is never written down, so nobody can make another member's later; to shut a
machine out, make new keys and don't copy them there.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from common.errors import UserError

CA, MEMBER = "ca.pem", "member.pem"
"""The files of a folder of keys: what members are recognised by, and what a member has."""

VALID = timedelta(days=825)
"""How long keys can be used."""

AHEAD = timedelta(days=1)
"""How far behind another machine's clock may be."""


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
    authority, authority_key = _authority()
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    member = (
        x509.CertificateBuilder()
        .subject_name(_named("card arena member"))
        .issuer_name(authority.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - AHEAD)
        .not_valid_after(now + VALID)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()),
            critical=False,
        )
        .sign(authority_key, hashes.SHA256())
    )
    folder.mkdir(parents=True, exist_ok=True)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    _write(folder / CA, authority.public_bytes(Encoding.PEM))
    _write(folder / MEMBER, member.public_bytes(Encoding.PEM) + private)


def require_private(key: Path) -> None:
    """Raise `OpenKeys` if others on this machine can read a key."""
    if key.stat().st_mode & 0o077:
        raise OpenKeys(
            f"{key} can be read by others on this machine, who could then join the cluster:"
            f" chmod 600 {key}"
        )


def _authority() -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    name = _named("card arena cluster")
    usage = dict.fromkeys(
        (
            *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
            *("key_agreement", "crl_sign", "encipher_only", "decipher_only"),
        ),
        False,
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - AHEAD)
        .not_valid_after(now + VALID)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.KeyUsage(key_cert_sign=True, **usage), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return made, key


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _write(path: Path, content: bytes) -> None:
    """Write a file that was not there, readable by its owner alone."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
