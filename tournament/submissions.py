"""Taking a bot into the store: checked by questions from the rules, built once, then kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from itertools import count, islice, zip_longest
from pathlib import Path
from typing import Any

from card_arena.common import marked_yaml
from card_arena.common.checkout import ROOT
from card_arena.common.errors import UserError
from card_arena.common.moments import written
from card_arena.common.text import suggestion
from card_arena.leaderboard.tournaments import without_date
from card_arena.results.entries import Submission, Version, tagged
from card_arena.results.store import Store
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles import manifest
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle, read_bundle
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.check import Check, CheckQuestions, CheckStep, Judge, Wrong
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.limits import LARGEST_BUNDLE
from card_arena.sandbox.sandbox import BuildFailed
from card_arena.tables.encoding import asked_words, specimen, words
from card_arena.tables.evaluation import BadScores, evaluate_words, evaluated_answers, read_scores
from card_arena.tables.game import CHANCE, Game, MalformedAnswer, Phase, Terminal
from card_arena.tables.hints import hint_for, hint_text
from card_arena.tables.legal_actions import describe
from card_arena.tables.registry import GAMES
from card_arena.tables.registry import game as game_of
from card_arena.tournament.play.match import first_question, sample_question
from card_arena.tournament.settings import Schedule, Settings, Tagged, playable, settings_of

RANDOM_QUESTIONS = 200
SEED = 2011
"""Every bot gets the same questions, so that a failed check can be repeated."""

ODD_STEPS = (0, 1, 9, 10)
"""Chips on top of the smallest purse that lets a bot sit down, for an odd question."""

EVALUATIONS = 20
HUGE_PURSE = 10**9
QUESTIONS_A_TABLE = 8
POSITIONS = 6000
"""The number of positions from which the questions are chosen."""

POSITIONS_OF_EACH = 1000
"""The number of positions for a few questions; every phase should occur in them."""

CALM = 0.7
"""The probability of the fallback action in a calm game."""

LARGEST_MINIMUM = 1000

Asked = tuple[Sequence[str], Judge]


@lru_cache(maxsize=8)
def check_questions(game: Game, options: Any, *, prefix: bool = False) -> CheckQuestions:
    """Make the questions for a table of this game, for bots with or without the `prefix`.

    They are cached for the latest tables: making them takes longer than asking most bots, and many
    bots are often submitted at once.
    """
    rng = random.Random(SEED)
    several = _questions(game, options, playable(game, options)[-1], rng, POSITIONS, prefix=prefix)
    return CheckQuestions(
        sample=sample_question(game, options, prefix=prefix),
        notices=str(specimen(game.notices[0])),
        judge=_judge(first_question(game, options), only_words=True),
        random=[next(several) for _ in range(RANDOM_QUESTIONS)],
        odd=list(
            _odd_chips(game, options, rng, prefix=prefix)
            if game.carries
            else _odd_tables(game, options, rng, prefix=prefix)
        ),
        evaluations=list(islice(_evaluations(game, options, rng, prefix=prefix), EVALUATIONS)),
    )


def _evaluations(game: Game, options: Any, rng: random.Random, *, prefix: bool) -> Iterator[Asked]:
    """Yield questions to evaluate, from positions of games played at random."""
    for phase in _positions(game, options, playable(game, options)[-1], rng, ()):
        if rng.random() < 1 / 7 and (answers := evaluated_answers(phase)) is not None:
            prefixed = (phase.to_act,) if prefix else ()
            question = asked_words(game, phase, phase.to_act, prefixed)
            yield evaluate_words(question, 1), _judge_of_scores(answers)


def _judge_of_scores(answers: Sequence[str]) -> Judge:
    def judge(line: str) -> Wrong | None:
        try:
            read_scores(line, answers)
        except BadScores as error:
            return Wrong(str(error))
        return None

    return judge


def question_of_each_phase(game: Game) -> Sequence[Asked]:
    """Make a question of each phase of a game, at its fullest table."""
    options = game.options()
    rng = random.Random(SEED)
    questions: dict[str, Asked] = {}
    for position in islice(_positions(game, options, game.seats[-1], rng, ()), POSITIONS_OF_EACH):
        question = position.question(position.to_act)
        phase = getattr(question, "phase", "")  # the oldest questions have no such word
        questions.setdefault(phase, (words(question), _judge(position)))
    return list(questions.values())


def look_alike(game: Game, options: Any, seats: int, kind: str) -> Phase | None:
    """Find a position of a class, given by name, in games played at random.

    It reads and writes answers as every position of that class does under these options.
    """
    rng = random.Random(SEED)
    positions = islice(_positions(game, options, seats, rng, ()), POSITIONS)
    return next((phase for phase in positions if type(phase).__name__ == kind), None)


def _questions(
    game: Game,
    options: Any,
    seats: int,
    rng: random.Random,
    positions: int,
    purses: Sequence[int] = (),
    *,
    prefix: bool,
) -> Iterator[Asked]:
    """Yield questions of every phase in turn, from positions of games played at random."""
    by_kind: dict[type[Phase], list[Phase]] = {}
    for phase in islice(_positions(game, options, seats, rng, purses), positions):
        by_kind.setdefault(type(phase), []).append(phase)
    for several in by_kind.values():
        rng.shuffle(several)
    for phases in zip_longest(*by_kind.values()):
        for phase in filter(None, phases):
            prefixed = (phase.to_act,) if prefix else ()
            yield asked_words(game, phase, phase.to_act, prefixed), _judge(phase)


def _positions(
    game: Game, options: Any, seats: int, rng: random.Random, purses: Sequence[int]
) -> Iterator[Phase]:
    """Play games at random and yield every position in which a bot is asked.

    In every second game all seats mostly play the fallback action, such as a pass: if all bid at
    random, an auction hardly ever ends low.
    """
    for number in count():
        phase: Phase | Terminal = game.start(options, seats, purses)
        while not isinstance(phase, Terminal):
            choice = phase.legal_actions(phase.to_act)
            calm = phase.to_act != CHANCE and number % 2 == 0 and rng.random() < CALM
            if phase.to_act != CHANCE:
                yield phase
            phase, _ = phase.apply(choice.fallback_action if calm else choice.sample(rng))


def _odd_tables(game: Game, options: Any, rng: random.Random, *, prefix: bool) -> Iterator[Asked]:
    """Yield questions from the smallest table, and from tables with each preset's options."""
    for other in (options, *game.presets.values()):
        seats = playable(game, other)[0]
        questions = _questions(game, other, seats, rng, POSITIONS_OF_EACH, prefix=prefix)
        yield from islice(questions, QUESTIONS_A_TABLE)


