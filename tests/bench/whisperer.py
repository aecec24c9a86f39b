"""A bot that whispers, and one that listens: run in sandboxes by `card_arena.tests.bench.whispers`.

A line is a task, `CHANNEL rest`, `CHANNEL ready`, `CHANNEL send BITS` or `CHANNEL hear COUNT`, and
then PLACE, a large file that both sandboxes have, and a NUMBER that no round before had. `largest`
asks for the PLACE. What was heard is printed as bits; what a bot is refused, as an empty line.
"""

from __future__ import annotations

import _thread
import ctypes
import mmap
import os
import signal
import struct
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

LIBC = ctypes.CDLL(None, use_errno=True)
X86 = os.uname().machine == "x86_64"
IO_SETUP, IO_DESTROY = (206, 207) if X86 else (0, 1)
FUTEX, SET_TID_ADDRESS, EXIT = (202, 218, 60) if X86 else (98, 96, 93)
OPENAT2, ONLY_KNOWN, HERE = 437, 0x20, -100
KIB, MIB = 1024, 1024 * 1024
FAR, NEAR = 256 * KIB, 64 * KIB
"""Between two pages of a file of which neither is read, or mapped, because the other is."""
SLOW = 15_000
"""Nanoseconds that no page takes that is in memory."""
EXCLUSIVE = 1 << 56
EVENTS, MANY = 60_000, 128
SLOT = 0.01

Bits = list[int]


def bits_of(number: int, count: int) -> Bits:
    """A number as so many bits, the nearest that there is."""
    return [int(digit) for digit in f"{max(0, min(number, 2**count - 1)):0{count}b}"]


def number_of(bits: Sequence[int]) -> int:
    """And back."""
    return int("".join(map(str, bits)), 2)


def asked(number: int, *arguments: object) -> int:
    """Ask the kernel; raises `OSError`."""
    done: int = LIBC.syscall(number, *arguments)
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done


def timed(act: Callable[[], object]) -> int:
    """Nanoseconds that it takes."""
    begun = time.perf_counter_ns()
    act()
    return time.perf_counter_ns() - begun


