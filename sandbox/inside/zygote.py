"""A process that waits in a sandbox and forks sandboxes, each as if no bot had run in it.

It is started once, which takes python3 and bubblewrap some time, and serves for many sandboxes. No
bot's program runs in it or ever reports to it: whatever a sandbox learns goes to the referee and
ends with the sandbox. So no sandbox can know what happened in an earlier one.
"""

# Without pathlib, which would double the start of a sandbox:
# ruff: noqa: PTH103, PTH120, SIM105

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import os
import select

from card_arena.sandbox.inside import accounting, namespaces
from card_arena.sandbox.inside import pilot_protocol as protocol
from card_arena.sandbox.inside.build_worker import BuildWorker
from card_arena.sandbox.inside.packed_files import copy_out, entries
from card_arena.sandbox.inside.pilot import Pilot
from card_arena.sandbox.inside.proc_files import PROCESSES
from card_arena.sandbox.inside.zygote_compiler import NotForkable, afresh, become_zygote

FILES, FILES_OF_A_BUILD = 4096, 65536
"""The most files in /tmp of a bot's sandbox, and in each of the two folders of a build."""


class Zygote:
    """Waits for the referee's orders and forks a sandbox for each.

    `control` is the number of an inherited socket; `laid_out` says that a bot's files are there.
    """

    def __init__(self, control: int, *, laid_out: bool = False) -> None:
        self.control = _socket.socket(fileno=protocol.settle(control))
        self.inbox = memoryview(bytearray(protocol.LONGEST_REQUEST))
        self.own_processes = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self.counter = namespaces.process_counter()
        namespaces.go_first()
        self.mounted = [namespaces.BOT] if laid_out else []
        self.scratch = -1
        self.scratch_size = 0, 0
        self.poll = select.poll()
        self.poll.register(self.control, select.POLLIN)
        self.prepared = False

    def wait(self) -> tuple[protocol.ZygoteRequest, int, int, int]:
        """Serve until the referee hangs up; return in the first process of each new sandbox.

        Returns the request and three descriptors for the sandbox's pilot: its control socket, the
        counter of its processes, and the socket by which it gets a new /tmp.
        """
        _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)  # the kernel reaps what was a sandbox
        while True:
            ready = [descriptor for descriptor, _ in self.poll.poll()]
            if self.scratch in ready:
                self.renew_scratch()
            if self.control.fileno() not in ready:
                continue
            size, attached = protocol.received(self.control, self.inbox)
            message = bytes(self.inbox[:size])
            if message == protocol.CLEAR:
                self.clear()
                self.control.send(protocol.DONE)
            elif message.startswith(protocol.FORK):
                sandbox_request = protocol.ZygoteRequest.read(message)
                scratch = self.sandbox(sandbox_request, attached[0], attached[1:])
                if scratch >= 0:
                    return sandbox_request, attached[0], self.counter, scratch
            else:
                os._exit(0)
            for descriptor in attached:
                os.close(descriptor)

    def sandbox(
        self, request: protocol.ZygoteRequest, control: int, content: tuple[int, ...]
    ) -> int:
        """Fork a sandbox; return its pilot's socket for a new /tmp there, and -1 in the zygote.

        Where that can't be, the referee is told.
        """
        self.hang_up()
        try:
            if not self.prepared:
                namespaces.prepare()
                accounting.process_folder = PROCESSES
                self.prepared = True
            if request.fresh:
                self.lay_out(request, content)
            files = FILES_OF_A_BUILD if request.kind == protocol.BUILD else FILES
            self.scratch_size = request.spec.files, files
            self.unmount(namespaces.SCRATCH)
            ends = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
            self.scratch, scratch = (end.detach() for end in ends)
            self.poll.register(self.scratch, select.POLLIN)
            if namespaces.fork_inside(self.own_processes):
                os.close(scratch)
                return -1
        except OSError as error:
            refuse(control, error)
            return -1
        self.move_in(control)
        self.control.detach()  # the pilot closes it
        return scratch

    def move_in(self, control: int) -> None:
        """Make a sandbox around this process; on failure, tell the referee and end."""
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        try:
            namespaces.enter()
            os.chdir(namespaces.BOT)
            namespaces.keep_capabilities(namespaces.KEPT)
        except OSError as error:
            refuse(control, error)
            os._exit(1)

    def lay_out(self, request: protocol.ZygoteRequest, content: tuple[int, ...]) -> None:
        """Put an empty file system where bots lie, and the bot's files into it, if it has any.

        The files exist only there, so that notes hidden in them for the next game disappear with
        it.
        """
        self.unmount(namespaces.BOT)
        self.mounted.append(namespaces.BOT)
        if content:
            write_out(content[0])
        else:
            namespaces.mount_scratch(namespaces.BOT, 2 * request.spec.files, FILES_OF_A_BUILD)

    def renew_scratch(self) -> None:
        """Mount an empty /tmp for the sandbox's pilot, if it still runs, and tell it."""
        try:
            os.read(self.scratch, 1)
            self.unmount(namespaces.SCRATCH)
            namespaces.mount_scratch(namespaces.SCRATCH, *self.scratch_size)
            self.mounted.append(namespaces.SCRATCH)
            os.write(self.scratch, protocol.DONE)
        except OSError:
            self.hang_up()

    def hang_up(self) -> None:
        if self.scratch >= 0:
            self.poll.unregister(self.scratch)
            os.close(self.scratch)
            self.scratch = -1

    def clear(self) -> None:
        """Remove all files of the last sandbox, and with them what its group is charged for."""
        self.hang_up()
        for target in (namespaces.BOT, namespaces.SCRATCH):
            self.unmount(target)

    def unmount(self, target: str) -> None:
        if target in self.mounted:
            os.chdir("/")
            namespaces.detach(target)
            self.mounted.remove(target)


def write_out(content: int) -> None:
    """Mount a file system for a bot and put its files there, as `packed_files.pack` wrote them."""
    namespaces.mount_fixed(namespaces.BOT)
    folders = {namespaces.BOT}
    for name, executable, place, length in entries(content):
        path = f"{namespaces.BOT}/{name}"
        folder = os.path.dirname(path)
        if folder not in folders:
            os.makedirs(folder, exist_ok=True)
            folders.add(folder)
        copy_out(content, place, length, path, 0o755 if executable else 0o644)
    namespaces.close_to_writers(namespaces.BOT)


def refuse(control: int, error: OSError) -> None:
    """Tell the referee why there is no sandbox."""
    channel = _socket.socket(fileno=control)
    try:
        channel.send(protocol.REFUSAL + str(error).encode(errors="replace")[:1000])
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
        serve_sandboxes(Zygote(int(control)))
    content, *command = rest
    protocol.close_all_but(int(control), int(content))
    write_out(int(content))
    os.close(int(content))
    os.chdir(namespaces.BOT)
    os.environ.pop("PWD", None)  # bubblewrap's, of another folder
    try:
        become_zygote(command, [protocol.ZYGOTE, control, *command])
    except (NotForkable, OSError) as reason:
        serve_sandboxes(Zygote(int(control), laid_out=True), afresh(reason))


def serve_sandboxes(zygote: Zygote, how_started: str = "") -> None:
    """Fork sandboxes in which a bot's program is started from its file, or built; never return."""
    request, *inside = zygote.wait()
    if request.kind == protocol.BUILD:
        BuildWorker(request.spec, *inside).serve()
    else:
        pilot = Pilot(request.spec, *inside)
        pilot.environment = request.environment
        pilot.serve(how_started)
    os._exit(0)