def _odd_chips(game: Game, options: Any, rng: random.Random, *, prefix: bool) -> Iterator[Asked]:
    """Yield questions from tables where all seats have very few chips, or very many."""
    seats = game.seats[-1]
    least = next((p for p in range(LARGEST_MINIMUM) if game.can_sit(options, p)), 0)
    for purse in (*(least + step for step in ODD_STEPS), HUGE_PURSE):
        purses = [purse] * seats
        questions = _questions(game, options, seats, rng, POSITIONS_OF_EACH, purses, prefix=prefix)
        yield from islice(questions, QUESTIONS_A_TABLE)


def _judge(phase: Phase, *, only_words: bool = False) -> Judge:
    """Judge answers as the referee would, or `only_words`: as words of the game, allowed or not."""

    def judge(line: str) -> Wrong | None:
        try:
            action = phase.read(line)
        except MalformedAnswer as error:
            hint = hint_text(hint_for(line, phase.read))
            return Wrong("; ".join(filter(None, (str(error), hint))))
        legal = phase.legal_actions(phase.to_act)
        if only_words or action in legal:
            return None
        return Wrong(f"not allowed: expected {describe(legal.outline(phase.write))}", "illegal")

    return judge


SANDBOX = "bubblewrap"
"""The kind of sandbox for builds of submitted bots; a tournament may use another."""

WITH_REMARKS = "it can play, but a game would count these as faults:"
"""The introduction of remarks on a bot."""

HOUSE = ROOT / "bots"
"""The house bots of a checkout; any bot may include their libraries."""


class Rejected(UserError):
    """A bot is rejected; the message names the folder and the reason, with any build log.

    `shown` is what the bot wrote in the step that failed.
    """

    def __init__(self, message: str, shown: str = "") -> None:
        super().__init__(message)
        self.shown = shown


@dataclass(frozen=True, slots=True)
class Accepted:
    """A bot in the store.

    `new` says whether this is a new version of it. `waits_for` names the tool that this machine
    lacks to build it; the bot sits out until then. `remarks` are warnings of its check.
    """

    version: Version
    new: bool
    waits_for: str
    remarks: str = ""


def read_known(path: Path, include_from: Collection[Path] | None = None) -> Bundle:
    """Read a bot whose games all exist; raises `BadBundle`.

    `path` is its folder, the bot.yaml in it, or an archive. Included files must lie in one of the
    folders `include_from`; with None they may lie anywhere beside the folder.
    """
    folder = path.parent if path.name == manifest.FILE else path
    return known(read_bundle(folder, include_from))


