"""A stored match, inspected by a bot's author: its standard error, and questions asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from card_arena.common.errors import UserError
from card_arena.common.faults import Fault
from card_arena.formats.field import Listed
from card_arena.leaderboard.match_file import FiledEntrant, FiledMatch
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.question_file import (
    LARGEST,
    AnyMatch,
    BadQuestionFile,
    FiledAnswer,
    FiledFault,
    QuestionFile,
    question_file,
    read_question,
)
from card_arena.results.store import Store
from card_arena.results.stored_match import Checked
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import Bundle
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.limits import Clock, Limits
from card_arena.sandbox.sandbox import BuildFailed, Reply
from card_arena.sandbox.seat import BotPlayer
from card_arena.tables.choices import is_among
from card_arena.tables.game import CHANCE, BadTable, MalformedAnswer, Phase, Seat
from card_arena.tables.hints import hint_for
from card_arena.tables.record import Record
from card_arena.tables.referee import NOT_ALLOWED, replay
from card_arena.tables.registry import GAMES, game
from card_arena.tournament.settings import ClockFields, LimitsFields
from card_arena.tournament.submissions import look_alike
from card_arena.verify.evidence import Filed

LONGEST_REASON = 300


class NotInMatch(UserError):
    """A stored match has no such game, question or bot; the message says which it has."""


class NotBuilt(UserError):
    """A bot can't be asked; the message says why, and what would help."""


@dataclass(frozen=True, slots=True)
class Again:
    """The outcome of asking a question again: the answer with its verdict, and standard error.

    `heard` is how many lines of the game a `stdin` bot's process was sent beforehand. `at` is the
    earlier question at which it already failed, empty if it reached the one that was meant.
    """

    answer: FiledAnswer
    stderr: str
    heard: int = 0
    at: str = ""


def chosen_game(match: AnyMatch, number: int) -> Record:
    """Find a game of a match, counted from 1; raises `NotInMatch`."""
    if not 1 <= number <= len(match.records):
        games = "1 game" if len(match.records) == 1 else f"{len(match.records)} games"
        raise NotInMatch(f"match {match.key} has {games}; there is no game {number}")
    return match.records[number - 1]


def find(store: Store, key: str, number: int, turn: int, *, private: bool = False) -> QuestionFile:
    """Find the question of a turn in game `number` of a match, as pages and replays count them.

    With `private` it includes the end of what its bot wrote on standard error in that game. Raises
    `NotInMatch`, `results.matches.UnknownMatch`, and `BadRecord` if the game can no
    longer be replayed.
    """
    match = read_match(store, key)
    record = _asked_game(match, number, turn)
    seasons = store.seasons(match.tournament)
    settings = next(season.settings for season in seasons if season.number == match.season)
    seat = record.turns[turn].seat
    stderr = store.stderr(key).get((number - 1, seat), "") if private else ""
    return question_file(match, number - 1, turn, settings, stderr)


def find_in_file(path: Path, key: str, number: int, turn: int) -> QuestionFile:
    """Find the question of a turn in a season's file, as `find` does in a database.

    Raises `NotInMatch`, `BadSeasonFile`, and `BadRecord` if the game can no longer be replayed.
    """
    filed = Filed(path)
    for match in filed.matches():
        if match.key == key and match.derived is not None:
            filed_match = _filed_match(filed, match)
            _asked_game(filed_match, number, turn)
            return question_file(filed_match, number - 1, turn, filed_match)
    raise NotInMatch(f"{path} has no match {key[:200]!r}")


def _filed_match(filed: Filed, match: Checked) -> FiledMatch:
    versions = {entrant.version: entrant for entrant in filed.manifest.entrants}
    unknown = Listed(0, "an unknown bot", 0, "", "", "", "")
    entrants = tuple(
        FiledEntrant(bot=entrant.bot, version=entrant.number, author=entrant.author, side=side)
        for version, side in zip(match.versions, match.sides, strict=True)
        for entrant in [versions.get(version, unknown)]
    )
    settings = filed.season.settings
    return FiledMatch(
        match.key, entrants, match.seatings, match.records, settings.clock, settings.limits
    )


def find_in_match_file(path: Path, number: int, turn: int) -> QuestionFile:
    """Find the question of a turn in the file of one match, as `find` does in a database.

    Raises `NotInMatch`, `BadMatchFile`, and `BadRecord` if the game can no longer be replayed.
    """
    match = FiledMatch.read(path)
    _asked_game(match, number, turn)
    return question_file(match, number - 1, turn, match)


def read_file(path: Path) -> QuestionFile:
    """Read a question from a file; raises `BadQuestionFile`."""
    try:
        if path.exists() and not path.is_file():
            raise BadQuestionFile(f"{path}: not a file")
        with path.open("rb") as file:
            return read_question(file.read(LARGEST + 1), str(path))
    except OSError as error:
        raise BadQuestionFile(f"{path}: can't be read: {error.strerror}") from error


