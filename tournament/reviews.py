"""Has a bot evaluate the decisions of matches: at once for a command, by workers for the site."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import lru_cache

from card_arena.coach.decisions import Decision
from card_arena.coach.reasons import reason
from card_arena.coach.review import (
    MORE_SAMPLES,
    SAMPLES,
    Evaluation,
    Place,
    comparable,
    key_of,
    mark,
    needs_more,
)
from card_arena.common.checkout import ROOT
from card_arena.common.errors import UserError
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.reviews import NumberedDecision, decisions_of, stored_evaluations
from card_arena.results.errors import Unknown
from card_arena.results.store import Store
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle, read_bundle
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.limits import Clock, Limits
from card_arena.sandbox.sandbox import BuildFailed
from card_arena.sandbox.seat import BotPlayer
from card_arena.tables.evaluation import BadScores, evaluate_words, read_scores
from card_arena.tables.record import Record
from card_arena.tables.referee import BadRecord
from card_arena.tables.registry import UnknownGame
from card_arena.tournament.play.match import RETRIES
from card_arena.tournament.play.pool import FairQueue, Pool, TaskFailed
from card_arena.tournament.play.steps import Steps
from card_arena.tournament.submissions import SANDBOX

QUEUE = "reviews of matches"
"""The name of its queue at the workers; no tournament can have it."""

CLOCK = Clock(question=5, start=10)
LIMITS = Limits(cpu=5)
"""An evaluation may take its time: a busy machine is not the reviewer's fault."""

AT_ONCE = 4
"""Decisions that a worker evaluates in one go: the first marks are there after a second."""


class NoReviewer(UserError):
    """A bot can't review a game; the message says why, and what would help."""


class BadEvaluation(UserError):
    """A reviewer did not evaluate a question; the message names the bot and the question."""


CANT_REVIEW = (NoReviewer, BadEvaluation, BadRecord, Unknown, UnknownGame)


@lru_cache(maxsize=16)
def usual_reviewer(game: str) -> Bundle:
    """The reviewer of a game: the arena's own champion. Raises `NoReviewer`."""
    try:
        return demand_reviewer(read_bundle(ROOT / "bots" / game / "champion"), game)
    except BadBundle as error:
        raise NoReviewer(f"there is no usual reviewer of {game}: {error}") from error


def demand_reviewer(bundle: Bundle, game: str) -> Bundle:
    """Return a bundle that can evaluate a game; raises `NoReviewer`."""
    about = bundle.manifest
    if not about.evaluate:
        raise NoReviewer(f"{about.name} can't review matches: its bot.yaml has no `evaluate: true`")
    if game not in about.games and about.games != ("all",):
        raise NoReviewer(f"{about.name} plays {', '.join(about.games)} and can't review {game}")
    return bundle


def evaluate(
    archive: bytes, sandbox: str, record: Record, decisions: Sequence[Decision]
) -> list[Evaluation]:
    """Have a bot evaluate decisions of a game in a sandbox, those with a loss more often.

    Raises `NoReviewer` if it can't be built, `BadEvaluation`, and what the sandbox raises when it
    fails itself.
    """
    bundle, kind = Bundle.from_archive(archive), backend(sandbox)
    name = bundle.manifest.name
    try:
        program = build(bundle, kind, default_cache()).program
    except (ToolMissing, BuildFailed) as error:
        log = f"\n{error.log}".rstrip() if isinstance(error, BuildFailed) else ""
        raise NoReviewer(f"{name} can't be built: {error}{log}") from error
    with kind.open(program, CLOCK.stretched(LIMITS)) as opened:
        player = BotPlayer(opened, CLOCK, bundle.manifest.protocol)
        player.begin_game()
        evaluations = [evaluated(player, name, record, decision) for decision in decisions]
        player.end_game()
    return evaluations


def evaluated(player: BotPlayer, name: str, record: Record, decision: Decision) -> Evaluation:
    """Have a bot evaluate a decision, more often where it seems to have a loss.

    `name` is the bot's, for errors. Raises `BadEvaluation`.
    """
    scores = comparable(
        [_scores(player, name, decision, number) for number in range(SAMPLES)], decision.played
    )
    if scores and needs_more(scores, decision.played):
        more = range(SAMPLES, SAMPLES + MORE_SAMPLES)
        again = [_scores(player, name, decision, number) for number in more]
        scores = comparable([*scores, *again], decision.played)
    if not scores:
        return Evaluation(())
    marked = mark(decision, Evaluation(scores))
    if not marked.flagged:
        return Evaluation(scores)
    return Evaluation(scores, reason(record, decision, marked.best, scores))


