"""How many planted mistakes a review finds, and how many of its flags are false.

`python -m card_arena.tests.coach.planted spades 10` plays so many games with one deal. In each the
arena's champion plays all seats by its evaluations, and now and then another answer is played at
random. What every decision truly lost is taken from 40 more evaluations of it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping

from card_arena.coach.decisions import Decision, deals
from card_arena.coach.review import Evaluation, comparable, mark
from card_arena.ratings.intervals import Estimate, mean, wilson
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.seat import BotPlayer
from card_arena.tables.encoding import asked_words
from card_arena.tables.evaluation import evaluate_words, evaluated_answers, read_scores
from card_arena.tables.game import Phase
from card_arena.tables.registry import game as game_of
from card_arena.tests.coach.records import record_of
from card_arena.tournament.reviews import CLOCK, LIMITS, evaluated, usual_reviewer

PLANTED = 0.15
"""The part of the decisions that are played at random."""

TRUTH = range(10_000, 10_040)
"""The samples by which it is judged what a decision truly lost."""

MISTAKES = {"spades": 10.0, "blot": 5.0, "tarot": 10.0, "durak": 0.1, "blackjack": 2.0}
"""From how many points on a loss is a mistake that a review should find."""

ONE_DEAL = {"spades": {"max_rounds": 1}, "blot": {"max_deals": 1}, "tarot": {"deals": 1}}


def judged(game: str, number: int, player: BotPlayer) -> Iterator[tuple[Decision, Estimate, bool]]:
    """Yield the decisions of a game, what each truly lost, and whether it is flagged."""
    rng, rules = random.Random(number), game_of(game)

    def scores(phase: Phase, sample: int) -> Mapping[str, float]:
        question = asked_words(rules, phase, phase.to_act, ())
        reply = player.ask(evaluate_words(question, sample))
        return read_scores(reply.line or "", evaluated_answers(phase) or ())

    def choose(phase: Phase) -> str:
        legal = phase.legal_actions(phase.to_act)
        if evaluated_answers(phase) is None or rng.random() < PLANTED:
            return phase.write(legal.sample(rng))
        expected = scores(phase, 20_000)
        return max(expected, key=expected.__getitem__)

    seats = {"tarot": 3, "durak": 2, "blackjack": 2}.get(game, 4)
    record = record_of(game, [choose] * seats, number, **ONE_DEAL.get(game, {}))
    for deal in deals(record):
        for decision in deal.decisions:
            evaluation = evaluated(player, game, record, decision)
            sample = [
                read_scores(player.ask(evaluate_words(decision.words, one)).line or "", ())
                for one in TRUTH
            ]
            truth = comparable(sample, decision.played)
            if not evaluation.scores or not truth:
                continue
            best = mark(decision, Evaluation(truth)).best
            lost = mean([(one[best] - one[decision.played], 1) for one in truth])
            yield decision, lost, mark(decision, evaluation).flagged


def main(game: str, games: int) -> None:
    """Print the shares of mistakes that were found and of flags that were false."""
    bundle = usual_reviewer(game)
    kind = backend("bubblewrap")
    program = build(bundle, kind, default_cache()).program
    mistakes = found = flags = false = decisions = 0
    for number in range(games):
        with kind.open(program, CLOCK.stretched(LIMITS)) as opened:
            player = BotPlayer(opened, CLOCK, bundle.manifest.protocol)
            player.begin_game()
            for _, lost, flagged in judged(game, number, player):
                decisions += 1
                is_mistake = lost.value >= MISTAKES[game]
                mistakes += is_mistake
                found += is_mistake and flagged
                flags += flagged
                false += flagged and (lost.low or 0.0) <= 0
            player.end_game()
        print(f"{game}: {number + 1} games, {decisions} decisions", flush=True)
        for name, part, of in (("found", found, mistakes), ("false flags", false, flags)):
            if of:
                low, high = wilson(part / of, of)
                print(f"  {name} {part} of {of} ({low:.3f} to {high:.3f})", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
