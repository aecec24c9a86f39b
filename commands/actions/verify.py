"""`arena verify`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from commands.cli_errors import Stop
from commands.printer import say
from common.escaping import one_line
from leaderboard import views
from leaderboard.proof.public_value import address, wanted
from leaderboard.storage.database import Damaged
from leaderboard.storage.store import Store
from tournament.proof.from_file import Filed
from tournament.verify import Report, verify_file, verify_ledger, verify_ratings, verify_season

MOST_SHOWN = 10
"""At most this many differences are shown one by one."""

_HASH = re.compile(r"[0-9a-f]{64}")


def verify(what: Sequence[str], head: str | None, store: Callable[[], Store]) -> None:
    """Verify files of seasons, tournaments, or all tournaments; print what was checked and what
    differs.

    Exit code 1 if anything differs or can't be read.
    """
    files = [Path(name) for name in what if is_file(name)]
    names = [name for name in what if not is_file(name)]
    if head is not None and len(what) != 1:
        raise click.UsageError("--head needs one tournament or one file: every ledger has its own")
    head = None if head is None else _hash(head)
    wrong = [*_of_files(files, head)]
    if names or not files:
        wrong += _of_tournaments(names, head, store())
    if wrong:
        raise Stop(first_few(wrong), 1)


def is_file(name: str) -> bool:
    """Whether a word names a season's file rather than a tournament."""
    return name.endswith(".zip") or Path(name).is_file()


def _hash(text: str) -> str:
    found = text.strip().lower()
    if not _HASH.fullmatch(found):
        raise click.UsageError(f"--head {text[:80]!r} is no hash: expected 64 hexadecimal digits")
    return found


def _of_files(paths: Sequence[Path], head: str | None) -> Iterator[str]:
    """Verify seasons from files, the earliest first: the formats of later ones may go by them."""
    seasons = sorted(
        (
            (filed.season.tournament, filed.season.number, path, filed)
            for path, filed in _read(paths)
        ),
        key=lambda each: each[:2],
    )
    earlier: dict[str, dict[int, Filed]] = {}
    right = bool(paths)
    for tournament, number, path, filed in seasons:
        before = earlier.setdefault(tournament, {})
        report = verify_file(path, before, head)
        before[number] = filed
        say(verified(report))
        right = right and not report.differences
        yield from (f"{path}: {difference}" for difference in report.differences)
    if right:
        say("everything is as it was published")


def _read(paths: Sequence[Path]) -> Iterator[tuple[Path, Filed]]:
    for path in paths:
        yield path, Filed(path)


def _of_tournaments(names: Sequence[str], head: str | None, store: Store) -> Sequence[str]:
    """Verify these tournaments, or all; return the differences."""
    wanted = [*names] or [line.name for line in views.tournaments(store)]
    if not wanted:
        say("nothing to verify: no season has been played yet")
        return ()
    wrong: list[str] = []
    for name in wanted:
        try:
            wrong += dict.fromkeys(_verified(store, name, head))  # some is seen from two sides
        except Damaged as error:
            wrong.append(f"{name}: {error}")
    if not wrong:
        say("everything is as it was stored")
    return wrong


def _verified(store: Store, name: str, head: str | None) -> Iterator[str]:
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
    yield from verify_ledger(store, name, head)
    if all(season.finished for season in seasons):
        yield from verify_ratings(store, name)
        say(f"{name}: ratings computed again from the first season on")


def verified(report: Report) -> str:
    """Say what was checked in a season."""
    season = report.season
    found = _differences(len(report.differences) or "no")
    secret = "secret until the season is finished"
    seed = season.seed.hex() if season.finished and season.seed else secret
    lines = [
        f"{season.tournament}, season {season.number}: {report.matches} matches replayed,"
        f" {report.turns} turns, {report.packs} packs dealt from the seed, points: {found}",
        f"  seed      {seed}",
    ]
    if season.seed:
        lines.append(f"  sha256    {season.commitment} (compare with what was published)")
    if season.manifest is None:
        lines.append("  it has no manifest: an older arena began it")
        return "\n".join(lines)
    entries = "1 entry" if report.entries == 1 else f"{report.entries} entries"
    lines += [
        f"  manifest  {season.manifest} (compare with what was published)",
        f"  head      {report.head}, after {entries} of the ledger",
    ]
    if season.value_from is not None:
        lines.append(
            f"  public    {season.public_value or 'not known yet'}: {wanted(season.value_from)}"
        )
        if where := address(season.value_from):
            lines.append(f"            (compare with {where})")
    elif season.key_from == "seed":
        lines.append("  its seed was given by hand, so the organiser could choose the cards")
    lines += [f"  {note}" for note in report.notes]
    return "\n".join(map(one_line, lines))


def first_few(differences: Sequence[str]) -> str:
    """List the first differences, and say how many more there are."""
    shown = [one_line(difference) for difference in differences[:MOST_SHOWN]]
    more = len(differences) - len(shown)
    return "\n".join([*shown, *([f"and {_differences(more, 'more ')}"] if more else [])])


def _differences(number: int | str, more: str = "") -> str:
    return f"{number} {more}difference{'' if number == 1 else 's'}"