def _scores(player: BotPlayer, name: str, decision: Decision, number: int) -> Mapping[str, float]:
    question = evaluate_words(decision.words, number)
    reply = player.ask(question)
    try:
        if reply.fault:
            raise BadScores(f"{reply.fault}: {reply.detail}")
        return read_scores(reply.line or "", decision.answers)
    except BadScores as error:
        said = f"; its standard error:\n{reply.stderr}" if reply.stderr else ""
        raise BadEvaluation(
            f"{name} did not evaluate `{' '.join(question)}`: {error}{said}"
        ) from None


def evaluated_now(
    bundle: Bundle, sandbox: str, records: Sequence[Record], known: Mapping[Place, Evaluation]
) -> Iterator[list[tuple[NumberedDecision, Evaluation]]]:
    """Evaluate the decisions of a match that are not known yet, a few at a time.

    Yields the evaluations of each few; raises as `evaluate` does.
    """
    archive = bundle.archive()
    for some in _parts(records, bundle, known):
        record, decisions = records[some[0][0]], [decision for _, decision in some]
        yield [*zip(some, evaluate(archive, sandbox, record, decisions), strict=True)]


def _parts(
    records: Sequence[Record], bundle: Bundle, known: Mapping[Place, Evaluation]
) -> list[list[NumberedDecision]]:
    """The decisions that are not known yet, a few of one game together."""
    parts: list[list[NumberedDecision]] = []
    for number, decision in decisions_of(records, prefix=bundle.manifest.prefix):
        if (number, decision.turn) in known:
            continue
        if parts and parts[-1][0][0] == number and len(parts[-1]) < AT_ONCE:
            parts[-1].append((number, decision))
        else:
            parts.append([(number, decision)])
    return parts


def keep(
    store: Store, bundle: Bundle, evaluations: Iterable[tuple[NumberedDecision, Evaluation]]
) -> None:
    """Store evaluations, for the next review of the same decisions."""
    store.keep_evaluations(
        {
            key_of(bundle.digest, decision): (list(one.scores), one.reason)
            for (_, decision), one in evaluations
        }
    )


def play_reviews(store: Store, pool: Pool, say: Callable[[str], None]) -> Steps[int]:
    """Have workers evaluate all matches that wait for a review; return how many were finished.

    A match that can't be reviewed is noted with the reason. Raises what a sandbox raises when it
    fails itself; the review then goes on later.
    """
    finished = 0
    with pool.queue(QUEUE) as queue:
        while waiting := store.next_review():
            match, failed = waiting.match, ""
            try:
                yield from _reviewed(store, match, queue)
            except (*CANT_REVIEW, TaskFailed) as error:
                failed = str(error)
                say(f"{match} can't be reviewed: {error}")
            store.finish_review(match, failed)
            finished += 1
    return finished


def _reviewed(store: Store, match: str, queue: FairQueue) -> Steps[None]:
    """Have workers evaluate a match, and keep the evaluations as they come.

    Raises `TaskFailed` if workers were lost in it again and again.
    """
    records = read_match(store, match).records
    bundle = usual_reviewer(records[0].game)
    about = bundle.manifest
    store.begin_review(match, about.name, bundle.digest, prefix=about.prefix)
    archive = bundle.archive()
    known = stored_evaluations(store, bundle.digest, records, prefix=about.prefix)
    parts = _parts(records, bundle, known)
    begun: dict[Future[list[Evaluation]], list[NumberedDecision]] = {}
    lost = 0
    while parts or begun:
        while parts and len(begun) < queue.in_hand:
            some = parts.pop(0)
            decisions = [decision for _, decision in some]
            begun[queue.submit(evaluate, archive, SANDBOX, records[some[0][0]], decisions)] = some
        yield [*begun]
        for future in [future for future in begun if future.done()]:
            some = begun.pop(future)
            try:
                keep(store, bundle, zip(some, future.result(), strict=True))
            except TaskFailed:
                lost += 1
                if lost > RETRIES:
                    raise
                parts.append(some)
