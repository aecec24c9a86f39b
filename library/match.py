"""Matches between Python functions and bots in sandboxes: no database, one result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from card_arena.common.faults import NO_FACTS, Facts
from card_arena.library.native_state import NativeState
from card_arena.library.registry import Game, named
from card_arena.library.rules_state import RulesState, shuffled, splitmix64
from card_arena.library.state import Packs, State
from card_arena.ratings.intervals import Cluster, Estimate, mean
from card_arena.ratings.match_results import board_margin, counted
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.game import CHANCE
from card_arena.tables.legal_actions import Action, LegalActions, Order
from card_arena.tables.record import Record, Turn
from card_arena.tables.referee import Step, play
from card_arena.tables.seating import Seating, seating_plan

if TYPE_CHECKING:
    from card_arena.sandbox.seat import BotPlayer

Function = Callable[[State], int]
"""A player in Python: returns its action in a state, which is a copy that it may change."""


class _Bot(NamedTuple):
    """A bot in a sandbox; `prefix` says whether it asks for questions with the common prefix."""

    player: BotPlayer
    prefix: bool


@dataclass
class Showing:
    """A player in a match, and how a bot answered.

    `margin` is how many points a game it was ahead of the mean of its opponents, with the 95 %
    interval over the boards. `decisions` are the questions of a bot, and the calls of a function.
    `slowest` is its longest answer, in microseconds.
    `first_fault` is its first fault: the kind, a sentence, the question, the answer, and the end of
    its standard error in that game.
    """

    name: str
    margin: Estimate = field(default_factory=lambda: mean([(0.0, 1)]))
    decisions: int = 0
    faults: int = 0
    slowest: int = 0
    first_fault: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Played:
    """A game of a match: its board, the player in each seat, and the seats' scores."""

    board: int
    seats: Seating
    scores: tuple[int, ...]


@dataclass
class Match:
    """The result of a match: its conditions, what each player showed, and every game.

    Each board is played once in every rotation of the seats, where that makes margins surer. From
    the same seed the same decisions come to the same result.
    """

    game: str
    version: int
    options: Mapping[str, Any]
    seed: int
    boards: int
    players: tuple[Showing, ...]
    games: list[Played] = field(default_factory=list)


def play_match(
    game: str,
    players: Sequence[Function | str | Path],
    *,
    boards: int = 1,
    seed: int = 0,
    options: Mapping[str, Any] | Any = None,
    seats: int | None = None,
    sandbox: str = "bubblewrap",
) -> Match:
    """Play boards between functions and bots; a bot is the path of its folder or archive.

    There is a player for each side or for each seat; of two at a larger table, the second one takes
    all other seats. A bot plays in a sandbox, with a tournament's usual clock, limits and strikes.
    Raises `ValueError` for players, options or seats that don't fit the game, `UserError` for a bot
    that can't be read or built, and `IllegalAction` for that of a function.
    """
    if boards < 1:
        raise ValueError(f"a match has at least one board, not {boards}")
    kind = named(game)
    settings = kind.options(options)
    sides = _sides(kind, settings, len(players), seats)
    if len(players) < 2:
        raise ValueError(f"a match has at least two players, not {len(players)}")
    count = sum(map(len, sides))
    plan = seating_plan(
        sides, apart=len(players) == count, duplicate=kind.rules.statistics.rotation_helps
    )
    entrants = [players[min(place, len(players) - 1)] for place in range(len(plan.sides))]
    shown = tuple(Showing(_name(player)) for player in entrants)
    match = Match(game, kind.rules.version, settings.model_dump(mode="json"), seed, boards, shown)
    clusters: list[list[Cluster]] = [[] for _ in entrants]
    with ExitStack() as stack:
        seated = [(one, _seated(entrants[one], game, sandbox, stack)) for one in plan.seatings[0]]
        table = _Table(kind, settings, plan.sides, shown)
        for board in range(boards):
            packs = splitmix64((seed << 32) + board)[1]
            totals = [0.0] * len(entrants)
            for seating in plan.seatings:
                scores, margins = table.play(packs, seating, _moved(seated, seating))
                match.games.append(Played(board, seating, scores))
                totals = [float(sum(pair)) for pair in zip(totals, margins, strict=True)]
            for entrant, total in enumerate(totals):
                clusters[entrant].append((total, len(plan.seatings)))
    for showing, boards_of in zip(shown, clusters, strict=True):
        showing.margin = mean(boards_of)
    return match


def _sides(
    kind: Game, options: Any, players: int, seats: int | None
) -> tuple[tuple[int, ...], ...]:
    """The sides of a table for so many players; raises `ValueError`."""
    for count in [seats] if seats else kind.seats:
        sides = kind.rules.sides(options, count)
        if players in (len(sides), count) or (players == 2 and seats):
            break
    else:
        sides = kind.rules.sides(options, kind.seats[0])
    count = sum(map(len, sides))
    kind.rules.check_table(options, count)
    if players not in (2, len(sides), count):
        takes = " or ".join(map(str, dict.fromkeys((2, len(sides), count))))
        raise ValueError(f"a table of {count} at {kind.name} takes {takes} players, not {players}")
    return sides


def _name(player: Function | str | Path) -> str:
    return str(getattr(player, "__name__", None) or player)


