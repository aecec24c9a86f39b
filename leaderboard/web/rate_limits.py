"""How often somebody may ask: by person where one has signed in, and else by address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address

from flask import Flask, Response, request
from flask_limiter import Limiter

SITE_OF_ADDRESSES = 64
"""Leading bits of an IPv6 address that one visitor can't choose (RFC 6177)."""


@dataclass
class RateLimits:
    """The rates, such as "60/minute", of a blueprint or of a single endpoint; others have none.

    What has the same rate is counted together: who asks for many pages of a blueprint asks as often
    as who asks for one of them again and again. `who` says whose requests are counted together.
    Counts are kept in memory: a restart forgives.
    """

    who: Callable[[], str]
    blueprints: dict[str, str] = field(default_factory=dict)
    endpoints: dict[str, str] = field(default_factory=dict)

    def of_request(self) -> str:
        """The rate that holds for the present request; empty if there is none."""
        blueprint = self.blueprints.get(request.blueprint or "", "")
        return self.endpoints.get(request.endpoint or "", blueprint)


def limit_rates(app: Flask) -> RateLimits:
    """Refuse requests of a site that come too fast, with status 429 and a Retry-After."""
    limits = RateLimits(by_address)
    app.after_request(_told_to_wait)  # Limiter's own comes first: the last one is called first
    Limiter(
        key_func=lambda: limits.who(),
        app=app,
        application_limits=[limits.of_request],
        application_limits_exempt_when=lambda: not limits.of_request(),
        storage_uri="memory://",
        headers_enabled=True,
    )
    app.extensions["rates"] = limits
    return limits


def _told_to_wait(answer: Response) -> Response:
    """Leave `Retry-After` to answers that ask to wait: on a redirect it would delay the next."""
    if answer.status_code not in (429, 503):
        answer.headers.pop("Retry-After", None)
    return answer


def rates(app: Flask) -> RateLimits:
    """The limits of a site."""
    found = app.extensions["rates"]
    assert isinstance(found, RateLimits)
    return found


def by_address() -> str:
    """Where a request comes from; addresses that one visitor can choose among are one."""
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return "nowhere"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> SITE_OF_ADDRESSES << SITE_OF_ADDRESSES))
    return str(address)
