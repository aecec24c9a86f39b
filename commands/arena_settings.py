"""What may stand in `arena.yaml`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from leaderboard.door.settings import DoorSettings
from tournament.fields import Part

Text = Annotated[str, Field(strict=True, min_length=1)]


class ArenaSettings(Part):
    """The arena itself, as opposed to its tournaments: most keys are options' names.

    The database, the folder of tournament files, where pages are served, where visitors reach them
    and through which proxy, and the cluster that plays, with its keys. `backups` is the folder in
    which `arena doctor` looks for a recent one. Without `door` nobody can sign in.
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
    door: DoorSettings | None = None
