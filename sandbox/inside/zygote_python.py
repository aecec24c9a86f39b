"""A pilot that forks its bots: the interpreter that they run in is started once for a box.

`sandbox.inside.zygote_compiler` makes the bot's main file call `serve`, which comes back in forks
only. The pilot imports modules of Python's own and runs nothing of the bot's, so that every fork
begins alike.

A fork has a copy of the pilot's memory, and a bot may search its own. So what was asked and
answered before must not be there: it is held in a few buffers that are overwritten after every
question, and never becomes an object of Python's, whose place in memory nobody knows.
"""

# Without pathlib and contextlib, which would add to the start of a box:
# ruff: noqa: PTH109, PTH118, PTH120, PTH208

from __future__ import annotations

import _ctypes
import _signal  # type: ignore[import-not-found]
import gc
import marshal
import os
import struct
import sys
from _frozen_importlib_external import SourceFileLoader
from io import TextIOWrapper

from sandbox.inside import pilot_protocol
from sandbox.inside.hardening import PR_SET_DUMPABLE, prctl
from sandbox.inside.output_capture import CHUNK, Ears
from sandbox.inside.pilot import FIRST_PRIVATE_FD, NOTHING, Pilot, connected
from sandbox.inside.pilot_protocol import LONGEST_REQUEST, PILOT, RUN, TAIL, Terms
from sandbox.inside.zygote import Zygote, serve_cold
from sandbox.inside.zygote_compiler import afresh
from sandbox.inside.zygote_exit import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would add to the start of a box
    from typing import Any, TextIO

Imports = tuple[tuple[str, tuple[str, ...]], ...]
"""Modules, each with the names that are taken from it."""
Constants = tuple[tuple[str | bytes | int | None, ...], ...]

MANNER = "forked from a warm interpreter"
MOST_PRIVATE = 160
MOST_WARMING = 3
"""Seconds for imports: a source can name ten thousand that fail slowly, and nobody's clock runs."""
CAPABILITIES, NO_CAPABILITIES = struct.pack("II", 0x20080522, 0), bytes(24)
"""The header and the data of capset(2), version 3."""


class Forked(BaseException):
    """We are the fork: what the bot is asked, and the pipes that are its streams.

    `source` is where it reads its questions, if it plays a game.
    """

    def __init__(self, words: list[str], source: int | None, out: int, errors: int) -> None:
        super().__init__()
        self.words = words
        self.source = source
        self.out = out
        self.errors = errors


class TooSlow(BaseException):
    """Importing beforehand takes too long; not an error that a module would handle."""


def too_slow(*_: object) -> None:
    """End the importing."""
    raise TooSlow


class Buffer:
    """Memory that is used again and again, and forgets when it is told to."""

    def __init__(self, size: int) -> None:
        self.content = bytearray(size)
        self.view = memoryview(self.content)
        self.blank = memoryview(bytes(size))
        self.size = 0
        self.used = 0

    def read(self, descriptor: int) -> int:
        """Read a chunk behind what is there; tell how long it was."""
        count = os.readv(descriptor, [self.view[self.size : self.size + CHUNK]])
        self.size += count
        self.used = max(self.used, self.size)
        return count

    def forget(self) -> None:
        """Overwrite all that was ever here."""
        self.view[: self.used] = self.blank[: self.used]
        self.size = self.used = 0


class ForgetfulEars(Ears):
    """What a bot says, in memory that is overwritten before the next one is forked."""

    def __init__(self, out: int, errors: int, terms: Terms, said: Buffer, warned: Buffer) -> None:
        super().__init__(out, errors, terms)
        self.said = said
        self.warned = warned

    def hear(self, descriptor: int) -> None:
        """Read what lies in one of the pipes."""
        buffer = self.said if descriptor == self.out else self.warned
        if not buffer.read(descriptor):
            self.poll.unregister(descriptor)
            self.open.remove(descriptor)
        elif buffer is self.warned and buffer.size > TAIL:
            buffer.view[:TAIL] = buffer.view[buffer.size - TAIL : buffer.size]
            buffer.size = TAIL

    def flooded(self) -> bool:
        """Tell whether there is more than may be, in all or in the first line."""
        size, longest = self.said.size, self.terms.line
        endless = size > longest + 1 and self.said.content.find(b"\n", 0, longest + 2) < 0
        return endless or size > self.terms.output

    def answer(self) -> memoryview | None:
        """The first line, whole only where nothing flooded."""
        size = self.said.size
        end = self.said.content.find(b"\n", 0, size)
        return (
            self.said.view[: min(size if end < 0 else end, self.terms.line + 2)] if size else None
        )

    def complaints(self) -> memoryview:
        """The end of what was written on standard error."""
        return self.warned.view[: self.warned.size]


