"""The build worker: the first process in the sandbox of a build, which runs its steps and packs up.

Files come in and go out as one stream of bytes, through descriptors that no step can reach: the
referee never opens a path that a stranger's build could have made.
"""

# Without pathlib, which would double the start of a sandbox:
# ruff: noqa: PTH103, PTH120

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from card_arena.sandbox.inside import pilot_protocol as protocol
from card_arena.sandbox.inside.accounting import (
    CPU_EVERY,
    CpuMeter,
    bot_processes,
    memory_meter,
    too_big,
)
from card_arena.sandbox.inside.packed_files import DEEPEST, copy_out, entries, pack
from card_arena.sandbox.inside.supervisor import Supervisor, find

PROGRAMS = (b"#!", b"\x7fELF")
CUT = b"\n[the rest of the log is cut]\n"
MOST_ENTRIES = 20_000
"""Files, folders, links and all else that is looked at before a build is refused."""
LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def pack_steps(steps: Iterable[Sequence[bytes]]) -> bytes:
    """Encode commands so that `unpack_steps` returns the same words, empty ones too."""
    words = [word for step in steps for word in (b"%d" % len(step), *step)]
    return b"".join(word + b"\0" for word in words)


def unpack_steps(packed: bytes) -> list[list[bytes]]:
    words = iter(packed.split(b"\0")[:-1])
    return [list(islice(words, int(count))) for count in words]


class Unfit(Exception):
    """A build left files that can't be accepted; the message says what."""


