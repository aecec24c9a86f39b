"""What may stand in `arena.yaml`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tournament.fields import Part

Text = Annotated[str, Field(strict=True, min_length=1)]


class ArenaSettings(Part):
    """The arena itself, as opposed to its tournaments: each key is the option of that name.

    The database, the folder of tournament files, where pages are served and where visitors reach
    them, and the cluster that plays, with its keys.
    """

    database: Text | None = None
    folder: Text | None = None
    host: Text | None = None
    port: Annotated[int, Field(strict=True, ge=1, le=65535)] | None = None
    public: Text | None = None
    cluster: Text | None = None
    keys: Text | None = None
