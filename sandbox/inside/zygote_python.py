"""The interpreter that a Python bot's forks come from: made ready, and made to look like a bot.

`sandbox.inside.zygote_compiler` makes the bot's main file call `serve`, which comes back in forks
only. The interpreter imports modules of Python's own and runs nothing of the bot's, so that every
fork begins alike.
"""

# Without pathlib and contextlib, which would add to the start of a sandbox:
# ruff: noqa: PTH109, PTH118, PTH120, PTH208

from __future__ import annotations

import _ctypes
import _signal  # type: ignore[import-not-found]
import gc
import marshal
import os
import sys
from _frozen_importlib_external import SourceFileLoader
from io import TextIOWrapper

from card_arena.sandbox.inside import pilot_protocol as protocol
from card_arena.sandbox.inside.hardening import become_bot
from card_arena.sandbox.inside.pilot import Pilot
from card_arena.sandbox.inside.zygote import Zygote, serve_sandboxes
from card_arena.sandbox.inside.zygote_compiler import afresh
from card_arena.sandbox.inside.zygote_exit import ExitShortcut

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would add to the start of a sandbox
    from typing import Any, TextIO

Imports = tuple[tuple[str, tuple[str, ...]], ...]
"""Modules, each with the names that are taken from it."""
Constants = tuple[tuple[str | bytes | int | None, ...], ...]

OURS = __name__.partition(".")[0]
"""The package whose modules no fork sees."""
FORKED = "forked from a warm interpreter"
MOST_PRELOADING = 3
"""Seconds for imports: a source can name ten thousand that fail slowly, while no clock runs."""


class TooSlow(BaseException):
    """Importing beforehand takes too long; not an error that a module would handle."""


def too_slow(*_: object) -> None:
    raise TooSlow


class Forked(BaseException):
    """We are the fork.

    Its arguments are the words that the bot is asked, and the pipes that are its streams: where it
    reads its questions, if it plays a game, and where it writes.
    """


class ForkingPilot(Pilot):
    """A pilot that forks itself for a question or a game; the fork is the bot's interpreter.

    A fork has a copy of the pilot's memory, and a bot may search its own. So earlier questions and
    answers must not be there: they are held in a few buffers that are overwritten after every
    question, and never become Python objects, whose location in memory is unknown.
    """

    asked = 0
    blank = memoryview(bytes(protocol.LONGEST_REQUEST))

    def receive(self) -> tuple[bytes | memoryview, tuple[int, ...]]:
        """Wait for a request; a question stays where it is, for the fork to read."""
        self.asked, descriptors = protocol.received(self.control, self.inbox)
        request = self.inbox[: self.asked]
        return request if request[:1] == protocol.RUN else bytes(request), descriptors

    def reply(self, report: protocol.ExitReport) -> None:
        super().reply(report)
        self.inbox[: self.asked] = self.blank[: self.asked]

    def begin(self, words: bytes | memoryview, source: int | None, out: int, errors: int) -> None:
        """Fork with these streams; the words become Python objects in the fork only."""
        self.set_counter()
        forked = False
        try:
            self.main = os.fork()
            forked = self.main == 0
        finally:
            if not forked:
                for descriptor in filter(None, (source, out, errors)):
                    os.close(descriptor)
        if forked:
            self.control.detach()
            arguments = list(map(os.fsdecode, bytes(words).split(b"\0")[:-1]))
            raise Forked(arguments, source, out, errors)


class BotProcess:
    """The looks of an interpreter that was started with a bot's command and a question's words.

    It is made in the pilot, so that there is little left to do in the fork.
    """

    def __init__(self, command: list[str], *, sandboxed: bool) -> None:
        self.sandboxed = sandboxed
        self.command = command
        self.script = command[-1]
        name = os.path.join(os.getcwd(), self.script)
        self.main = vars(sys.modules["__main__"])
        loader = SourceFileLoader("__main__", name)
        self.names = {**self.main, "__file__": name, "__loader__": loader}
        self.folder = os.path.dirname(os.path.realpath(self.script))
        self.ours = [name for name in sys.modules if name.partition(".")[0] == OURS]
        self.capset = _ctypes.dlsym(_ctypes.dlopen("", 0), "capset")

    def become(self, words: list[str], source: int | None, out: int, errors: int) -> None:
        """Drop the pilot's descriptors, signals, powers and modules; look like a bot."""
        become_bot(source, out, errors, self.capset if self.sandboxed else 0)
        if source is not None:
            sys.stdin = sys.__stdin__ = standard_input(sys.stdin)  # type: ignore[assignment, misc]
        for module in self.ours:
            del sys.modules[module]
        self.main.update(self.names)
        sys.path[0] = self.folder
        sys.argv[:] = [self.script, *words]
        sys.orig_argv[:] = [*self.command, *words]
        gc.enable()