def _asked_game(match: AnyMatch, number: int, turn: int) -> Record:
    """Return a game of a match; raises `NotInMatch` if no bot was asked at this turn of it."""
    record = chosen_game(match, number)
    where = f"game {number} of match {match.key}"
    if not 0 <= turn < len(record.turns):
        last = len(record.turns) - 1
        raise NotInMatch(f"{where} has turns 0 to {last}; there is no turn {turn}")
    if not record.turns[turn].question:
        seat = record.turns[turn].seat
        questions = [other for other, played in enumerate(record.turns) if played.question]
        nearest = min(questions, key=lambda other: abs(other - turn))
        who = "the dealer" if seat == CHANCE else f"seat {seat}, which is struck out"
        raise NotInMatch(
            f"turn {turn} of {where} belongs to {who}, and nobody was asked;"
            f" the nearest question is turn {nearest}"
        )
    return record


def put(question: QuestionFile, bundle: Bundle, sandbox: str, wheels: Path | None = None) -> Again:
    """Ask a bot a question as the referee did, and judge its answer.

    The bot has a sandbox of its own, and the season's clock and limits without a game's bank. A
    `stdin` bot is asked in a new process that is first sent everything its seat had heard; its
    answers to the questions among that are ignored. `wheels` is a folder of wheels that the bot may
    ask for. Raises `NotBuilt`, `BadQuestionFile` if the file makes no sense by today's rules, and
    what the sandbox raises when it fails itself.
    """
    clock, limits, phase = _terms(question)
    try:
        program = build(bundle, backend(sandbox), default_cache(), wheels=wheels).program
    except (ToolMissing, BuildFailed) as error:
        log = error.log if isinstance(error, BuildFailed) else ""
        raise NotBuilt(f"{bundle.manifest.name} can't be built: {error}\n{log}".rstrip()) from error
    protocol = bundle.manifest.protocol
    if protocol == "argv" and not question.first:
        clock = replace(clock, start=clock.question)
    heard = question.heard if protocol == "stdin" else []
    at = ""
    with backend(sandbox).open(program, clock.stretched(limits)) as opened:
        player = BotPlayer(opened, clock, protocol)
        player.begin_game()
        for line in heard:
            if line.startswith("# "):
                player.tell(line[2:])
                continue
            reply = player.ask(line.split())
            if reply.fault:
                at = line
                break
        else:
            reply = player.ask(question.question.split())
        player.end_game()
    stderr = player.stderr
    answer = FiledAnswer(
        line=reply.line,
        fault=_verdict(question, phase, reply),
        wall=reply.wall,
        cpu=reply.cpu,
        peak=reply.peak,
    )
    return Again(answer, stderr, len(heard), at)


def by_answer(runs: Sequence[Again]) -> list[tuple[FiledAnswer, int]]:
    """Count the answers of several runs, the most frequent first, equals as they came."""
    counts: list[tuple[FiledAnswer, int]] = []
    for run in runs:
        for place, (answer, times) in enumerate(counts):
            if same_answer(answer, run.answer):
                counts[place] = answer, times + 1
                break
        else:
            counts.append((run.answer, 1))
    return sorted(counts, key=lambda pair: pair[1], reverse=True)


def same_answer(one: FiledAnswer, other: FiledAnswer) -> bool:
    """Whether two answers are the same line, and failed in the same way if they did."""
    kinds = [answer.fault and answer.fault.kind for answer in (one, other)]
    return one.line == other.line and kinds[0] == kinds[1]


def _terms(question: QuestionFile) -> tuple[Clock, Limits, Phase]:
    """Read the clock, limits and rules for asking a question again; raises `BadQuestionFile`."""
    rules = GAMES.get(question.game)
    where = f"the question of turn {question.turn} of {question.match}"
    if rules is None or rules.version != question.rules_version:
        raise BadQuestionFile(
            f"{where} was asked by version {question.rules_version} of the rules of"
            f" {question.game}, which this arena does not have"
        )
    try:
        options = rules.options(**question.options)
        clock = ClockFields.model_validate({**question.clock.data(), "bank": None}).clock()
        limits = LimitsFields.model_validate(question.limits.data()).limits()
        rules.check_table(options, question.seats)
    except (ValidationError, BadTable) as error:
        reason = " ".join(str(error).split())[:LONGEST_REASON]
        raise BadQuestionFile(f"{where} has terms that no table can have: {reason}") from error
    phase = look_alike(rules, options, question.seats, question.phase)
    if phase is None:
        raise BadQuestionFile(
            f"{where} names a phase {question.phase!r} that {rules.name} does not have"
        )
    return clock, limits, phase