def known(bundle: Bundle) -> Bundle:
    """Return a bundle whose games all exist; `games: all` becomes their names.

    Raises `BadBundle`.
    """
    if bundle.manifest.games == (manifest.ALL_GAMES,):
        return _playing(bundle, tuple(GAMES))
    unknown = [
        (index, name) for index, name in enumerate(bundle.manifest.games) if name not in GAMES
    ]
    if unknown:
        marked = marked_yaml.read(bundle.files[manifest.FILE], manifest.FILE)
        raise BadBundle(
            "\n".join(
                marked.mistake(
                    ("games", index), f"there is no game {name!r}: {suggestion(name, GAMES)}"
                )
                for index, name in unknown
            )
        )
    return bundle


def read_bot(path: Path, include_from: Collection[Path] | None = None) -> Bundle:
    """Read a bot as `read_known` does; raises `Rejected`.

    The bot is read back from its own archive, because every table gets the archive.
    """
    try:
        bundle = read_known(path, include_from)
        if Bundle.from_archive(bundle.archive()).digest != bundle.digest:
            raise BadBundle("packed and unpacked again it is another bundle.")
    except BadBundle as error:
        raise Rejected(f"{path}: {error}") from error
    return bundle


def _playing(bundle: Bundle, games: tuple[str, ...]) -> Bundle:
    return replace(bundle, manifest=bundle.manifest.model_copy(update={"games": games}))


def stored_bot(store: Store, version: Version) -> Bundle:
    """Read a version's files from the store, with the games that it was stored with.

    Raises `Rejected` if they can no longer be read.
    """
    try:
        bundle = Bundle.from_archive(store.archive(version.id), LARGEST_BUNDLE)
        return _playing(bundle, version.games)
    except BadBundle as error:
        raise Rejected(f"{version.label} can't be read from the store: {error}") from error


def described(bundle: Bundle) -> Submission:
    """Return a bundle as it is stored: its files, and the fields of its bot.yaml."""
    about = bundle.manifest
    return Submission(
        name=about.name,
        games=about.games,
        protocol=about.protocol,
        language=about.language or Path((about.run or ("",))[0]).name,
        about=about.about,
        tags=about.tags,
        digest=bundle.digest,
        archive=bundle.archive(),
    )


