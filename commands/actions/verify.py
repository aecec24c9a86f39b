"""`arena verify`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commands.cli_errors import Stop
from commands.printer import say
from common.escaping import one_line
from leaderboard import views
from leaderboard.storage.database import Damaged
from leaderboard.storage.store import Store
from tables.dealing import commitment
from tournament.verify import Report, verify_ratings, verify_season

MOST_SHOWN = 10
"""At most this many differences are shown one by one."""


def verify(tournament: str | None, store: Store) -> None:
    """Verify a tournament or all, and print what was checked and what differs.

    Exit code 1 if anything differs or can't be read.
    """
    names = [tournament] if tournament else [line.name for line in views.tournaments(store)]
    wrong: list[str] = []
    if not names:
        say("nothing to verify: no season has been played yet")
        return
    for name in names:
        try:
            wrong += _verified(store, name)
        except Damaged as error:
            wrong.append(f"{name}: {error}")
    if wrong:
        raise Stop(first_few(wrong), 1)
    say("everything is as it was stored")


def _verified(store: Store, name: str) -> Iterator[str]:
    """Verify a tournament, printing each season as it is done; return the differences."""
    seasons = store.seasons(name)
    if not seasons:
        views.standings(store, name)  # raises the error for an unknown name
    for season in seasons:
        report = verify_season(store, season)
        say(verified(report))
        yield from report.differences
        if season.finished is None:
            say(f"  not finished, so its points and {name}'s ratings are not compared")
    if all(season.finished for season in seasons):
        yield from verify_ratings(store, name)
        say(f"{name}: ratings computed again from the first season on")


def verified(report: Report) -> str:
    """Say what was checked in a season."""
    season = report.season
    found = _differences(len(report.differences) or "no")
    seed = season.seed.hex() if season.finished else "secret until the season is finished"
    return (
        f"{season.tournament}, season {season.number}: {report.matches} matches replayed,"
        f" {report.turns} turns, {report.packs} packs dealt from the seed, points: {found}\n"
        f"  seed    {seed}\n"
        f"  sha256  {commitment(season.seed)} (compare with what was published)"
    )


def first_few(differences: Sequence[str]) -> str:
    """List the first differences, and say how many more there are."""
    shown = [one_line(difference) for difference in differences[:MOST_SHOWN]]
    more = len(differences) - len(shown)
    return "\n".join([*shown, *([f"and {_differences(more, 'more ')}"] if more else [])])


def _differences(number: int | str, more: str = "") -> str:
    return f"{number} {more}difference{'' if number == 1 else 's'}"
