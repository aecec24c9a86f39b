"""A process that waits in a sandbox and forks boxes: each begins as if no bot had ever run in it.

It is started once, which takes python3 and bubblewrap some time, and serves for many boxes. No
bot's program runs in it or ever reports to it: whatever a box learns goes to the referee and ends
with the box. So no box can know what happened in an earlier one.
"""

# Without pathlib, which would double the start of a box:
# ruff: noqa: PTH103, PTH120, SIM105

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import os

from sandbox.inside import namespaces
from sandbox.inside.build_worker import BuildWorker, copy_out, entries
from sandbox.inside.control_socket import settle
from sandbox.inside.pilot import Pilot
from sandbox.inside.pilot_protocol import (
    BOX,
    BUILD,
    LONGEST_REQUEST,
    REFUSAL,
    ZYGOTE,
    Order,
    received,
)
from sandbox.inside.zygote_compiler import NotForkable, afresh, become_zygote

FILES, FILES_OF_A_BUILD = 4096, 65536
"""How many files /tmp can hold in a bot's box, and each of the two folders of a build."""
SPARE = 1 << 20
"""Bytes of room for what a bot's files take beside their pages."""
PAGE = 4096


class Zygote:
    """Waits for the referee's orders and forks a box for each.

    `control` is the number of an inherited socket; `laid_out` says that a bot's files are there.
    """

    def __init__(self, control: int, *, laid_out: bool = False) -> None:
        self.control = _socket.socket(fileno=settle(control))
        self.inbox = memoryview(bytearray(LONGEST_REQUEST))
        self.laid_out = laid_out

    def wait(self) -> tuple[Order, int, int]:
        """Serve until the referee hangs up; return in the first process of each new box.

        Gives what was ordered, the socket of the box's pilot, and the counter of its processes.
        """
        _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)  # the kernel reaps what was a box
        while True:
            size, attached = received(self.control, self.inbox)
            request = bytes(self.inbox[:size])
            if not request.startswith(BOX):
                os._exit(0)
            order = Order.read(request)
            control, content = attached[0], attached[1:]
            try:
                if order.fresh:
                    self.lay_out(order, content)
                inside = namespaces.fork_inside() == 0
            except OSError as error:
                refuse(control, error)
                inside = False
            if inside:
                self.control.close()
                return order, control, self.move_in(order, control)
            for descriptor in attached:
                os.close(descriptor)

    def move_in(self, order: Order, control: int) -> int:
        """Make a box around this process; where that can't be, the referee is told and it ends."""
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        building = order.kind == BUILD
        try:
            counter = namespaces.enter(order.terms.files, FILES_OF_A_BUILD if building else FILES)
            os.chdir(namespaces.BOT)
            namespaces.drop_power()
        except OSError as error:
            refuse(control, error)
            os._exit(1)
        return counter

    def lay_out(self, order: Order, content: tuple[int, ...]) -> None:
        """Put an empty file system where bots lie, and the bot's files into it, if it has any.

        The files exist only there, so that notes hidden in them for the next game disappear with
        it.
        """
        os.chdir("/")
        if self.laid_out:
            namespaces.detach(namespaces.BOT)
        self.laid_out = True
        if content:
            write_out(content[0])
        else:
            namespaces.mount_scratch(namespaces.BOT, 2 * order.terms.files, FILES_OF_A_BUILD)


def write_out(content: int) -> None:
    """Mount a file system for a bot and put its files there, as `build_worker.pack` wrote them."""
    files = list(entries(content))
    size = sum(-(-length // PAGE) * PAGE for _, _, _, length in files) + SPARE
    namespaces.mount_scratch(namespaces.BOT, size, FILES_OF_A_BUILD)
    made = {namespaces.BOT}
    for name, executable, place, length in files:
        path = f"{namespaces.BOT}/{name}"
        folder = os.path.dirname(path)
        if folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        copy_out(content, place, length, path, 0o755 if executable else 0o644)
    namespaces.close_to_writers(namespaces.BOT)


def refuse(control: int, error: OSError) -> None:
    """Tell the referee that there is no box, and why."""
    channel = _socket.socket(fileno=control)
    try:
        channel.send(REFUSAL + str(error).encode(errors="replace")[:1000])
    except OSError:
        pass  # it has hung up
    channel.detach()


def main(words: list[str]) -> None:
    """Wait for orders; the first word is the number of the control socket.

    The number of a file with a bot's files and the bot's command follow where it may be forked;
    the interpreter is then made ready for it.
    """
    control, *rest = words
    os.umask(0o022)
    if not rest:
        serve_boxes(Zygote(int(control)))
    content, *command = rest
    write_out(int(content))
    os.close(int(content))
    os.chdir(namespaces.BOT)
    os.environ.pop("PWD", None)  # bubblewrap's, of another folder
    try:
        become_zygote(command, [ZYGOTE, control, *command])
    except (NotForkable, OSError) as reason:
        serve_boxes(Zygote(int(control), laid_out=True), afresh(reason))


def serve_boxes(zygote: Zygote, how_started: str = "") -> None:
    """Fork boxes in which a bot's program is started from its file, or built; never come back."""
    order, inside, counter = zygote.wait()
    if order.kind == BUILD:
        BuildWorker(order.terms, inside, counter).serve()
    else:
        pilot = Pilot(order.terms, inside, counter)
        pilot.how_started = how_started
        pilot.environment = order.environment
        pilot.serve()
    os._exit(0)