def _seated(
    player: Function | str | Path, game: str, sandbox: str, stack: ExitStack
) -> Function | _Bot:
    """A function itself, or a bot in a sandbox of its own, which `stack` closes."""
    if callable(player):
        return player
    try:  # only the whole arena has sandboxes, the library alone has none
        from card_arena.sandbox.backends.registry import backend
        from card_arena.sandbox.builds import build
        from card_arena.sandbox.bundles.bundle import BadBundle, read_bundle
        from card_arena.sandbox.bundles.manifest import ALL_GAMES
        from card_arena.sandbox.cache_folder import default_cache
        from card_arena.sandbox.limits import Clock, Limits
        from card_arena.sandbox.seat import BotPlayer
    except ModuleNotFoundError:
        raise ValueError(
            f"{player} would play in a sandbox, and the library alone has none: install card-arena"
        ) from None

    kind, bundle, clock = backend(sandbox), read_bundle(Path(player)), Clock()
    games = bundle.manifest.games
    if game not in games and games != (ALL_GAMES,):
        raise BadBundle(f"{player} plays {', '.join(games)} and not {game}.")
    program = build(bundle, kind, default_cache()).program
    opened = stack.enter_context(kind.open(program, clock.stretched(Limits())))
    about = bundle.manifest
    return _Bot(BotPlayer(opened, clock, about.protocol), about.prefix)


def _moved(
    seated: Sequence[tuple[int, Function | _Bot]], seating: Seating
) -> list[Function | _Bot]:
    """The players in the order of their seats in another rotation."""
    waiting = list(seated)
    moved = []
    for entrant in seating:
        place = next(n for n, (one, _) in enumerate(waiting) if one == entrant)
        moved.append(waiting.pop(place)[1])
    return moved


class _Table(NamedTuple):
    """A table at which one game after the other is played."""

    kind: Game
    options: Any
    sides: Sequence[int]
    shown: Sequence[Showing]

    def play(
        self, packs: int, seating: Seating, players: Sequence[Function | _Bot]
    ) -> tuple[tuple[int, ...], Sequence[float]]:
        """The scores of a game, and the margin of each entrant in it."""
        functions = [player for player in players if not isinstance(player, _Bot)]
        if len(functions) == len(players):
            make = NativeState if self.kind.is_native else RulesState
            state = make(self.kind, self.options, len(players), Packs({0: packs}))
            while not state.is_over:
                self.shown[seating[state.to_act]].decisions += 1
                state.apply(functions[state.to_act](state.clone()))
            own = tuple(state.returns()[seating.index(one)] for one in range(len(self.sides)))
            return state.returns(), _margins(own, self.sides, (0,) * len(own))
        record = self._refereed(packs, seating, players)
        for turn in record.turns:
            if turn.question and isinstance(players[turn.seat], _Bot):
                _count(self.shown[seating[turn.seat]], turn, players[turn.seat])
        scores, penalties = counted(record, seating, self.sides)
        return record.over.scores, _margins(scores, self.sides, penalties)

    def _refereed(self, packs: int, seating: Seating, players: Sequence[Function | _Bot]) -> Record:
        """Play a game in which bots are asked, and judged as in a tournament."""
        state = RulesState(self.kind, self.options, len(players), Packs({0: packs}))
        bots = [player.player for player in players if isinstance(player, _Bot)]
        seats = [
            one.player if isinstance(one, _Bot) else _Asked(one, state, self.shown[seating[seat]])
            for seat, one in enumerate(players)
        ]
        prefixed = [
            seat for seat, one in enumerate(players) if isinstance(one, _Bot) and one.prefix
        ]
        for bot in bots:
            bot.begin_game()

        def follow(step: Step) -> None:
            if step.turn.seat != CHANCE:
                state.answer(step.turn.action)

        record = play(
            self.kind.rules, self.options, seats, _Dealer(packs), prefixed=prefixed, watch=follow
        )
        for bot in bots:
            bot.end_game()
        return record


def _margins(
    scores: Sequence[int], sides: Sequence[int], penalties: Sequence[int]
) -> Sequence[float]:
    return [float(margin) for margin in board_margin(scores, sides, penalties)]


def _count(showing: Showing, turn: Turn, player: Function | _Bot) -> None:
    showing.decisions += 1
    showing.slowest = max(showing.slowest, turn.wall)
    if turn.fault is not None:
        showing.faults += 1
        showing.first_fault = showing.first_fault or {
            "kind": str(turn.fault.kind),
            "detail": fault_text(turn.fault, turn.answer),
            "question": turn.question,
            "answer": turn.answer or "",
            "stderr": player.player.stderr if isinstance(player, _Bot) else "",
        }


class _Line(NamedTuple):
    """The reply of a function: a line, and no fault."""

    line: str
    fault: None = None
    code: str = ""
    facts: Facts = NO_FACTS
    stderr: str = ""
    wall: int = 0
    cpu: int = 0
    peak: int = 0


class _Asked:
    """A function as a player of the referee, which sees the state of the game."""

    def __init__(self, function: Function, state: RulesState, showing: Showing) -> None:
        self._function, self._state, self._showing = function, state, showing

    def ask(self, words: Sequence[str]) -> _Line:  # noqa: ARG002
        """Return the answer that the function's actions make up."""
        state, line = self._state.clone(), None
        while line is None:
            self._showing.decisions += 1
            action = self._function(state.clone())
            line = state.answer_of(action)
            state.apply(action)
        return _Line(line)

    def tell(self, line: str) -> None:
        """A function sees everything in the state."""


class _Dealer:
    """Deals the packs that a state deals from the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = seed

    def deal(self, choice: LegalActions) -> Action:
        """Order the next pack; where there is nothing to shuffle, do the one thing there is."""
        if not isinstance(choice, Order):
            return choice.fallback_action
        order, self._random = shuffled(len(choice.pack), self._random)
        return tuple(choice.pack[place] for place in order)
