"""The line-up of a season: the versions that are entered, and which of them can play here."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from card_arena.common.errors import UserError
from card_arena.common.marked_yaml import Place
from card_arena.common.moments import day
from card_arena.results.bots import Selected, UnknownBot, selected
from card_arena.results.entries import Entrant, Version
from card_arena.results.store import Store
from card_arena.sandbox.sandbox import BackendMissing, SandboxBroken
from card_arena.tables.dealing import MOST_ITEMS
from card_arena.tournament.play.match import RETRIES, Verdict, sandbox_stands, try_out
from card_arena.tournament.play.pool import FairQueue, Pool, WorkerLost
from card_arena.tournament.play.steps import Steps, outcome
from card_arena.tournament.settings import Settings, Tagged

AHEAD = 64
"""Bots that are being tried out at a time: the files of more would only lie in memory."""

LONGEST_REASON = 500
"""The most characters of the reason why a bot sits out."""


UNTRIED = (
    f"it could not be tried out in {RETRIES + 1} attempts, the last of them with nothing else on"
    " the machine, while a harmless program's sandbox worked"
)
"""The reason of a bot whose trial breaks again and again: its own files must cause that."""


class BadLineUp(UserError):
    """A season can't begin with the entrants that its settings name; the message says why."""


class TrialBroken(SandboxBroken):
    """No sandbox worked in any attempt to try a bot out; `version` is the bot on trial."""

    def __init__(self, version: Version, reason: str) -> None:
        super().__init__(
            f"{version.label} could not be tried out in {RETRIES + 1} attempts: {reason}"
        )
        self.version = version


@dataclass(frozen=True, slots=True)
class Tried:
    """A version that was tried out before a season, and the outcome."""

    version: Version
    verdict: Verdict


def entered(store: Store, settings: Settings[Any]) -> Sequence[Version]:
    """Return the versions that a tournament's settings name, in the order of the line-up.

    The format's references come last, even those that are also entered. Raises `UnknownBot` with
    similar names, and `BadLineUp`.
    """
    return [version for version, sits_out in chosen(store, settings) if not sits_out]


def chosen(store: Store, settings: Settings[Any]) -> Sequence[tuple[Version, str]]:
    """Return the versions that sit out without a trial, with the reason; then `entered`."""
    rule = settings.entrants
    entrants = rule.model_dump() if isinstance(rule, Tagged) else rule
    bots = selected(store, settings.game, entrants)
    out = [(bot.version, bot.too_many) for bot in bots if bot.version and bot.too_many]
    candidates = [bot for bot in bots if not bot.too_many]
    references = _references(store, settings)
    fixed = {version.id for version in references}
    named = _all_enterable(settings, [(("entrants", n), bot) for n, bot in enumerate(candidates)])
    versions = [version for version in named if version.id not in fixed]
    if named and not versions:
        raise BadLineUp(f"no bot is entered in {settings.name} besides its references")
    if not versions:
        raise BadLineUp(
            f"no bot is entered in {settings.name}: no bot in the store plays {settings.game}"
            + (
                _conditions(settings.entrants)
                if isinstance(settings.entrants, Tagged)
                else "; submit one with `arena submit`"
            )
        )
    versions += references
    if len(versions) > MOST_ITEMS:
        raise BadLineUp(
            f"{len(versions)} bots are entered in {settings.name}; a season seats {MOST_ITEMS}"
            " at most"
        )
    fixed_out = [(version, why) for version, why in out if version.id not in fixed]
    return [*fixed_out, *((version, "") for version in versions)]


def _conditions(rule: Tagged) -> str:
    tags = f" and is tagged {' or '.join(sorted({*rule.tags}))}" if rule.tags else ""
    by = " by the organiser (`arena bot tag`)" if rule.tags else ""
    teams = f" and is of {' or '.join(sorted({*rule.teams}))}" if rule.teams else ""
    return f"{tags}{by}{teams}"


def _references(store: Store, settings: Settings[Any]) -> Sequence[Version]:
    chosen = settings.format
    return _all_enterable(
        settings,
        [
            (("format", chosen.kind.name, *place), bot)
            for place, name in chosen.kind.references(chosen.options).items()
            for bot in selected(store, settings.game, [name])
        ],
    )


def _all_enterable(
    settings: Settings[Any], bots: Sequence[tuple[Place, Selected]]
) -> Sequence[Version]:
    """Return the different versions at these places; raises all errors together."""
    versions, errors = [], list[UserError]()
    for where, bot in bots:
        try:
            versions.append(_enterable(bot, settings, where))
        except (UnknownBot, BadLineUp) as error:
            errors.append(error)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise BadLineUp("\n".join(map(str, errors)))
    names: dict[int, str] = {}
    for (_, bot), version in zip(bots, versions, strict=True):
        if version.id in names:
            raise BadLineUp(
                f"{names[version.id]} and {bot.name} are both entered in {settings.name}, but are"
                " the same version"
            )
        names[version.id] = bot.name
    return versions


def _enterable(bot: Selected, settings: Settings[Any], where: Place) -> Version:
    """Return the version at this place in the settings; raises `UnknownBot` and `BadLineUp`."""
    version = bot.version
    if version is None:
        raise UnknownBot(settings.complain(where, str(bot.unknown))) from bot.unknown
    if version.withdrawn:
        raise BadLineUp(
            settings.complain(
                where,
                f"{version.bot} is named under `{where[-2]}:` but has been withdrawn since"
                f" {day(version.withdrawn)}: remove it there, or readmit it with"
                f" `arena bot readmit {version.bot}`",
            )
        )
    if settings.game not in version.games:
        raise BadLineUp(
            settings.complain(
                where,
                f"{version.label} plays {', '.join(version.games)} and not {settings.game}",
            )
        )
    return version