class WarmPilot(Pilot):
    """A pilot that forks itself for a question or a game, and is the bot's interpreter there."""

    def __init__(self, terms: Terms, control: int, counter: int = -1) -> None:
        super().__init__(terms, control, counter)
        self.manner = MANNER
        self.asked = 0
        self.blank = memoryview(bytes(LONGEST_REQUEST))
        self.said = Buffer(terms.output + CHUNK)
        self.warned = Buffer(TAIL + CHUNK)

    def receive(self) -> tuple[bytes | memoryview, tuple[int, ...]]:
        """Wait for a request; a question stays where it is, for the fork to read."""
        self.asked, descriptors = self.listen()
        request = self.inbox[: self.asked]
        return request if request[:1] == RUN else bytes(request), descriptors

    def reply(self, ending: pilot_protocol.Ending) -> None:
        """Send how a process ended, and forget all about it."""
        super().reply(ending)
        self.inbox[: self.asked] = self.blank[: self.asked]
        self.said.forget()
        self.warned.forget()

    def ears(self, out: int, errors: int) -> Ears:
        """Listen to the fork."""
        return ForgetfulEars(out, errors, self.terms, self.said, self.warned)

    def begin(self, words: bytes | memoryview, out: int, errors: int) -> None:
        """Fork for one question; raises `Forked` in the fork, `OSError` where there can be none."""
        self.fork(words, None, out, errors)

    def begin_game(self, source: int, out: int, errors: int) -> None:
        """Fork for a game, in which a bot is started without words; raises as `begin` does."""
        self.fork(b"", source, out, errors)

    def fork(self, words: bytes | memoryview, source: int | None, out: int, errors: int) -> None:
        """Fork with these streams; the words become objects of Python's in the fork only."""
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
            asked = list(map(os.fsdecode, bytes(words).split(b"\0")[:-1]))
            raise Forked(asked, source, out, errors)


class Guise:
    """What an interpreter looks like that was started with a bot's command and a question's words.

    It is made in the pilot, so that there is little left to do in the fork.
    """

    def __init__(self, command: list[str], *, boxed: bool) -> None:
        self.boxed = boxed
        self.command = command
        self.script = command[-1]
        name = os.path.join(os.getcwd(), self.script)
        self.main = vars(sys.modules["__main__"])
        loader = SourceFileLoader("__main__", name)
        self.names = {**self.main, "__file__": name, "__loader__": loader}
        self.folder = os.path.dirname(os.path.realpath(self.script))
        self.ours = [name for name in sys.modules if name.partition(".")[0] == "sandbox"]
        self.capset = _ctypes.dlsym(_ctypes.dlopen("", 0), "capset")

    def put_on(self, forked: Forked) -> None:
        """Take off what is the pilot's: descriptors, signals, powers, modules; look like a bot."""
        os.setsid()
        if forked.source is None:
            # opened anew: flags of one that all questions share would tell of the one before
            os.dup2(os.open(NOTHING, os.O_RDONLY), 0)
        else:
            os.dup2(forked.source, 0)
            sys.stdin = sys.__stdin__ = standard_input(sys.stdin)  # type: ignore[assignment, misc]
        os.dup2(forked.out, 1)
        os.dup2(forked.errors, 2)
        os.closerange(3, FIRST_PRIVATE_FD + MOST_PRIVATE)
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        if self.boxed:
            _ctypes.call_function(self.capset, (CAPABILITIES, NO_CAPABILITIES))
        prctl(PR_SET_DUMPABLE, 1)
        for module in self.ours:
            del sys.modules[module]
        self.main.update(self.names)
        sys.path[0] = self.folder
        sys.argv[:] = [self.script, *forked.words]
        sys.orig_argv[:] = [*self.command, *forked.words]
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


def serve(modules: Imports, sets: Constants) -> Ending:
    """Import these modules of Python's, serve the referee, and come back as a bot's process.

    The bot's main file runs in a `with` of what is handed back. `sets` are constants in it. The
    program's words say as what it serves: as a `PILOT`, with the words of one, or else as a zygote,
    with the number of its control socket and the bot's command.
    """
    role, control, *words = sys.argv[1:]
    alone = role == PILOT
    command = Terms(words).command if alone else words
    reason = changed_order(sets) or warm_up(modules, allowed=(sys.argv[0], control))
    if reason:
        serve_afresh(alone, control, words, afresh(reason))
    zygote = None if alone else Zygote(int(control), laid_out=True)
    guise, ending = Guise(command, boxed=os.getpid() == 1), Ending()
    sys.path_importer_cache.clear()
    # What is frozen is no garbage ever. The bot's names will be: an empty dict is not frozen.
    guise.main.clear()
    gc.disable()
    gc.collect()
    gc.freeze()
    if zygote:
        order, inside, counter = zygote.wait()
        pilot = WarmPilot(order.terms, inside, counter)
    else:
        pilot = WarmPilot(Terms(words), connected(control))
    try:
        pilot.serve()
    except Forked as forked:
        guise.put_on(forked)
        ending.kept = pilot
        return ending
    os._exit(0)


def serve_afresh(alone: bool, control: str, words: list[str], manner: str) -> None:
    """Serve by starting the bot's program anew every time, and never come back."""
    if alone:
        pilot = Pilot(Terms(words), connected(control))
        pilot.manner = manner
        pilot.serve()
    else:
        serve_cold(Zygote(int(control), laid_out=True), manner)
    os._exit(0)


def warm_up(modules: Imports, allowed: tuple[str, ...]) -> str:
    """Import what bots will need; say why this interpreter can't be forked, if it can't.

    `allowed` are files that may be open besides the standard streams, by their last names.
    """
    _signal.signal(_signal.SIGALRM, too_slow)
    _signal.setitimer(_signal.ITIMER_REAL, MOST_WARMING)
    try:
        for name, wanted in modules:
            try:
                __import__(name, None, None, wanted)
            except ImportError:
                pass  # the bot will see to it
            except Exception as error:
                return f"{name} can't be imported beforehand ({error})"
    except TooSlow:
        return f"importing beforehand what it names takes more than {MOST_WARMING} s"
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
    """Say that a set does not come out of a `.pyc` in the order that it has in a source."""
    for each in map(frozenset, sets):
        if list(marshal.loads(marshal.dumps(each))) != list(each):
            return "a set that is written out in it would be in another order"
    return ""