def _verdict(question: QuestionFile, phase: Phase, reply: Reply) -> FiledFault | None:
    """Judge an answer; `phase` is any position of the same class, which reads answers alike."""
    if reply.fault:
        return FiledFault(kind=Fault(reply.fault), code=reply.code, facts=dict(reply.facts))
    line, allowed = reply.line or "", {"allowed": question.outline}
    try:
        written = phase.write(phase.read(line))
    except MalformedAnswer as error:
        facts = {**error.facts, **hint_for(line, phase.read), **allowed}
        return FiledFault(kind=Fault.MALFORMED, code=error.code, facts=facts)
    if is_among(written, question.allowed):
        return None
    return FiledFault(kind=Fault.ILLEGAL, code=NOT_ALLOWED, facts=allowed)


def written(store: Store, key: str, bot: str, number: int | None = None) -> Iterator[str]:
    """Return what a bot wrote on standard error, seat by seat, in all games or in one.

    `bot` is a name, with or without a version, such as davey or davey@3. Raises `NotInMatch`, and
    `results.matches.UnknownMatch`.
    """
    match = read_match(store, key)
    if number is not None:
        chosen_game(match, number)
    labels = {f"{entrant.bot}@{entrant.version}" for entrant in match.entrants}
    chosen = {label for label in labels if bot in (label, label.partition("@")[0])}
    if not chosen:
        raise NotInMatch(f"{bot!r} did not play match {key}, but {', '.join(sorted(labels))} did")
    for (played, seat), text in store.stderr(key).items():
        entrant = match.at_table(played)[seat]
        if f"{entrant.bot}@{entrant.version}" in chosen and number in (None, played + 1):
            yield f"game {played + 1}, seat {seat}, {entrant.bot} v{entrant.version}:\n{text}"


# All questions of a bot in a season, asked again from the season's file: so an author can see
# whether the recorded answers are those of the author's own program.


class NotEntered(UserError):
    """A bot did not play in the season; the message says which did."""


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """A question that the bot answers otherwise now; `number` counts games from 1.

    An answer is None if there was none in time.
    """

    key: str
    number: int
    turn: int
    then: str | None
    now: str | None


@dataclass(slots=True)
class AskedAgain:
    """A bot's answers now, in the place of the entrant `listed`.

    `same_files` says whether its files have the digest that the manifest lists. `questions` and
    `games` count the questions asked and their games, and `others` are the answers that differ.
    """

    listed: Listed
    same_files: bool
    questions: int = 0
    games: int = 0
    others: list[OtherAnswer] = field(default_factory=list)


def ask_again(
    path: Path,
    bundle: Bundle,
    sandbox: str,
    wheels: Path | None = None,
    watch: Callable[[AskedAgain], None] = lambda _: None,
) -> AskedAgain:
    """Ask a bot every question of the entrant of its name, game by game.

    The version with the bot's own files is taken, or else the newest. It has the season's clock and
    limits, without a game's bank, and gets all notices of the entrant; its answers change nothing.
    `watch` gets the outcome so far after each game. Raises `NotEntered`, and all that `Filed`,
    sandboxes and builds raise.
    """
    filed = Filed(path)
    outcome = _entrant(filed, bundle)
    settings = filed.settings
    clock = replace(settings.clock.clock(), bank=None)
    program = build(bundle, backend(sandbox), default_cache(), wheels=wheels).program
    limits = clock.stretched(settings.limits.limits())
    for match in filed.matches():
        if outcome.listed.version not in match.versions or match.derived is None:
            continue
        entrant = match.versions.index(outcome.listed.version)
        for number, (record, seating) in enumerate(
            zip(match.records, match.seatings, strict=True), start=1
        ):
            for seat in (seat for seat, sitting in enumerate(seating) if sitting == entrant):
                with backend(sandbox).open(program, limits) as opened:
                    player = BotPlayer(opened, clock, bundle.manifest.protocol)
                    for turn, now in _answers(player, record, seat):
                        outcome.questions += 1
                        then = record.turns[turn]
                        if now != then.answer:
                            outcome.others.append(
                                OtherAnswer(match.key, number, turn, then.answer, now)
                            )
            outcome.games += 1
            watch(outcome)
    return outcome


def _entrant(filed: Filed, bundle: Bundle) -> AskedAgain:
    name = bundle.manifest.name
    playing = [entrant for entrant in filed.manifest.entrants if not entrant.sits_out]
    versions = [entrant for entrant in playing if entrant.bot == name]
    if not versions:
        raise NotEntered(
            f"{name} did not play in season {filed.season.number} of {filed.season.tournament}:"
            f" {', '.join(sorted({entrant.bot for entrant in playing}))} did"
        )
    listed = max(versions, key=lambda entrant: (entrant.digest == bundle.digest, entrant.number))
    return AskedAgain(listed, listed.digest == bundle.digest)


def _answers(player: BotPlayer, record: Record, seat: Seat) -> Iterator[tuple[int, str | None]]:
    """Play a seat of a game again as it was recorded; yield each turn with the answer now."""
    player.begin_game()
    for step in replay(game(record.game), record):
        if step.turn.seat == seat and step.turn.question:
            yield step.number, player.ask(step.turn.question.split()).line
        for notices in step.notices:
            player.tell(str(notices))
    player.end_game()