def line_up(
    store: Store,
    settings: Settings[Any],
    workers: FairQueue | Pool,
    watch: Callable[[Tried], None],
) -> Steps[list[Entrant]]:
    """Try out every bot that is entered; return the line-up, with a reason for each that sits out.

    Builds are noted in the store. Any other failure of a bot's trial makes that bot sit out, even
    if its sandbox breaks at every attempt while a harmless program's sandbox works. Raises as
    `entered` does, `BadLineUp` if no bot can play, `TrialBroken` if no sandbox works, and
    `BackendMissing` if this machine has none.
    """
    line = chosen(store, settings)
    out = [Entrant(version.id, why) for version, why in line if why]
    versions = [version for version, why in line if not why]
    frozen = settings.freeze()
    trials: deque[Steps[Verdict]] = deque()
    control = partial(workers.submit, sandbox_stands, settings.backend_name)
    entrants = []
    probation = store.on_probation([version.id for version in versions])
    for place, version in enumerate(versions):
        for ahead in versions[place + len(trials) : place + AHEAD]:
            bundle = store.archive(ahead.id)
            submit = partial(workers.submit, try_out, bundle, frozen, seats={ahead.id})
            trials.append(_trial(submit, control, submit(), ahead))
        verdict = yield from trials.popleft()
        verdict = replace(verdict, reason=_sentence(verdict.reason))
        store.note_build(version.id, verdict.ok, verdict.reason, verdict.log)
        if verdict.ok and settings.probation and version.id in probation:
            verdict = replace(verdict, ok=False, reason=probation[version.id].obstacle)
        entrants.append(Entrant(version.id, verdict.reason))
        watch(Tried(version, verdict))
    require_players(settings, versions, entrants)
    return [*out, *entrants]


def require_players(
    settings: Settings[Any], versions: Sequence[Version], entrants: Sequence[Entrant]
) -> None:
    """Raise `BadLineUp` if those that can play fill no table, or a reference sits out."""
    references = settings.format.kind.references(settings.format.options)
    fixed = {version.id for version in versions[len(versions) - len(references) :]}
    playing = sum(not entrant.sits_out for entrant in entrants)
    free = sum(not entrant.sits_out for entrant in entrants if entrant.version_id not in fixed)
    needed = max(
        settings.format.kind.fewest, min(len(table.sides) for table in settings.seating_plans())
    )
    pairs = [*zip(versions, entrants, strict=True)]
    missing = [version.label for version, e in pairs if e.sits_out and version.id in fixed]
    if not free:
        short = f"no bot entered in {settings.name} can play on this machine"
    elif missing:
        short = f"{settings.name} can't be played without its reference {', '.join(missing)}"
    elif playing < needed:
        short = (
            f"a table of {settings.name} needs {needed} bots, but of those entered only {playing}"
            " can play"
        )
    else:
        if not references:  # which never meet each other as entrants do
            _require_authors(settings, [version for version, e in pairs if not e.sits_out])
        return
    out = [f"{version.label} sits out: {e.sits_out}" for version, e in pairs if e.sits_out]
    raise BadLineUp("\n".join([short, *out]))


def _require_authors(settings: Settings[Any], playing: Sequence[Version]) -> None:
    """Raise `BadLineUp` if no full table can be seated with bots of different authors."""
    table = next(t for t in settings.seating_plans() if len(t.sides) <= len(playing))
    authors = sorted({version.author for version in playing})
    seats = len(table.sides)
    if not settings.keeps_authors_apart or len({*table.sides}) < 3 or len(authors) >= seats:
        return
    whose = "1 author" if len(authors) == 1 else f"{len(authors)} authors"
    raise BadLineUp(
        settings.complain(
            ("same_author",),
            f"a table of {settings.name} seats {seats} bots of different authors, but those"
            f" entered are of {whose} ({', '.join(authors)}): enter more authors' bots, or write"
            " `same_author: together` to let bots of one author meet at a table",
        )
    )


def _trial(
    submit: Callable[..., Future[Verdict]],
    control: Callable[..., Future[bool]],
    future: Future[Verdict],
    version: Version,
) -> Steps[Verdict]:
    """Wait for the outcome of a bot that is tried out, and repeat attempts that fail.

    Nothing else is done on the machine in the last attempt, so that no other bot can make it fail.
    Raises `TrialBroken`, and `BackendMissing` without sandboxes.
    """
    for attempt in range(1, RETRIES + 2):
        try:
            return (yield from outcome(future))
        except BackendMissing:
            raise
        except Exception as error:
            failure = error
        if attempt <= RETRIES:
            future = submit(alone=attempt == RETRIES)
    reason = str(failure)
    if not isinstance(failure, SandboxBroken | WorkerLost):
        # An unforeseen failure that recurs with this bot's files. A tournament continues
        # without one bot; no bot may be able to end it for all the others.
        reason = f"{type(failure).__name__}: {failure}"
    elif not (yield from outcome(control(alone=True))):
        raise TrialBroken(version, reason) from failure
    return Verdict(False, f"{UNTRIED}: {reason}")


def _sentence(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 3]}..."
