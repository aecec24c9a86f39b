"""The address of a client, by which requests and readers are counted."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from flask import request

SITE_OF_ADDRESSES = 64
"""Leading bits of an IPv6 address that one visitor can't choose (RFC 6177)."""


def by_address() -> str:
    """Return the address of a client; an IPv6 network of one visitor counts as one address."""
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return "nowhere"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> SITE_OF_ADDRESSES << SITE_OF_ADDRESSES))
    return str(address)