def take(
    store: Store,
    path: Path,
    author: str,
    sandbox: str = SANDBOX,
    include_from: Collection[Path] = (HOUSE,),
    *,
    tags: Collection[str] = (),
    check: Callable[[Bundle], str] | None = None,
    wheels: Path | None = None,
) -> Accepted:
    """Build a bot in a sandbox and store it as a new version, unless it is already the newest one.

    Included files must lie in one of the folders `include_from`. `tags` are the organiser's.
    `check` is called with a bot that was built and returns remarks; a bot that waits for a tool
    is accepted without it. `wheels` is a folder of wheels for bots. Nothing is stored if it raises:
    `Rejected`, `NameTaken` for a name of another author, or the failure of a sandbox.
    """
    bundle = read_bot(path, include_from)
    trial = tried(bundle, sandbox, check=check, wheels=wheels)
    if trial.refusal:
        raise Rejected(f"{path}: {trial.refusal}\n{trial.shown}".rstrip())
    version, new = stored(store, described(bundle), trial, author, tags)
    return Accepted(version, new, trial.waits_for, trial.remarks)


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of building and checking a bot.

    `refusal` is the reason of a rejection, and `shown` the output of the failing step. `log` is the
    build's. The other fields are as in `Accepted`.
    """

    log: str = ""
    waits_for: str = ""
    remarks: str = ""
    refusal: str = ""
    shown: str = ""


def tried(
    bundle: Bundle,
    sandbox: str = SANDBOX,
    *,
    check: Callable[[Bundle], str] | None = None,
    wheels: Path | None = None,
    hear: Callable[[str], None] | None = None,
) -> Trial:
    """Build and check a bot as for `take`; `hear` gets the build's log while it grows.

    Raises the exceptions of a sandbox that fails.
    """
    try:
        log = build(bundle, backend(sandbox), default_cache(), wheels=wheels, hear=hear).log
    except ToolMissing as error:
        return Trial(waits_for=str(error))
    except BuildFailed as error:
        return Trial(error.log, refusal=f"the build failed: {error}", shown=error.log)
    if check is None:
        return Trial(log)
    try:
        return Trial(log, remarks=check(bundle))
    except Rejected as error:
        return Trial(log, refusal=str(error), shown=error.shown)


def stored(
    store: Store, submission: Submission, trial: Trial, author: str, tags: Collection[str] = ()
) -> tuple[Version, bool]:
    """Store a bot that was tried, and its build log; the second value is as for `submit`.

    Submitting the same files again ends their probation.
    """
    version, new = store.submit(submission, author, tags)
    if not new and not trial.waits_for:
        store.end_probation(version.id)
    store.note_build(version.id, not trial.waits_for, trial.waits_for, trial.log)
    return version, new


def check_bot(
    bundle: Bundle,
    sandbox: str,
    table: Settings[Any] | None = None,
    wheels: Path | None = None,
    watch: Callable[[str, CheckStep], None] = lambda *_: None,
) -> str:
    """Ask a bot a few questions of each game that it plays; return the remarks.

    A bot that can't answer is `Rejected` with the failing step, in the words of `arena check`.
    Illegal and slow answers cause a remark only, since the referee plays on with them. `table` is a
    tournament's table, whose clock, limits and options apply to its game. `wheels` is a folder of
    wheels for the bot. `watch` gets each step with its game. Raises the exceptions of a sandbox
    that fails.
    """
    remarks = []
    for name in bundle.manifest.games:
        rules = (
            table if table and table.game == name else settings_of({"name": "check", "game": name})
        )
        questions = _brief_questions(name, rules.options, bundle.manifest.prefix)
        check = Check(
            lambda: bundle,
            questions,
            backend(sandbox),
            rules.clock.clock(),
            rules.limits.limits(),
            default_cache(),
            wheels,
        )
        for step in check.steps():
            watch(name, step)
            if step.passed or not step.reached:
                continue
            remark = f"at {name}, step {step.number}, {step.title}: {step.detail}"
            if not step.can_answer:
                raise Rejected(f"it can't answer {remark}", step.output.rstrip())
            remarks.append(remark)
    return "\n".join(remarks)


@cache
def _brief_questions(name: str, options: Any, prefix: bool) -> CheckQuestions:
    """Make the few questions for a table once, for all bots of a process."""
    return check_questions(game_of(name), options, prefix=prefix).brief()


@dataclass(frozen=True, slots=True)
class Prospect:
    """`when` a tournament's next season enters a version, or `why` it does not.

    Both are clauses for people; one of them is empty.
    """

    tournament: str
    when: str = ""
    why: str = ""


def prospects(
    store: Store, version: Version, tournaments: Sequence[Settings[Any]], now: datetime
) -> Iterator[Prospect]:
    """Yield the version's prospect in each tournament of its games."""
    for settings in tournaments:
        if settings.game in version.games:
            why = _why_not(version, settings)
            when = "" if why else _when(store, settings, now)
            yield Prospect(settings.name, when, why)


def _why_not(version: Version, settings: Settings[Any]) -> str:
    """Return what would enter a version in the next season; empty if it is entered."""
    if version.withdrawn:
        return "until `arena bot readmit BOT`"
    if version.chosen not in (None, version.number):
        return "until `arena bot activate BOT` has the newest version play again"
    if isinstance(settings.entrants, Tagged):
        tags, teams = settings.entrants.tags, settings.entrants.teams
        if tags and not tagged([version], tags):
            return f"until the organiser runs `arena bot tag BOT {tags[0]}`"
        if teams and version.author not in teams:
            return f"since only bots of {', '.join(teams)} enter"
    elif settings.entrants != "all":
        named = {version.bot, f"{version.bot}@{version.number}"}
        if not named & {*settings.entrants}:
            return "until `entrants:` in its file names them"
    return ""


def _when(store: Store, settings: Settings[Any], now: datetime) -> str:
    """Return when the next season begins; a running one keeps its line-up."""
    seasons = store.seasons(settings.name)
    if isinstance(settings.schedule, str) and seasons:
        return without_date(settings.schedule, first=False)
    if isinstance(settings.schedule, Schedule):
        return f"on {written(settings.schedule.next_run(now), settings.schedule.zone)}"
    by_hand = f"`arena run --once {settings.name}`"
    if not seasons:
        return f"with the next `arena run` or `arena up`, or now with {by_hand}"
    return f"when you run {by_hand}"


def entry_sentences(by_bot: Mapping[str, Sequence[Prospect]], folder: str) -> Iterator[str]:
    """Yield sentences about where and when each named bot plays, and where not and why.

    Bots with the same answer share a line. `folder` is where the tournament files are.
    """
    playing: dict[tuple[str, str], list[str]] = {}
    absent: dict[tuple[str, str], list[str]] = {}
    for bot, several in by_bot.items():
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
    if nowhere := [bot for bot, several in by_bot.items() if not several]:
        bots_text = ", ".join(nowhere)
        yield f"in no tournament, because none in {folder} plays their games: {bots_text}"
