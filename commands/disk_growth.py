"""When a disk will be full, judged by the room that was free in the last days."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import StatisticsError, linear_regression
from typing import TypeAlias

from pydantic import TypeAdapter, ValidationError

from results.database import place_beside

EVERY = timedelta(hours=1)
"""The time between two samples."""

LOOKED_AT = timedelta(days=7)
"""How far back samples are kept and looked at."""

ENOUGH = timedelta(days=1)
"""The time that samples must span before anything follows from them."""

DAY = 86_400.0

Samples: TypeAlias = dict[str, list[tuple[datetime, int]]]
"""For the folder by which each disk is known: times, and the bytes that were free."""

_READ = TypeAdapter(Samples)


def samples_file(url: str) -> Path:
    """The file with the samples of an arena, beside its database."""
    return place_beside(url, "disk.json")


def read_samples(file: Path) -> Samples:
    """The samples that were kept; none if there is no such file, or it can't be read."""
    with suppress(OSError, ValidationError):
        return _READ.validate_json(file.read_bytes())
    return {}


def take_sample(file: Path, free: Mapping[Path, int], now: datetime) -> None:
    """Keep the free room of each disk, if an hour has passed; a full disk keeps none."""
    kept = read_samples(file)
    if all(now - _last(kept.get(str(folder), [])) < EVERY for folder in free):
        return
    for folder, size in free.items():
        past = kept.setdefault(str(folder), [])
        past[:] = [each for each in past if now - each[0] <= LOOKED_AT] + [(now, size)]
    with suppress(OSError):
        new = file.with_name(f"{file.name}.new")
        new.write_text(json.dumps(_READ.dump_python(kept, mode="json")))
        new.replace(file)


def daily_growth(samples: list[tuple[datetime, int]], now: datetime) -> float | None:
    """How many bytes a day the free room shrinks; None if it is not known yet."""
    latest = [(moment, free) for moment, free in samples if now - moment <= LOOKED_AT]
    if not latest or latest[-1][0] - latest[0][0] < ENOUGH:
        return None
    days = [(moment - latest[0][0]).total_seconds() / DAY for moment, _ in latest]
    with suppress(StatisticsError):
        return -linear_regression(days, [free for _, free in latest]).slope
    return None


def _last(samples: list[tuple[datetime, int]]) -> datetime:
    return samples[-1][0] if samples else datetime.min.replace(tzinfo=UTC)