class Channel:
    """One way to whisper, in rounds: both are told the place and the number of each."""

    place: str
    number: int

    def rest(self) -> None:
        """Let go, as the sender, of what the last round's bits were made of."""

    def ready(self) -> None:
        """Look, as the listener, how things are before anything is sent."""

    def send(self, bits: Bits) -> None:
        """Whisper."""
        raise NotImplementedError

    def hear(self, count: int) -> Bits:
        """Listen."""
        raise NotImplementedError

    def offsets(self, count: int, stride: int) -> list[int]:
        """Where in the file this round's pages lie."""
        rounds = max(1, Path(self.place).stat().st_size // stride // count)
        first = self.number % rounds * count
        return [(first + index) * stride for index in range(count)]


class Pages(Channel):
    """Which pages of a system's file are in memory, by how long it takes to read them."""

    def send(self, bits: Bits) -> None:
        file = os.open(self.place, os.O_RDONLY)
        for bit, offset in zip(bits, self.offsets(len(bits), FAR), strict=True):
            if bit:
                os.pread(file, 1, offset)
        os.close(file)

    def hear(self, count: int) -> Bits:
        file = os.open(self.place, os.O_RDONLY)
        heard = [self.there(file, offset) for offset in self.offsets(count, FAR)]
        os.close(file)
        return heard

    def there(self, file: int, offset: int) -> int:
        """Tell whether a page is in memory."""
        return int(timed(lambda: os.pread(file, 1, offset)) < SLOW)


class PagesAsked(Pages):
    """The same, by a read that does not wait for the disk."""

    def there(self, file: int, offset: int) -> int:
        try:
            return os.preadv(file, [bytearray(1)], offset, os.RWF_NOWAIT)
        except BlockingIOError:
            return 0


class Mapped(Channel):
    """Which pages of a system's file another process has mapped."""

    pages: mmap.mmap

    def map(self) -> mmap.mmap:
        """Map the file, and none of its pages yet."""
        with Path(self.place).open("rb") as file:
            return mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ)

    def send(self, bits: Bits) -> None:
        self.pages = self.map()
        for bit, offset in zip(bits, self.offsets(len(bits), NEAR), strict=True):
            if bit:
                self.pages[offset]

    def hear(self, count: int) -> Bits:
        pages = self.map()
        maps = Path("/proc/self/maps").read_text().splitlines()
        first = min(int(line.partition("-")[0], 16) for line in maps if line.endswith(self.place))
        heard = []
        with Path("/proc/self/pagemap").open("rb", buffering=0) as table:
            for offset in self.offsets(count, NEAR):
                pages[offset]
                entry = os.pread(table.fileno(), 8, (first + offset) // mmap.PAGESIZE * 8)
                heard.append(int(not struct.unpack("Q", entry)[0] & EXCLUSIVE))
        pages.close()
        return heard


class Marks(Channel):
    """Which pages of a system's file are marked as often used, as each process's maps tell."""

    def send(self, bits: Bits) -> None:
        file = os.open(self.place, os.O_RDONLY)
        for _ in range(4):  # a page that is read twice without another between is not marked
            for bit, offset in zip(bits, self.offsets(len(bits), FAR), strict=True):
                if bit:
                    os.pread(file, 1, offset)
        os.close(file)

    def hear(self, count: int) -> Bits:
        LIBC.mmap.restype = ctypes.c_void_p
        file = os.open(self.place, os.O_RDONLY)
        pages = []
        for offset in self.offsets(count, FAR):
            address = LIBC.mmap(None, ctypes.c_size_t(4096), 1, 1, file, ctypes.c_long(offset))
            ctypes.c_byte.from_address(address).value  # noqa: B018 - so that it is mapped
            pages.append(f"{address:x}")
        os.close(file)
        lines = Path("/proc/self/numa_maps").read_text().splitlines()
        marked = {line.partition(" ")[0]: "active=0" not in line for line in lines}
        return [int(marked[page]) for page in pages]


class Names(Channel):
    """Which names are known not to be there, by how long it takes to look for them."""

    def names(self, count: int) -> list[str]:
        """Names that nobody else has looked for."""
        return [f"/usr/lib/card-arena-{self.number}-{index}" for index in range(count)]

    def send(self, bits: Bits) -> None:
        for bit, name in zip(bits, self.names(len(bits)), strict=True):
            if bit:
                os.access(name, os.F_OK)

    def hear(self, count: int) -> Bits:
        own = [f"/usr/lib/card-arena-{self.number}-own-{index}" for index in range(64)]
        new, known = (median(timed(lambda n=n: os.access(n, 0)) for n in own) for _ in range(2))
        middle = (new + known) / 2
        return [int(timed(lambda n=n: os.access(n, 0)) < middle) for n in self.names(count)]


class NamesAsked(Names):
    """The same, by looking only among what is known."""

    def hear(self, count: int) -> Bits:
        how = struct.pack("QQQ", os.O_RDONLY, 0, ONLY_KNOWN)
        heard = []
        for name in self.names(count):
            try:
                asked(OPENAT2, HERE, name.encode(), how, len(how))
            except FileNotFoundError:
                heard.append(1)
            except BlockingIOError:
                heard.append(0)
        return heard


class Count(Channel):
    """A number that grows for the whole machine; others make it grow, too, so steps are large."""

    step = 1
    before = 0

    def read(self) -> int:
        """The number as it is."""
        raise NotImplementedError

    def grow(self) -> None:
        """Make it grow by one."""
        raise NotImplementedError

    def ready(self) -> None:
        self.before = self.read()

    def send(self, bits: Bits) -> None:
        for _ in range(number_of(bits) * self.step):
            self.grow()

    def hear(self, count: int) -> Bits:
        return bits_of((self.read() - self.before) // self.step, count)


class Pipes(Count):
    """The numbers of pipes, which each processor gives out in a row."""

    step = 64

    def read(self) -> int:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        ends = os.pipe()
        found = os.fstat(ends[0]).st_ino
        for end in ends:
            os.close(end)
        return found

    def grow(self) -> None:
        for end in os.pipe():
            os.close(end)

    def send(self, bits: Bits) -> None:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        super().send(bits)


class Shared(Count):
    """The numbers of memory that processes share, which each processor gives out in a row."""

    step = 4

    def read(self) -> int:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        with Path("/dev/zero").open("r+b") as zero, mmap.mmap(zero.fileno(), 4096):
            lines = Path("/proc/self/maps").read_text().splitlines()
        return max(int(line.split()[4]) for line in lines if "/dev/zero" in line)

    def grow(self) -> None:
        with Path("/dev/zero").open("r+b") as zero:
            mmap.mmap(zero.fileno(), 4096).close()

    def send(self, bits: Bits) -> None:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        super().send(bits)


class Handles(Count):
    """The numbers of handles on processes: how many processes there have ever been."""

    step = 8

    def read(self) -> int:
        child = os.fork()
        if child == 0:
            signal.pause()
        try:
            handle = os.pidfd_open(child)
            found = os.fstat(handle).st_ino
            os.close(handle)
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        return found

    def grow(self) -> None:
        ended = _thread.allocate_lock()
        ended.acquire()
        _thread.start_new_thread(ended.release, ())
        ended.acquire()


class Sessions(Count):
    """The numbers of sessions: how many have ever begun."""

    step = 8

    def read(self) -> int:
        ear, mouth = os.pipe()
        if os.fork() == 0:
            os.setsid()
            try:
                os.write(mouth, Path("/proc/self/autogroup").read_bytes())
            finally:
                os._exit(0)
        os.wait()
        os.close(mouth)
        text = os.read(ear, 100).decode()
        os.close(ear)
        if not text:
            raise OSError("no session has a number")
        return int(text.partition("-")[2].partition(" ")[0])

    def grow(self) -> None:
        if os.fork() == 0:
            os.setsid()
            os._exit(0)
        os.wait()


class Crowd(Count):
    """How many processes there are now."""

    step = 4
    children: tuple[int, ...] = ()

    def read(self) -> int:
        told = ctypes.create_string_buffer(128)
        if LIBC.sysinfo(told):
            raise OSError(ctypes.get_errno(), "sysinfo")
        return int(struct.unpack_from("lLLLLLLLLLH", told)[-1])

    def rest(self) -> None:
        for child in self.children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        self.children = ()

    def ready(self) -> None:
        self.before = self.read() - self.step // 2

    def send(self, bits: Bits) -> None:
        for _ in range(number_of(bits) * self.step):
            child = os.fork()
            if child == 0:
                signal.pause()
            self.children += (child,)


class Memory(Count):
    """How much memory all programs together have been promised."""

    step = 1024
    held: mmap.mmap | None = None

    def read(self) -> int:
        text = Path("/proc/meminfo").read_text()
        return int(text.partition("Committed_AS:")[2].split()[0])

    def rest(self) -> None:
        if self.held:
            self.held.close()
        self.held = None

    def ready(self) -> None:
        self.before = self.read() - self.step // 2

    def send(self, bits: Bits) -> None:
        self.held = mmap.mmap(-1, MIB * (number_of(bits) + 1), mmap.MAP_PRIVATE)

    def hear(self, count: int) -> Bits:
        self.before += self.step
        return super().hear(count)


class Events(Channel):
    """Whether the machine's events for asynchronous reading are all taken."""

    context = ctypes.c_ulong()

    def rest(self) -> None:
        if self.context.value:
            asked(IO_DESTROY, self.context)
        self.context = ctypes.c_ulong()

    def send(self, bits: Bits) -> None:
        if bits[0]:
            asked(IO_SETUP, EVENTS, ctypes.byref(self.context))

    def hear(self, count: int) -> Bits:
        context = ctypes.c_ulong()
        try:
            asked(IO_SETUP, EVENTS // 2, ctypes.byref(context))
        except BlockingIOError:
            return [1]
        asked(IO_DESTROY, context)
        return [0]


class Counters(Channel):
    """The numbers of counting descriptors, of which each new one gets the lowest that is free."""

    first: tuple[int, ...]
    held: tuple[int, ...] = ()

    def made(self, count: int) -> dict[int, int]:
        """New descriptors, by their numbers."""
        found = {}
        for _ in range(count):
            event = os.eventfd(0)
            text = Path(f"/proc/self/fdinfo/{event}").read_text()
            found[int(text.partition("eventfd-id:")[2].split()[0])] = event
        return dict(sorted(found.items()))

    def rest(self) -> None:
        for event in self.held:
            os.close(event)
        self.held = ()

    def send(self, bits: Bits) -> None:
        for bit, event in zip(bits, self.made(len(bits)).values(), strict=True):
            if bit:
                self.held += (event,)
            else:
                os.close(event)

    def seen(self, count: int) -> tuple[int, ...]:
        """The numbers that are free."""
        found = self.made(count)
        for event in found.values():
            os.close(event)
        return tuple(found)

    def ready(self) -> None:
        self.first = self.seen(MANY)

    def hear(self, count: int) -> Bits:
        free = self.seen(count)
        return [int(number not in free) for number in self.first[:count]]


class Cache(Channel):
    """Whether the processor's caches hold other memory than before, by how long one's own takes."""

    own = bytes(range(256)) * (4 * KIB)
    others = bytes(64 * MIB)

    def ready(self) -> None:
        for _ in range(3):
            zlib.adler32(self.own)
        self.quick = min(timed(lambda: zlib.adler32(self.own)) for _ in range(5))

    def send(self, bits: Bits) -> None:
        if bits[0]:
            zlib.adler32(self.others)

    def hear(self, count: int) -> Bits:
        return [int(timed(lambda: zlib.adler32(self.own)) > 1.15 * self.quick)]


class Core(Channel):
    """Whether the other one computes at this moment, by how far one gets oneself."""

    def slots(self, count: int) -> list[float]:
        """When each bit's time ends: the first begins soon, by a clock that both have."""
        begin = (time.clock_gettime(time.CLOCK_MONOTONIC) // 0.1 + 2) * 0.1
        return [begin + index * SLOT for index in range(count + 1)]

    def wait(self, moment: float) -> None:
        """Sleep till then."""
        time.sleep(max(0.0, moment - time.clock_gettime(time.CLOCK_MONOTONIC)))

    def send(self, bits: Bits) -> None:
        begin, *ends = self.slots(len(bits))
        self.wait(begin)
        for bit, end in zip(bits, ends, strict=True):
            while bit and time.clock_gettime(time.CLOCK_MONOTONIC) < end:
                pass
            self.wait(end)

    def hear(self, count: int) -> Bits:
        begin, *ends = self.slots(count)
        self.wait(begin)
        counts = []
        for end in ends:
            counted = 0
            while time.clock_gettime(time.CLOCK_MONOTONIC) < end:
                counted += 1
            counts.append(counted)
        middle = (max(counts) + min(counts)) / 2
        return [int(counted < middle) for counted in counts]


class Bell(Core):
    """A page that both have mapped, where the end of one's thread wakes who waits for it."""

    def word(self) -> ctypes.c_void_p:
        """The address of the page."""
        LIBC.mmap.restype = ctypes.c_void_p
        file = os.open(self.place, os.O_RDONLY)
        address = LIBC.mmap(None, ctypes.c_size_t(4096), 1, 1, file, ctypes.c_long(0))
        os.close(file)
        return ctypes.c_void_p(address)

    def ring(self, word: ctypes.c_void_p) -> None:
        """Be a thread, and end."""
        LIBC.syscall(SET_TID_ADDRESS, word)
        LIBC.syscall(EXIT, 0)

    def send(self, bits: Bits) -> None:
        word = self.word()
        begin, *ends = self.slots(len(bits))
        self.wait(begin)
        for bit, end in zip(bits, ends, strict=True):
            self.wait(end - SLOT / 2)
            if bit and os.fork() == 0:
                _thread.start_new_thread(self.ring, (word,))
                time.sleep(SLOT)
                os._exit(0)
            self.wait(end)

    def hear(self, count: int) -> Bits:
        word = self.word()
        assert word.value is not None
        value = ctypes.c_uint32.from_address(word.value).value
        begin, *ends = self.slots(count)
        self.wait(begin)
        heard = []
        for end in ends:
            left = max(0.0, end - time.clock_gettime(time.CLOCK_MONOTONIC))
            rest = struct.pack("qq", 0, int(left * 1e9))
            heard.append(int(LIBC.syscall(FUTEX, word, 0, value, rest) == 0))
            self.wait(end)
        return heard


CHANNELS: dict[str, Channel] = {
    kind.__name__: kind()
    for kind in (
        *(Pages, PagesAsked, Mapped, Marks, Names, NamesAsked, Pipes, Shared, Handles, Sessions),
        *(Crowd, Memory, Events, Counters, Cache, Core, Bell),
    )
}


def largest() -> str:
    """The largest file of the system's."""
    paths = (path for path in Path("/usr").rglob("*") if not path.is_symlink() and path.is_file())
    return max((path.stat().st_size, str(path)) for path in paths if os.access(path, os.R_OK))[1]


def done(words: Sequence[str]) -> str:
    """What comes of a task."""
    if words[0] == "largest":
        return largest()
    name, task, *rest = words
    channel = CHANNELS[name]
    *what, channel.place, number = rest
    channel.number = int(number)
    try:
        if task in ("rest", "ready"):
            getattr(channel, task)()
            return task
        if task == "send":
            channel.send([int(bit) for bit in what[0]])
            return "sent"
        return "".join(map(str, channel.hear(int(what[0]))))
    except OSError as error:
        print(name, task, error, file=sys.stderr)
        return ""


if __name__ == "__main__":
    for line in sys.stdin:
        print(done(line.split()), flush=True)