class BuildWorker(Supervisor):
    """One build: files in, steps, files out.

    The request names the seconds for everything and the steps, and brings a descriptor to read
    files from and one to write files to; a third one is where the log is written as well, while it
    grows.
    """

    def __init__(self, spec: protocol.SandboxSpec, *descriptors: int) -> None:
        super().__init__(spec, *descriptors)
        self.log = bytearray()
        self.live = -1

    def serve(self) -> None:
        self.greet()
        self.harden()
        if self.scratch >= 0:  # a zygote mounts /tmp
            os.write(self.scratch, protocol.RENEW)
            if os.read(self.scratch, 1) != protocol.DONE:
                sys.exit("the zygote has mounted no /tmp")
        body, (source, product, *live) = self.receive()
        self.live = live[0] if live else -1
        (seconds,) = protocol.DEADLINE_FIELD.unpack_from(body)
        steps = unpack_steps(bytes(body[protocol.DEADLINE_FIELD.size :]))
        self.lay_out(source)
        report = self.work(steps, time.monotonic() + seconds)
        if report.outcome == protocol.EXITED and report.code == 0:
            self.collect(product, report)
        report.errors = bytes(self.log)
        self.send(report.pack(self.refused.numbers, dirty=True))
        self.receive()  # the referee still reads this sandbox's usage

    def lay_out(self, source: int) -> None:
        """Write the files that came in; programs may be executed."""
        for name, _, place, length in entries(source):
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            begins = os.pread(source, min(length, 4), place)
            copy_out(source, place, length, name, 0o755 if begins.startswith(PROGRAMS) else 0o644)
        os.close(source)

    def work(self, steps: list[list[bytes]], deadline: float) -> protocol.ExitReport:
        """Run the steps in turn until one fails; `line` then says which."""
        total = protocol.ExitReport(protocol.EXITED, 0)
        for index, step in enumerate(steps):
            report = self.run(step, deadline, total.cpu)
            report.cpu = max(report.cpu, report.seen) + total.cpu
            total = report
            if report.outcome != protocol.EXITED or report.code:
                report.line = str(index).encode()
                break
        return total

    def run(self, command: list[bytes], deadline: float, cpu_before: float) -> protocol.ExitReport:
        """Run one step, and end everything that it started."""
        out, out_end = os.pipe()
        self.program = find(os.fsdecode(command[0]))
        report = protocol.ExitReport()
        try:
            self.spawn(command, None, out_end, os.dup(out_end))
        except OSError as error:
            os.close(out)
            return protocol.ExitReport(protocol.UNSTARTED, error.errno or 0)
        handle = os.pidfd_open(self.main)
        self.watch(handle, out, deadline, cpu_before, report)
        self.finish(report)
        self.main = 0
        os.close(handle)
        os.close(out)
        return report

    def watch(
        self, handle: int, out: int, deadline: float, cpu_before: float, report: protocol.ExitReport
    ) -> None:
        """Keep the log until the step ends or a limit is met."""
        poll = self.poll_of(out, handle)
        cpu, memory = CpuMeter(), memory_meter(self.spec)
        look = time.monotonic()
        while True:
            now = time.monotonic()
            if now >= deadline:
                report.outcome = protocol.DEADLINE
                return
            if now >= look:
                processes = bot_processes()
                report.seen = cpu.look(processes, report.cpu)
                if cpu_before + report.seen > self.spec.cpu:
                    report.outcome = protocol.CPU
                    return
                if memory and too_big(memory, processes, report):
                    return
                look = time.monotonic() + (memory.pause if memory else CPU_EVERY)
            pause = max(min(deadline, look) - time.monotonic(), 0.0)
            ready = [descriptor for descriptor, _ in poll.poll(pause * 1000)]
            if self.control.fileno() in ready:
                self.end_all(protocol.ExitReport())
                sys.exit(0)
            if self.refused.listener in ready:
                self.refused.answer()
            if out in ready:
                chunk = os.read(out, protocol.CHUNK)
                self.note(chunk)
                if not chunk:
                    poll.unregister(out)
            elif handle in ready:
                return

    def note(self, text: bytes) -> None:
        """Add to the log as far as there is room: the first error is the one that matters."""
        most = self.spec.output
        if len(self.log) < most:
            self.log += text
            if len(self.log) >= most:
                self.log[most - len(CUT) :] = CUT
            if self.live >= 0:
                begin = max(len(self.log) - len(text), 0)
                os.pwrite(self.live, self.log[begin:], begin)

    def collect(self, product: int, report: protocol.ExitReport) -> None:
        """Write out every regular file; links and special files stay behind.

        Anything unacceptable that a build left is its own failure, and never ours.
        """
        try:
            with open(product, "wb") as file:
                for part in pack(self.regular_files()):
                    file.write(part)
        except (Unfit, OSError, MemoryError) as error:
            reason = str(error) if isinstance(error, Unfit) else self.too_much()
            report.outcome, report.line = protocol.UNFIT, reason.encode()

    def too_much(self) -> str:
        return f"more than {self.spec.files >> 20} MiB of files"

    def regular_files(self) -> Iterator[tuple[str, bytes, bool]]:
        """Each regular file in the build's folder, never through a link; raises `Unfit`.

        Every folder is opened from the one above it, since a path may be longer than the kernel
        takes, and none by a call within a call, since folders may lie deeper than those can.
        """
        room, seen = self.spec.files, 0
        opened = [self.opened(".", "", None)]
        while opened:
            folder, prefix, waiting = opened[-1]
            if not waiting:
                os.close(folder)
                opened.pop()
                continue
            entry = waiting.pop()
            seen += 1
            if seen + sum(len(others) for _, _, others in opened) > MOST_ENTRIES:
                raise Unfit(f"more than {MOST_ENTRIES} files, folders and links")
            name = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if len(opened) > DEEPEST:
                    raise Unfit(f"folders nested deeper than {DEEPEST}")
                opened.append(self.opened(entry.name, name + "/", folder))
            elif entry.is_file(follow_symlinks=False):
                with open(look(entry.name, name, folder), "rb") as file:
                    status = os.fstat(file.fileno())
                    room -= status.st_size
                    if room < 0:
                        raise Unfit(self.too_much())
                    yield name, file.read(), bool(status.st_mode & stat.S_IXUSR)
            else:
                self.note(b"left out, not a regular file: " + os.fsencode(name) + b"\n")

    def opened(
        self, name: str, prefix: str, above: int | None
    ) -> tuple[int, str, list[os.DirEntry[str]]]:
        """Open a folder: its descriptor, the prefix of names in it, its entries in reverse."""
        folder = look(name, prefix or name, above)
        with os.scandir(folder) as scan:
            entries = list(islice(scan, MOST_ENTRIES + 1))
        return folder, prefix, sorted(entries, key=lambda entry: entry.name, reverse=True)


def look(name: str, path: str, folder: int | None) -> int:
    """Open an entry of a folder that a build left; raises `Unfit` if it can't be read."""
    try:
        return os.open(name, LOOK, dir_fd=folder)
    except OSError:
        raise Unfit(f"something that can't be read: {path!r:.80}") from None


def main(words: list[str]) -> None:
    """Do one build for the referee; the words are where it is reached, and `SandboxSpec`."""
    control, *spec = words
    BuildWorker(protocol.SandboxSpec(spec), protocol.connected(control)).serve()
