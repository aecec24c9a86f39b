"""`arena sit`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from getpass import getuser
from pathlib import Path
from typing import Any

import click

from card_arena.commands.console import Printer
from card_arena.commands.match_view import print_line, table_outcome
from card_arena.commands.playing import set_up
from card_arena.common.errors import UserError
from card_arena.common.text import name_flaw, one_line
from card_arena.exhibitions.cards import is_as_committed
from card_arena.exhibitions.entries import NewTable, SeatedBot, Table
from card_arena.exhibitions.store import ExhibitionStore
from card_arena.leaderboard.levels import bot_conditions, levels
from card_arena.results.store import Store
from card_arena.sandbox.sandbox import Reply
from card_arena.tables.choices import Cards, Choice, Number, Word, choices, only_answer
from card_arena.tables.drawing import draw, show, with_suit_signs
from card_arena.tables.game import Seat
from card_arena.tables.hints import SUITS
from card_arena.tables.legal_actions import Order, describe
from card_arena.tables.referee import Step, judged
from card_arena.tables.registry import GAMES
from card_arena.tournament.exhibition import NoMatch, checked, guest, is_path
from card_arena.tournament.settings import Settings, playable
from card_arena.tournament.table_host import TableGame, archives

YOU: Seat = 0


class LeftTable(Exception):
    """The person leaves the game for now."""


def sit(
    game: str | None,
    bots: Sequence[str],
    options: Sequence[str],
    preset: str | None,
    sandbox: str | None,
    wheels: Path | None,
    resume: str | None,
    store: Store,
) -> None:
    """Play a game against bots, step by step, or go on with one."""
    console = Printer()
    with closing(ExhibitionStore(store.database.address)) as tables:
        if resume is not None:
            if game is not None:
                raise click.UsageError("--resume needs no game and no bots: the table has them")
            table = _left(tables, resume)
        elif game is None or not bots:
            raise click.UsageError("name a game and at least one bot, or --resume KEY")
        else:
            rules = set_up(game, options, preset=preset, sandbox=sandbox, wheels=wheels)
            table, _ = tables.create(_new_table(store, rules, bots))
        terminal = _Terminal(console, tables, table)
        try:
            play = TableGame(
                tables, table, archives(store), terminal.enter, terminal.say, terminal.watch
            )
            play.play()
        except LeftTable:
            console.print(f"you left; to go on: arena sit --resume {table.key}", soft_wrap=True)
            return
        terminal.end()


def _left(tables: ExhibitionStore, key: str) -> Table:
    """A table that can be resumed here."""
    table = tables.table(key)
    if table.played_by != "terminal":
        raise UserError(f"Table {key} is played on the site. Open its page there.")
    if table.is_over:
        raise UserError(f"The game of table {key} is over. Use `arena replay {key}`.")
    return table


def _new_table(store: Store, rules: Settings[Any], names: Sequence[str]) -> NewTable:
    """A table for a person and these bots; raises `NoMatch` if they don't fit the game."""
    guests = [guest(store, name) for name in names]
    frozen = checked(guests, rules)
    bots = []
    for name, seated in zip(names, guests, strict=True):
        if is_path(name):
            bots.append(SeatedBot(seated.name, None, str(Path(name).absolute())))
        else:
            bots.append(SeatedBot(seated.name, store.version(name).id))
    rated = [level for level in levels(store, rules.game) if level.champion]
    return NewTable(
        game=rules.game,
        bots=(bots[-1], *_at_seats(rules, bots)),
        options=rules.options.model_dump(mode="json"),
        conditions=bot_conditions(frozen),
        hints=rated[0].bot if rated else None,
        name=_own_name(),
        played_by="terminal",
    )


def _own_name() -> str:
    """The name by which the system knows the person."""
    with suppress(OSError, KeyError):  # no name in the environment, nor in /etc/passwd
        name = getuser()
        if not name_flaw(name):
            return name
    return "person"


def _at_seats(rules: Settings[Any], bots: Sequence[SeatedBot]) -> Sequence[SeatedBot]:
    """The bots of the seats after the person's."""
    game, options = GAMES[rules.game], rules.options
    allowed = [seats for seats in playable(game, options) if seats > 1]
    if len(bots) + 1 in allowed:
        return bots
    if len(bots) == 1:
        return [*bots] * (min(allowed) - 1)
    partners = game.sides(options, min(allowed))[0]
    if len(bots) == 2 and len(partners) > 1:
        return [bots[seat not in partners] for seat in range(1, min(allowed))]
    others = ", ".join(str(seats - 1) for seats in allowed)
    raise NoMatch(
        f"{len(bots)} bots and you can't play {rules.game} together: give 1 bot for all other"
        f" seats, or one for each of the others ({others})"
    )


