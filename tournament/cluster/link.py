"""The runner's link to a scheduler: who is there, and calls that go to a slot and come back."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from distributed import Client

from tournament.cluster import engine
from tournament.cluster.places import Parcel, SlotPlace
from tournament.cluster.reach import knock
from tournament.cluster.slot import keep, play_parcel

BEAT = 0.5
"""Seconds between two looks at who is there."""

TROUBLE = (OSError, TimeoutError, asyncio.TimeoutError, RuntimeError, ValueError)
"""What talking to a scheduler that is going away may raise."""


class Unshelved(Exception):
    """A host can't keep the contents that a parcel needs; the message says why."""


class Link:
    """A client of Dask, made anew whenever the scheduler was lost.

    A client that has lost its scheduler may find it again without what was under way, so none is
    used again. `patience` is for how many seconds anything but a match is waited for. Raises
    `BadAddress` and `OpenKeys`.
    """

    def __init__(self, address: str, keys: Path, patience: float) -> None:
        engine.set_up()
        self.address = address
        self._keys = keys
        self._security = engine.security(address, keys)
        self._patience = patience
        self._client: Client | None = None
        self._numbers = itertools.count(1)
        self._token = secrets.token_hex(4)

    @property
    def up(self) -> bool:
        """Whether there is a scheduler now."""
        return self._client is not None

    async def meet(self, see: Callable[[Mapping[str, Mapping[str, Any]]], None]) -> bool:
        """Show `see` again and again who is there, until the scheduler is lost.

        Returns True, or raises one of `TROUBLE`: `Unreachable` if it knows why.
        """
        await asyncio.to_thread(knock, self.address, self._keys, min(10.0, self._patience))
        client = Client(
            self.address,
            security=self._security,
            asynchronous=True,
            set_as_default=False,
            timeout=min(10.0, self._patience),
        )
        try:
            await asyncio.wait_for(client, self._patience)
            self._client = client
            while client.status == "running" and client.scheduler is not None:
                asked = client.scheduler.identity(n_workers=-1)
                see((await asyncio.wait_for(asked, self._patience))["workers"])
                await asyncio.sleep(BEAT)
        finally:
            self._client = None
            with suppress(*TROUBLE):
                await asyncio.wait_for(client.close(timeout=BEAT), 4 * BEAT)
        return True

    async def call(self, slot: SlotPlace, parcel: Parcel) -> object:
        """Return what a slot gives back for a parcel's calls; cancelled, it has the slot drop them.

        Raises `Unshelved` if they could not even be brought there, and anything else if there will
        be no answer.
        """
        client = self._client
        if client is None:
            raise ConnectionError("there is no scheduler")
        await self._stock(client, slot, parcel)
        future = client.submit(
            play_parcel,
            [call.data for call in parcel.calls],
            key=f"arena-{self._token}-{next(self._numbers)}",
            workers=[slot.address],
            allow_other_workers=False,
            pure=False,
        )
        try:
            return await future
        except asyncio.CancelledError:
            with suppress(*TROUBLE):
                await asyncio.wait_for(client.cancel([future], force=True), 4 * BEAT)
            raise

    async def _stock(self, client: Client, slot: SlotPlace, parcel: Parcel) -> None:
        """See that all contents of a parcel are on its host's shelf; each travels there once."""
        shelved = slot.known.shelved
        missing = {
            digest: each for digest, each in parcel.contents.items() if digest not in shelved
        }
        if missing:
            put = asyncio.create_task(self._put(client, slot, [*missing.values()]))
            shelved.update(dict.fromkeys(missing, put))
        for digest in parcel.contents:
            put = shelved[digest]
            if trouble := await asyncio.shield(put):
                for each in [each for each, by in shelved.items() if by is put]:
                    del shelved[each]
                raise Unshelved(trouble)

    async def _put(self, client: Client, slot: SlotPlace, contents: list[bytes]) -> str:
        """Send contents to a host; say what went wrong."""
        try:
            sent = client.run(keep, slot.shelf, contents, workers=[slot.address])
            answers = await asyncio.wait_for(sent, 2 * self._patience)
            return str(answers[slot.address])
        except Exception as error:
            return f"{type(error).__name__}: {error}"
