"""The settings in `arena.yaml`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from card_arena.accounts.settings import AccountSettings, Address
from card_arena.common.moments import known_zone
from card_arena.common.units import Days
from card_arena.exhibitions.settings import PlaySettings
from card_arena.formats.base import Part

Text = Annotated[str, Field(strict=True, min_length=1)]


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


ZoneName = Annotated[Text, AfterValidator(known_zone)]


class AlarmSettings(Part):
    """The recipients of alarms (`arena doctor --alarm`): addresses for `mail`, and a `webhook`.

    The server of `accounts: mail:` sends the mail. A lasting problem is sent `again` after a time.
    """

    mail: Annotated[tuple[Text, ...], BeforeValidator(_several)] = ()
    webhook: Address | None = None
    again: Days = 6 * 3600.0


class ArenaSettings(Part):
    """Settings of the arena itself; most keys are names of options.

    The database, the folder of tournament files, where pages are served, where visitors reach them
    and through which proxy, and the cluster that plays, with its keys. `backups` is the folder in
    which `arena doctor` looks for a recent one. `zone` is the time zone of times
    that people type and read. Without `accounts` nobody can sign in, without `alarm` no alarms are
    sent, and without `play` nobody plays at tables.
    """

    database: Text | None = None
    folder: Text | None = None
    host: Text | None = None
    port: Annotated[int, Field(strict=True, ge=1, le=65535)] | None = None
    public: Text | None = None
    proxy: Text | None = None
    cluster: Text | None = None
    keys: Text | None = None
    backups: Text | None = None
    zone: ZoneName = "UTC"
    accounts: AccountSettings | None = None
    alarm: AlarmSettings | None = None
    play: PlaySettings | None = None

    @field_validator("accounts", mode="before")
    @classmethod
    def _in_zone(cls, accounts: Any, info: ValidationInfo) -> Any:
        """The settings of accounts, which read times in the arena's zone."""
        if not isinstance(accounts, dict):
            return accounts
        if "zone" in accounts:
            raise ValueError("must have no `zone`: put it at the top, for the whole arena")
        return {**accounts, "zone": info.data.get("zone", "UTC")}

    @field_validator("play")
    @classmethod
    def _has_members(cls, play: PlaySettings | None, info: ValidationInfo) -> PlaySettings | None:
        members = info.data.get("accounts") or "accounts" not in info.data
        if play and play.who == "members" and not members:
            raise ValueError("`who: members` needs people who can sign in: set `accounts:`")
        return play

    @field_validator("alarm")
    @classmethod
    def _can_be_mailed(
        cls, alarm: AlarmSettings | None, info: ValidationInfo
    ) -> AlarmSettings | None:
        accounts = info.data.get("accounts")
        if alarm and alarm.mail and "accounts" in info.data and not (accounts and accounts.mail):
            raise ValueError("`mail` needs a server that sends it: set `mail:` in `accounts:`")
        return alarm