def standard_input(before: TextIO) -> TextIO:
    """Open standard input as the interpreter does: it looked at another file when it began.

    Whether a stream can seek is found out once, and how much was read from it is remembered.
    """
    binary: Any = open(0, "rb", closefd=False)  # noqa: SIM115
    binary.raw.name = before.name
    stream: Any = TextIOWrapper(binary, before.encoding, before.errors, "\n")
    stream.mode = before.mode
    return stream  # type: ignore[no-any-return]


def serve(modules: Imports, sets: Constants) -> ExitShortcut:
    """Import these modules of Python's, serve the referee, and come back as a bot's process.

    The bot's main file runs in a `with` of the result. `sets` are constants in it. The
    program's words say as what it serves: as a `PILOT`, with the words of one, or else as a zygote,
    with the number of its control socket and the bot's command.
    """
    role, control, *words = sys.argv[1:]
    alone = role == protocol.PILOT
    command = protocol.SandboxSpec(words).command if alone else words
    reason = changed_order(sets) or preload(modules, allowed=(sys.argv[0], control))
    zygote = None if alone else Zygote(int(control), laid_out=True)
    if reason and zygote:
        serve_sandboxes(zygote, afresh(reason))
    elif reason:
        Pilot(protocol.SandboxSpec(words), protocol.connected(control)).serve(afresh(reason))
        os._exit(0)
    bot, shortcut = BotProcess(command, sandboxed=os.getpid() == 1), ExitShortcut()
    sys.path_importer_cache.clear()
    # What is frozen is no garbage ever. The bot's names will be: an empty dict is not frozen.
    bot.main.clear()
    gc.disable()
    gc.collect()
    gc.freeze()
    if zygote:
        request, *inside = zygote.wait()
        pilot = ForkingPilot(request.spec, *inside)
    else:
        pilot = ForkingPilot(protocol.SandboxSpec(words), protocol.connected(control))
    try:
        pilot.serve(FORKED)
    except Forked as forked:
        bot.become(*forked.args)
        shortcut.kept = pilot
        return shortcut
    os._exit(0)


def preload(modules: Imports, allowed: tuple[str, ...]) -> str:
    """Import what bots will need; return why this interpreter can't be forked, if it can't.

    `allowed` are files that may be open besides the standard streams, by their last names.
    """
    _signal.signal(_signal.SIGALRM, too_slow)
    _signal.setitimer(_signal.ITIMER_REAL, MOST_PRELOADING)
    try:
        for name, names in modules:
            try:
                __import__(name, None, None, names)
            except ImportError:
                pass  # the bot will see to it
            except Exception as error:
                return f"{name} can't be imported beforehand ({error})"
    except TooSlow:
        return f"importing beforehand what it names takes more than {MOST_PRELOADING} s"
    finally:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        _signal.signal(_signal.SIGALRM, _signal.SIG_DFL)
    if len(os.listdir("/proc/self/task")) > 1:
        return "a thread is running in Python before the bot has begun"
    expected = {"0", "1", "2", *map(os.path.basename, allowed)}
    if len(set(os.listdir("/proc/self/fd")) - expected) > 1:  # one is the list itself
        return "Python holds files open before the bot has begun"
    return ""


def changed_order(sets: Constants) -> str:
    """Return the reason if a set comes out of a `.pyc` in another order than from its source."""
    for constant in map(frozenset, sets):
        if list(marshal.loads(marshal.dumps(constant))) != list(constant):
            return "a set that is written out in it would be in another order"
    return ""
