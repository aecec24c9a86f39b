"""How far accounts are open: `accounts:` in arena.yaml. Without it, it is shut."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
)

from card_arena.accounts.entries import Quota, lowered
from card_arena.common.moments import EXPECTED, read
from card_arena.common.units import Days, Size, write_size

HERE = ("127.0.0.1", "::1", "localhost")
"""Hosts that are reached over no network."""

Text = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=300)]
Domain = Annotated[
    str, StringConstraints(strict=True, to_lower=True, pattern=r"^[^@\s]+\.[^@\s]+$")
]


def _safe(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in HERE):
        raise ValueError("expected an address that begins with https://")
    return address.rstrip("/")


Address = Annotated[Text, AfterValidator(_safe)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Elsewhere(_Part):
    """Somebody else who signs people in, under whose `client_id` the arena is registered.

    Invited people may sign in. With `anybody`, or with an address in one of the `domains`, others
    come by themselves and get an account.
    """

    client_id: Text
    anybody: Annotated[bool, Field(strict=True)] = False
    domains: tuple[Domain, ...] = ()

    def admits(self, email: str) -> bool:
        """Whether somebody with this address may come without an invitation."""
        return self.anybody or lowered(email).rpartition("@")[2] in self.domains


class OpenIdSettings(Elsewhere):
    """An OpenID Connect provider, such as a university's, and what it is called on the page."""

    issuer: Address
    name: Text = "your organisation"

    @property
    def discovery(self) -> str:
        """Where it says how it is asked (OpenID Connect Discovery 1.0, section 4)."""
        return f"{self.issuer}/.well-known/openid-configuration"


class GitHubSettings(Elsewhere):
    """GitHub, or a GitHub Enterprise `server`."""

    server: Address = "https://github.com"

    @property
    def api(self) -> str:
        """Where its REST API is."""
        public = self.server == "https://github.com"
        return "https://api.github.com" if public else f"{self.server}/api/v3"


class MailSettings(_Part):
    """The server through which links are sent.

    `tls` is "starttls" (as on port 587), "tls" (as on port 465) or "none", which is for a server on
    this machine. `user` is whom it knows the arena as, if it asks.
    """

    server: Text
    port: Annotated[int, Field(strict=True, ge=1, le=65535)] = 587
    sender: Annotated[Text, Field(alias="from")]
    tls: Literal["starttls", "tls", "none"] = "starttls"
    user: Text | None = None

    @field_validator("tls")
    @classmethod
    def _encrypted(cls, tls: str, said: ValidationInfo) -> str:
        if tls == "none" and said.data.get("server") not in HERE:
            raise ValueError("a server on another machine needs tls or starttls")
        return tls


class ChallengeSettings(_Part):
    """Challenges by authors: `at_once` are played at a time, each with the `share` of a tournament.

    One has at most so many `boards`, and a bot begins at most `a_day` in 24 hours.
    """

    share: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    at_once: Annotated[int, Field(strict=True, ge=1, le=100)] = 4
    boards: Annotated[int, Field(strict=True, ge=1, le=1000)] = 100
    a_day: Annotated[int, Field(strict=True, ge=1, le=10_000)] = 20


class AccountSettings(_Part):
    """Who may sign in, and the limits on uploads.

    With `invite` people sign in by the one-time links that `arena people invite` makes, which the
    `mail` server sends; `oidc` and `github` sign people in as well. A team may upload `a_day` bots
    in 24 hours, each of at most `size` bytes, until the `deadline` if there is one; for as long as
    the `grace` after it, a bot is taken and marked late. A team may have so many `bots`, and so may
    each of its people (`bots_a_person`). The admin pages may override all of this. A deadline
    without an offset is in the time zone `zone`, which is the arena's. Members may ask others in
    until the team has `team_size` people. Without `challenges` only organisers begin some.
    """

    invite: Annotated[bool, Field(strict=True)] = True
    oidc: OpenIdSettings | None = None
    github: GitHubSettings | None = None
    mail: MailSettings | None = None
    a_day: Annotated[int, Field(strict=True, ge=1, le=10_000)] = 20
    size: Size = 16 * 2**20
    zone: Text = "UTC"
    deadline: datetime | None = None
    team_size: Annotated[int, Field(strict=True, ge=1, le=1000)] = 4
    grace: Days = 0.0
    bots: Annotated[int, Field(strict=True, ge=1, le=1000)] | None = None
    bots_a_person: Annotated[int, Field(strict=True, ge=1, le=1000)] | None = None
    challenges: ChallengeSettings | None = None

    @field_validator("deadline", mode="before")
    @classmethod
    def _in_zone(cls, said: object, others: ValidationInfo) -> object:
        """A deadline as it is typed; without an offset it is in the arena's time zone."""
        if said is None:
            return None
        text = said.isoformat() if isinstance(said, date) else said
        if not isinstance(text, str):
            raise ValueError(EXPECTED)
        return read(text, others.data.get("zone", "UTC"))

    @property
    def quota(self) -> Quota:
        """The limits of a team, unless the admin pages set others."""
        return Quota.model_validate(self)

    @property
    def largest(self) -> str:
        """The size as people write it, such as 16MiB."""
        return write_size(self.size)
