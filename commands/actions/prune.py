"""`arena prune`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from commands.console import Printer
from commands.printer import say
from commands.progress import Counter
from leaderboard.storage.database import StoreError
from leaderboard.storage.lock import AlreadyRunning, alone
from leaderboard.storage.pruning import Prunable, Pruned
from leaderboard.storage.store import Store
from sandbox.builds.cache import make_room, usage
from sandbox.cache_folder import builds_folder
from sandbox.limits import KIB, MIB


@dataclass(frozen=True, slots=True)
class _Thing:
    """Something that can be pruned by its age; `loss` says what can't be done afterwards."""

    what: str
    loss: str
    found: Callable[[datetime], Prunable]
    prune: Callable[[datetime], Pruned]


def prune(
    words: float | None,
    stderr: float | None,
    logs: float | None,
    cache: int | None,
    dry_run: bool,
    store: Store,
) -> None:
    """Take away what is old, or say what there is."""
    now = datetime.now(UTC)
    ages = (words, stderr, logs)
    overview = ages == (None, None, None) and cache is None
    freed = 0
    for thing, age in zip(_things(store), ages, strict=True):
        if age is None and not overview:
            continue
        before = now - timedelta(seconds=age or 0)
        found = thing.found(before)
        if overview or dry_run:
            say(f"{thing.what.format(found.pieces)}: {sized(found.size)}")
            say(f"  {thing.loss}")
            continue
        done = thing.prune(before)
        freed += done.freed
        say(f"pruned {thing.what.format(done.pieces)}: {sized(done.freed)} less")
        say(f"  {thing.loss}")
        if done.left:
            say(
                f"  {done.left:,} more were left as they are: they were played by other versions of"
                " the rules, which alone can tell their words, or can't be read"
            )
    for line in _of_cache(cache, dry_run=dry_run or cache is None, shown=overview):
        say(line)
    if overview:
        say("nothing was pruned: say what, such as --words 90d, and try it with --dry-run")
    elif dry_run:
        say("nothing was pruned: this was a trial")
    elif freed:
        _shrink(store)


def _things(store: Store) -> tuple[_Thing, ...]:
    def prune_words(before: datetime) -> Pruned:
        with Counter(Printer(), "records", store.prunable_words(before).pieces) as counter:
            return store.prune_words(before, counter.count)

    return (
        _Thing(
            "the questions' words in {:,} records",
            "pages, exports and `arena verify` have them as before, as long as the game's rules"
            " keep their version; afterwards these records can't be read",
            store.prunable_words,
            prune_words,
        ),
        _Thing(
            "the standard error of bots at {:,} seats",
            "their authors can't read it any more; nothing else needs it",
            store.prunable_stderr,
            store.prune_stderr,
        ),
        _Thing(
            "the logs of {:,} builds",
            "their authors can't read them before the next build; nothing else needs them",
            store.prunable_logs,
            store.prune_logs,
        ),
    )


def _of_cache(most: int | None, *, dry_run: bool, shown: bool) -> Iterator[str]:
    """Keep the builds below a size, or say what they have."""
    if most is None and not shown:
        return
    folder = builds_folder()
    count, size = usage(folder)
    if dry_run or most is None:
        over = "" if most is None else f", {sized(max(0, size - most))} too much"
        yield f"{count:,} builds in {folder}: {sized(size)}{over}"
    else:
        if folder.is_dir():
            make_room(folder, most)
        left, smaller = usage(folder)
        gone = f"{count - left:,} of {count:,} builds in {folder}"
        yield f"pruned {gone}: {sized(size - smaller)} less"
    yield "  a build is made again when its bot plays"


def _shrink(store: Store) -> None:
    """Give the room back to the disk, unless somebody is using the database."""
    try:
        with alone(store.database):
            store.database.shrink()
    except (AlreadyRunning, StoreError) as error:
        say(f"the file keeps its size, and its free room is used by what comes next: {error}")


def sized(size: int) -> str:
    """Write bytes for people: 640 B, 12.5 KiB, 3.4 MiB, 1.2 GiB."""
    for unit, name in ((1024 * MIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size} B"
