"""`arena verify`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click

from card_arena.commands.arena_file import arena_zone
from card_arena.commands.cli_errors import INTERRUPTED, Stop
from card_arena.commands.console import Printer
from card_arena.commands.printer import say
from card_arena.commands.progress import Checking
from card_arena.common.json import sha256
from card_arena.common.moments import written
from card_arena.common.text import one_line
from card_arena.leaderboard.standings import standings
from card_arena.leaderboard.tournaments import played_tournaments
from card_arena.results.errors import Damaged
from card_arena.results.proof.grammar import LedgerReader
from card_arena.results.proof.manifest import address, awaited_value
from card_arena.results.store import Store
from card_arena.sandbox.cache_folder import cache_for
from card_arena.tournament.play.pool import WorkerPool
from card_arena.verify.evidence import Filed
from card_arena.verify.findings import Checkpoint, NoCheckpoint
from card_arena.verify.matches import TRUSTED
from card_arena.verify.verify import (
    Inspector,
    Report,
    ratings_meanwhile,
    verify_file,
    verify_ledger,
    verify_season,
)

MOST_SHOWN = 10
"""At most this many differences are shown one by one."""

FEW = 200
"""Up to this number of matches are checked in this process, without a file for resuming."""

_HASH = re.compile(r"[0-9a-f]{64}")


def verify(
    what: Sequence[str], head: str | None, from_scratch: bool, store: Callable[[], Store]
) -> None:
    """Verify files of seasons, tournaments, or all tournaments; print what was checked and what
    differs.

    An interrupted verification is resumed, unless `from_scratch` is set. Exit code 1
    if anything differs or can't be read.
    """
    files = [Path(name) for name in what if is_file(name)]
    names = [name for name in what if not is_file(name)]
    if head is not None and len(what) != 1:
        raise click.UsageError("--head is for one ledger: give one tournament or one file")
    head = None if head is None else _hash(head)
    wrong = [*_of_files(files, head, from_scratch=from_scratch)]
    if names or not files:
        wrong += _of_tournaments(names, head, store(), from_scratch=from_scratch)
    if wrong:
        raise Stop(first_few(wrong), 1)


def is_file(name: str) -> bool:
    """Whether a word names a season's file rather than a tournament."""
    return name.endswith(".zip") or Path(name).is_file()


def _say_what_is_trusted() -> None:
    """Print the facts that nothing in a season can prove."""
    say("\n".join(["on the organiser's word alone:", *(f"- {each}" for each in TRUSTED)]))


def _hash(text: str) -> str:
    digest = text.strip().lower()
    if not _HASH.fullmatch(digest):
        raise click.UsageError(f"Invalid --head {text[:80]!r}. Expected 64 hexadecimal digits.")
    return digest


@contextmanager
def _inspector(about: str, total: int, *, from_scratch: bool) -> Iterator[Inspector]:
    """Workers on all cores, and a file for resuming, if there are more than a few matches.

    `about` names the seasons. The file is removed at the end.
    """
    if total <= FEW:
        yield Inspector()
        return
    with (
        _checkpoint(about, from_scratch=from_scratch) as checkpoint,
        WorkerPool() as pool,
        Checking(Printer(), total) as checking,
    ):
        try:
            yield Inspector(checkpoint, pool, checking.show)
        except KeyboardInterrupt:
            if checkpoint.path is None:
                raise
            raise Stop(
                f"interrupted after {checking.checked:,} of {total:,} matches; the same command"
                " resumes it",
                INTERRUPTED,
            ) from None
        checkpoint.remove()


def _checkpoint(about: str, *, from_scratch: bool) -> Checkpoint:
    """The file of an interrupted verification; in memory if it can't be written."""
    try:
        checkpoint = Checkpoint(cache_for("verified") / f"{sha256(ascii(about))[:32]}.db")
        if from_scratch:
            checkpoint.clear()
        return checkpoint
    except (NoCheckpoint, OSError) as error:
        say(f"an interrupted verification can't be resumed: {error}", err=True)
        return Checkpoint()


def _of_files(paths: Sequence[Path], head: str | None, *, from_scratch: bool) -> Iterator[str]:
    """Verify seasons from files, the earliest first: the formats of later ones may go by them."""
    seasons = sorted(
        (
            (filed.season.tournament, filed.season.number, path, filed)
            for path, filed in _read(paths)
        ),
        key=lambda item: item[:2],
    )
    if not seasons:
        return
    earlier: dict[str, dict[int, Filed]] = {}
    right = True
    about = " ".join(str(path.resolve()) for path in paths)
    total = sum(filed.count for *_, filed in seasons)
    with _inspector(about, total, from_scratch=from_scratch) as inspector:
        for tournament, number, path, filed in seasons:
            before = earlier.setdefault(tournament, {})
            report = verify_file(path, before, head, inspector)
            before[number] = filed
            say(verified(report))
            right = right and not report.differences
            yield from (f"{path}: {difference}" for difference in report.differences)
    _say_what_is_trusted()
    if right:
        say("everything is as it was published")