class _Terminal:
    """A person at a terminal, in seat 0."""

    def __init__(self, console: Printer, tables: ExhibitionStore, table: Table) -> None:
        self._console = console
        self._tables = tables
        self._table = table
        self._names = table.titles
        self._play: TableGame | None = None
        self._printed: list[str] = []

    def enter(self, play: TableGame, seat: Seat) -> _Terminal:
        """Sit down."""
        del seat
        self._play = play
        self._commitment(0)
        return self

    def say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)

    def tell(self, line: str, /) -> None:
        """A person sees the table."""

    def watch(self, step: Step) -> None:
        """Print a step that is new."""
        assert self._play is not None, "nobody plays before the person sits"
        if self._play.stored() is not None:
            return
        game = self._play.game
        width = self._console.width
        self._printed = [*show(game, step, self._names, width=width, own=YOU)]
        for line in self._printed:
            print_line(self._console, line)
        if isinstance(step.before.legal_actions(step.turn.seat), Order):
            self._commitment(len(self._tables.deals(self._table.key)) - 1)

    def ask(self, words: Sequence[str], /) -> Reply:
        """Ask until the person types something that is allowed; raises `LeftTable`."""
        del words
        play = self._play
        assert play is not None, "nobody is asked before the person sits"
        phase = play.phase
        legal = phase.legal_actions(YOU)
        if (only := only_answer(legal, phase.write)) is not None:
            return Reply(only)
        scene = play.game.presentation.scene(phase)
        drawn = draw(scene, self._names, width=self._console.width, own=YOU)
        if [line for line in self._printed if line][-len(drawn) :] != drawn:
            for line in drawn:
                print_line(self._console, line)
        listed = choices(legal, phase.write)
        for line in _menu(listed):
            print_line(self._console, line)
        while True:
            self._console.print("your answer (? a hint, q leaves): ", end="")
            typed = sys.stdin.readline()
            word = typed.strip()
            if not typed or word.lower() in ("q", "quit"):
                raise LeftTable
            if word == "?":
                self._hint(play)
                continue
            for line in _meant(word, listed):
                if judged(phase, legal, line)[1] is None:
                    return Reply(line)
            allowed = with_suit_signs(describe(legal.outline(phase.write)))
            self.say(f"{one_line(word)[:40]!r} is not allowed now: expected {allowed}")

    def _hint(self, play: TableGame) -> None:
        champion = self._table.hints
        if champion is None:
            self.say("no hint: no bot of this database has a rating in this game")
            return
        answer = play.answer_of(champion, YOU)
        hint = "has no answer here" if answer is None else f"would answer {with_suit_signs(answer)}"
        self.say(f"{champion.label} {hint}")

    def _commitment(self, pack: int) -> None:
        """Print the commitment of the next pack."""
        deals = self._tables.deals(self._table.key)
        if pack < len(deals) and deals[pack].key is None and deals[pack].commitment:
            self.say(f"commitment of pack {pack}: {deals[pack].commitment}")

    def end(self) -> None:
        """Print the scores, and check the cards."""
        table = self._tables.table(self._table.key)
        self._console.print(table_outcome(table))
        for deal in self._tables.deals(table.key):
            if deal.key:
                verdict = "is" if is_as_committed(deal) else "is NOT"
                self.say(f"pack {deal.pack} {verdict} as committed: key {deal.key}")
        self.say(f"stored as table {table.key}: arena replay {table.key}")


def _menu(listed: Sequence[Choice]) -> Iterator[str]:
    """The lines that list what may be answered."""
    numbered = _numbers(listed)
    words = [choice.answer for choice in listed if isinstance(choice, Word)]
    shown = [with_suit_signs(word) for word in words]
    if numbered:
        shown = [f"{number}) {word}" for number, word in enumerate(shown, 1)]
    if shown:
        yield "  allowed: " + "   ".join(shown)
    for choice in listed:
        match choice:
            case Number(low=low, high=high):
                yield f"  allowed: {choice.answer(low)} to {choice.answer(high)}"
            case Cards(before, count, cards, forced):
                must = f", {' '.join(map(with_suit_signs, forced))} among them" if forced else ""
                begin = f"{with_suit_signs(before.strip())} and " if before.strip() else ""
                yield f"  allowed: {begin}{count} of these cards{must}, with commas between them:"
                yield "    " + " ".join(map(with_suit_signs, cards))


def _numbers(listed: Sequence[Choice]) -> Sequence[str]:
    """The words that can be chosen by their numbers: none where answers are numbers themselves."""
    if any(isinstance(choice, Number) and not choice.before for choice in listed):
        return ()
    words = [choice.answer for choice in listed if isinstance(choice, Word)]
    return () if any(word.isdigit() for word in words) else words


def _meant(typed: str, listed: Sequence[Choice]) -> Iterator[str]:
    """The lines that something typed may stand for, the likeliest first."""
    plain = typed.translate(SUITS)
    yield from dict.fromkeys(
        (typed, plain, plain.upper(), plain.upper().replace("10", "T"), plain.lower())
    )
    words = _numbers(listed)
    if typed.isascii() and typed.isdigit() and 1 <= int(typed[:6]) <= len(words):
        yield words[int(typed[:6]) - 1]
    for choice in listed:
        if isinstance(choice, Cards):
            tail = plain.upper().replace("10", "T").replace(",", " ").split()
            yield choice.answer({*tail, *choice.forced})
