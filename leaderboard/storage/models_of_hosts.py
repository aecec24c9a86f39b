"""The tables of who plays: hosts, what they played, and the programs that run and serve it all."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from leaderboard.storage.models import Base


class HostRow(Base):
    """A host of a cluster as it described itself once; `facts` are all that it said."""

    __tablename__ = "hosts"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    facts: Mapped[dict[str, Any]]
    joined: Mapped[datetime]


class PlayedOnRow(Base):
    """The host that played a match; a match that the runner's own machine played has none."""

    __tablename__ = "played_on"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    host_id: Mapped[int] = mapped_column(ForeignKey("hosts.id"))


class SeasonHostRow(Base):
    """How many matches of a season a host played, counted as they are stored."""

    __tablename__ = "season_hosts"

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    host_id: Mapped[int] = mapped_column(ForeignKey("hosts.id"), primary_key=True)
    matches: Mapped[int]


class LeaseRow(Base):
    """The right to run the tournaments of this database; there is one row, with id 1.

    `holder` is a random word of the program that has it, empty if none has. It is good `until` a
    moment, and made longer while the program lives. `machine`, `pid` and `began` tell other
    programs on the same machine whether it still does; `host` is the machine's name for people.
    """

    __tablename__ = "leases"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    holder: Mapped[str]
    until: Mapped[datetime]
    host: Mapped[str]
    machine: Mapped[str]
    pid: Mapped[int]
    began: Mapped[str]


class ServiceRow(Base):
    """A program that is meant to run always, `run` or `serve`, as it last noted that it lives.

    `machine`, `pid` and `began` are as of a lease. `starts` are the times of the last few starts.
    It last wrote this at `seen`, and its main loop last came round at `turned`, if it has one.
    `playing` is what it plays, each with the time since which it does; `troubles` are the
    tournaments that it can't play, each with the reason. `ended` is empty while it runs, else how
    it ended.
    """

    __tablename__ = "services"

    name: Mapped[str] = mapped_column(primary_key=True)
    host: Mapped[str]
    machine: Mapped[str]
    pid: Mapped[int]
    began: Mapped[str]
    starts: Mapped[list[str]] = mapped_column(JSON)
    seen: Mapped[datetime]
    turned: Mapped[datetime | None]
    playing: Mapped[dict[str, Any]]
    troubles: Mapped[dict[str, Any]]
    ended: Mapped[str]
