"""The examination of a new bot, and the tournaments that it will play in and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from common.moments import written
from leaderboard.storage.entries import Version, tagged
from leaderboard.storage.store import Store
from leaderboard.views.upcoming import without_date
from sandbox.backends.registry import backend
from sandbox.builds.builder import default_cache
from sandbox.bundles.bundle import Bundle
from sandbox.check import NOT_REACHED, Check, CheckQuestions, CheckStep
from tables.registry import game as game_of
from tournament.authors.check_questions import check_questions
from tournament.authors.submission import Refused
from tournament.calendar import Schedule
from tournament.settings import Settings, Tagged, settings_of


def examine(
    bundle: Bundle,
    box: str,
    table: Settings[Any] | None = None,
    wheels: Path | None = None,
    watch: Callable[[str, CheckStep], None] = lambda *_: None,
) -> str:
    """Ask a bot a few questions of each game that it plays; return the remarks.

    A bot that can't answer is `Refused` with the step that failed, in the words of `arena check`.
    Answers that are not allowed and slow answers only earn a remark, since the referee plays on
    with them. `table` is a tournament's table, whose clock, limits and options apply to its game;
    `wheels` is a folder of wheels that the bot may ask for. `watch` is told each step with its
    game. Raises what the box raises when it fails itself.
    """
    remarks = []
    for name in bundle.manifest.games:
        rules = (
            table if table and table.game == name else settings_of({"name": "check", "game": name})
        )
        questions = _questions(name, rules.options)
        check = Check(
            lambda: bundle,
            questions,
            backend(box),
            rules.clock.clock(),
            rules.limits.limits(),
            default_cache(),
            wheels,
        )
        for step in check.steps():
            watch(name, step)
            if step.passed or step.detail == NOT_REACHED:
                continue
            found = f"at {name}, step {step.number}, {step.title}: {step.detail}"
            if not step.can_answer:
                raise Refused(f"it can't answer {found}\n{step.output}".rstrip())
            remarks.append(found)
    return "\n".join(remarks)


@cache
def _questions(name: str, options: Any) -> CheckQuestions:
    """Make the few questions for a table once, for all bots that come in together."""
    return check_questions(game_of(name), options).brief()


@dataclass(frozen=True, slots=True)
class Prospect:
    """Whether a tournament's next season enters a version: `when` it does, or `why` it does not.

    Both are clauses for people to read; one of them is empty.
    """

    tournament: str
    when: str = ""
    why: str = ""


def prospects(
    store: Store, version: Version, tournaments: Sequence[Settings[Any]], now: datetime
) -> Iterator[Prospect]:
    """Say for each tournament of the version's games whether it enters the version, and when."""
    for settings in tournaments:
        if settings.game in version.games:
            why = _why_not(version, settings)
            when = "" if why else _when(store, settings, now)
            yield Prospect(settings.name, when, why)


def _why_not(version: Version, settings: Settings[Any]) -> str:
    """Say what would bring a version into the next season; nothing if it is already entered."""
    if version.withdrawn:
        return "until `arena withdraw --undo BOT`"
    if version.chosen not in (None, version.number):
        return "until `arena activate BOT` has the newest version play again"
    if isinstance(settings.entrants, Tagged):
        tags, teams = settings.entrants.tags, settings.entrants.teams
        if tags and not tagged([version], tags):
            return f"until the organiser runs `arena tag BOT {tags[0]}`"
        if teams and version.author not in teams:
            return f"since only bots of {', '.join(teams)} enter"
    elif settings.entrants != "all":
        named = {version.bot, f"{version.bot}@{version.number}"}
        if not named & {*settings.entrants}:
            return "until `entrants:` in its file names them"
    return ""


def _when(store: Store, settings: Settings[Any], now: datetime) -> str:
    """Say when the next season begins; one that has begun goes on with its own line-up."""
    seasons = store.seasons(settings.name)
    if isinstance(settings.schedule, str) and seasons:
        return without_date(settings.schedule, first=False)
    if isinstance(settings.schedule, Schedule):
        return f"on {written(settings.schedule.next_run(now), settings.schedule.zone)}"
    by_hand = f"`arena run --once {settings.name}`"
    if not seasons:
        return f"with the next `arena run` or `arena up`, or now with {by_hand}"
    return f"when you run {by_hand}"


def entry_sentences(found: Mapping[str, Sequence[Prospect]], folder: str) -> Iterator[str]:
    """Say where and when each named bot plays, and where it does not play and why.

    Bots with the same answer share a line. `folder` is where the tournament files are.
    """
    playing: dict[tuple[str, str], list[str]] = {}
    absent: dict[tuple[str, str], list[str]] = {}
    for bot, several in found.items():
        reasons: dict[str, list[str]] = {}
        for prospect in several:
            if prospect.when:
                playing.setdefault((prospect.tournament, prospect.when), []).append(bot)
            else:
                reasons.setdefault(prospect.why, []).append(prospect.tournament)
        for why, names in reasons.items():
            absent.setdefault((", ".join(names), why), []).append(bot)
    for (tournament, when), bots in playing.items():
        yield f"in {tournament}, {when}: {', '.join(bots)}"
    for (tournaments, why), bots in absent.items():
        yield f"not in {tournaments}, {why}: {', '.join(bots)}"
    if nowhere := [bot for bot, several in found.items() if not several]:
        bots_text = ", ".join(nowhere)
        yield f"in no tournament, because none in {folder} plays their games: {bots_text}"