def _read(paths: Sequence[Path]) -> Iterator[tuple[Path, Filed]]:
    for path in paths:
        yield path, Filed(path)


def _of_tournaments(
    names: Sequence[str], head: str | None, store: Store, *, from_scratch: bool
) -> Sequence[str]:
    """Verify these tournaments, or all; return the differences."""
    chosen = [*names] or [*played_tournaments(store)]
    if not chosen:
        say("Nothing to verify: no season has been played yet.")
        return ()
    wrong: list[str] = []
    total = sum(store.count_matches(name) for name in chosen)
    about = f"{store.database.title} {' '.join(chosen)}"
    with _inspector(about, total, from_scratch=from_scratch) as inspector:
        for name in chosen:
            try:  # some is seen from two sides
                wrong += dict.fromkeys(_verified(store, name, head, inspector))
            except Damaged as error:
                wrong.append(f"{name}: {error}")
    _say_what_is_trusted()
    if not wrong:
        say("everything is as it was stored")
    return wrong


def _verified(store: Store, name: str, head: str | None, inspector: Inspector) -> Iterator[str]:
    """Verify a tournament, printing each season as it is done; return the differences."""
    seasons = store.seasons(name)
    if not seasons:
        standings(store, name)  # raises the error for an unknown name
    reader = LedgerReader(name)
    finished = all(season.finished for season in seasons)
    meanwhile = ratings_meanwhile(store, name, inspector) if finished else nullcontext()
    with meanwhile as ratings:
        for season in seasons:
            report = verify_season(store, season, inspector, reader)
            say(verified(report))
            yield from report.differences
            if season.finished is None:
                say(f"  not finished, so its points and {name}'s ratings are not compared")
        yield from verify_ledger(store, name, head, reader)
        if ratings is not None:
            yield from ratings()
            say(f"{name}: ratings computed again from the first season on")


def verified(report: Report) -> str:
    season, totals = report.season, report.totals
    found = _differences(len(report.differences) or "no")
    secret = "secret until the season is finished"
    seed = season.seed.hex() if season.finished and season.seed else secret
    lines = [
        f"{season.tournament}, season {season.number}: {totals.matches} matches replayed,"
        f" {totals.turns} turns, {totals.packs} packs dealt from the seed, points: {found}",
        f"  seed      {seed}",
    ]
    if report.earlier and report.latest:
        lines.insert(
            1,
            f"  {report.earlier} of these matches were replayed before this was interrupted, at"
            f" {written(report.latest, arena_zone())}, and have not changed since; --from-scratch"
            " replays them again",
        )
    if season.seed:
        lines.append(f"  sha256    {season.commitment} (compare with what was published)")
    entries = "1 entry" if report.entries == 1 else f"{report.entries} entries"
    lines += [
        f"  manifest  {season.manifest} (compare with what was published)",
        f"  head      {report.head}, after {entries} of the ledger",
        f"  ledger    {_tally(report)}",
    ]
    if season.value_from is not None:
        lines.append(
            f"  public    {season.public_value or 'not known yet'}:"
            f" {awaited_value(season.value_from)}"
        )
        if where := address(season.value_from):
            lines.append(f"            (compare with {where})")
    elif season.key_from == "seed":
        lines.append("  its seed was given by hand, so the organiser could choose the cards")
    lines += [f"  {sentence}" for sentence in (*report.notes, *report.remarks)]
    return "\n".join(map(one_line, lines))


def _tally(report: Report) -> str:
    """The number of ledger entries about things that an organiser could do twice."""
    return ", ".join(
        f"{number} {what}{'' if number == 1 else 's'}"
        for number, what in (
            (report.ledger.announcements, "announcement"),
            (report.ledger.attempts, "attempt"),
            (report.ledger.voids, "void attempt"),
            (report.ledger.interruptions, "interruption"),
        )
    )


def first_few(differences: Sequence[str]) -> str:
    """List the first differences, and say how many more there are."""
    shown = [one_line(difference) for difference in differences[:MOST_SHOWN]]
    more = len(differences) - len(shown)
    return "\n".join([*shown, *([f"and {_differences(more, 'more ')}"] if more else [])])


def _differences(number: int | str, more: str = "") -> str:
    return f"{number} {more}difference{'' if number == 1 else 's'}"
