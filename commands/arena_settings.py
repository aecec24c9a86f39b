"""What may stand in `arena.yaml`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from accounts.settings import AccountSettings, Address
from common.moments import known_zone
from common.units import Days
from formats.base import Part

Text = Annotated[str, Field(strict=True, min_length=1)]


def _several(said: object) -> object:
    return [said] if isinstance(said, str) else said


ZoneName = Annotated[Text, AfterValidator(known_zone)]


class AlarmSettings(Part):
    """Who is told when something is amiss (`arena doctor --alarm`): by `mail`, or a `webhook`.

    The mail is sent by the server of `accounts: mail:`. What lasts is told `again` after this time.
    """

    mail: Annotated[tuple[Text, ...], BeforeValidator(_several)] = ()
    webhook: Address | None = None
    again: Days = 6 * 3600.0


class ArenaSettings(Part):
    """The arena itself, as opposed to its tournaments: most keys are options' names.

    The database, the folder of tournament files, where pages are served, where visitors reach them
    and through which proxy, and the cluster that plays, with its keys. `backups` is the folder in
    which `arena doctor` looks for a recent one. `zone` is the time zone of what people type and
    read. Without `accounts` nobody can sign in, and without `alarm` nobody is told what is amiss.
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

    @field_validator("accounts", mode="before")
    @classmethod
    def _in_zone(cls, accounts: Any, said: ValidationInfo) -> Any:
        """The settings of accounts, which read times in the arena's zone."""
        if not isinstance(accounts, dict):
            return accounts
        if "zone" in accounts:
            raise ValueError("must have no `zone`: it stands at the top, for the whole arena")
        return {**accounts, "zone": said.data.get("zone", "UTC")}

    @field_validator("alarm")
    @classmethod
    def _can_be_mailed(
        cls, alarm: AlarmSettings | None, said: ValidationInfo
    ) -> AlarmSettings | None:
        accounts = said.data.get("accounts")
        if alarm and alarm.mail and "accounts" in said.data and not (accounts and accounts.mail):
            raise ValueError("`mail` needs a server that sends it: set `mail:` in `accounts:`")
        return alarm
