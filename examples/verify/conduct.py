"""How answers came about: the clock, what a program may use, and what each fault can be.

Times are microseconds. What a program did inside its sandbox can't be seen from outside; what is
checked is that the record agrees with itself and with the season's settings.
"""

import re
from collections import defaultdict
from types import SimpleNamespace

from basics import must

OVERRUNS = 2
"""How often a slightly late answer is taken in a game."""

SPARE, SPARE_EACH = 10, 0.02
"""Seconds that a sandbox may take beyond a bot's own time in a game, and for each answer."""

ENDED, UNASKED = "ended without an answer", "wrote a line that nobody asked for, after its last"
QUOTED = 80
"""The most characters of an answer that are quoted where its fault is explained."""

LATE = r"answered (\d+) ms over the (\S+) s that it has, for the (\d+)(..) time in the game"
CRASHED = (
    r"exited with code \d+|killed by signal \d+( \(\w+\))?|could not be started: .+"
    r"|closed its output"
)
"""How a program can have crashed."""

UNITS = {"ms": 0.001, "s": 1.0, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
ORDINAL = {1: "st", 2: "nd", 3: "rd"}

TRUSTED = (
    "how long answers took and how much they computed, as far as the limits allow it; how much"
    " memory was used",
    "that a program failed as its faults say: it gave no answer, or none in time, crashed, wrote"
    " too much or used too much memory; in which words a fault is explained",
    "which of several lines with the same effect a program wrote",
    "that the answers are those of the listed programs, whose files and standard error aren't here",
    "the leg, the round and the labels by which pages call a match",
    "the times of the ledger",
)
"""What rests on the organiser's word alone, in the file of a season in which nothing is wrong."""


class Conduct:
    """The clocks of a game's seats, turn by turn."""

    def __init__(self, settings):
        """`settings` are the season's: its clock and its limits."""
        clock, limits = settings["clock"], settings["limits"]
        self.question, self.start = (micro(number(clock[name])) for name in ("question", "start"))
        self.bank = None if clock["bank"] is None else number(clock["bank"])
        self.overrun = micro(number(clock["overrun"]))
        self.cpu = number(limits["cpu"]) + number(clock["overrun"])
        self.memory, self.line, self.output = (
            int(number(limits[name])) for name in ("memory", "line", "output")
        )
        self.seats = defaultdict(self.clock)

    def clock(self):
        """A seat's clock: what is left, whether its next answer may have the time of a start, how
        many answers were late at least and at most, and how many were asked for."""
        left = None if self.bank is None else micro(self.bank)
        return SimpleNamespace(left=left, cold=True, least=0, most=0, asked=0)

    def turn(self, where, seat, measured, answer, fault, meant, right):
        """Check an answer; `meant` is what it means by the rules, `right` whether that is allowed.

        `measured` are wall time, processor time and memory.
        """
        its, (wall, cpu, peak) = self.seats[seat], measured
        kind, detail = (fault["kind"], fault["detail"]) if fault else ("", "")
        for value in measured:
            must(type(value) is int and value >= 0, f"{where}: {value!r} was not measured")
        left = None if its.left is None else its.left // 1000 * 1000
        spans = {self.question, self.start} if its.cold else {self.question}
        spans = {span if left is None else min(span, left) for span in spans}
        used_up = f"has used up the {self.bank or 0:g} s that it has for a game"
        beyond = re.fullmatch(r"its sandbox took (\d+) s beyond its own time in this game", detail)
        if (left is not None and left <= 0) or beyond or detail == used_up:
            must(
                (kind, answer, measured) == ("timeout", None, [0, 0, 0])
                and (detail == used_up) == (left is not None and left <= 0)
                and (not beyond or int(beyond[1]) + 1 > SPARE + SPARE_EACH * its.asked),
                f"{where}: a seat whose time for the game is used up is not asked any more",
            )
            return
        its.asked += 1
        its.left = left and its.left - wall
        program = bool(fault) and not self.by_rules(where, kind, detail, answer, meant, right)
        if not program:
            self.in_time(where, its, max(spans), min(spans), wall)
        elif late := re.fullmatch(LATE, detail):
            program = self.late(where, its, spans, wall, kind, answer, late)
        else:
            whole = {round(span + self.overrun) for span in spans}
            can = self.can_be(kind, detail, answer, wall, cpu, peak, its, whole)
            must(can, f"{where} can't be a fault of this kind: {kind}, {detail[:60]}")
        if not program or (kind == "malformed" and begins(detail, ENDED)):
            must(cpu <= self.cpu * 1e6, f"{where} took {cpu} us of processor time, and no fault")
        its.cold = program

    def by_rules(self, where, kind, detail, answer, meant, right):
        """Whether it is a fault by the rules of the game, and not one of the program."""
        if kind == "illegal":
            must(meant is not None and not right, f"{where}: {answer!r} is not illegal")
            must(detail.startswith("not allowed now: expected "), f"{where}: {detail!r} explains")
            return True
        if kind != "malformed" or begins(detail, ENDED) or begins(detail, UNASKED):
            return False
        unread = answer is not None and meant is None and "; allowed now: " in detail
        must(unread, f"{where}: {answer!r} is not malformed")
        plain = answer.isascii() and answer.isprintable() and len(answer) <= QUOTED
        if plain and "\\" not in answer:
            must(begins(detail, f"'{answer}' "), f"{where}: {detail!r} is said of {answer!r}")
        return True

    def in_time(self, where, its, most, least, wall):
        """An answer that was taken: in time, or a little late, and not too often."""
        must(wall <= most + self.overrun, f"{where} took {wall} us, longer than it may")
        its.least, its.most = its.least + (wall > most), its.most + (wall > least)
        must(its.least <= OVERRUNS, f"{where} is late too often to be taken")

    def late(self, where, its, spans, wall, kind, answer, late):
        """An answer that was late too often: the process lives on."""
        number = int(late[3])
        ending = "th" if number // 10 % 10 == 1 else ORDINAL.get(number % 10, "th")
        must(
            kind == "timeout"
            and answer is not None
            and late[4] == ending
            and max(OVERRUNS, its.least) < number <= its.most + 1
            and any(
                f"{span / 1e6:g}" == late[2]
                and 0 < wall - span <= self.overrun
                and int(late[1]) == -(-(wall - span) // 1000)
                for span in spans
            ),
            f"{where} says that its answer was late, but not as its time does",
        )
        its.least = its.most = number
        return False

    def can_be(self, kind, detail, answer, wall, cpu, peak, its, whole):
        """Whether a program can have failed so; `whole` are the times that it may have had."""
        head, seconds = detail.split("; ")[0], {f"{span / 1e6:g}": span for span in whole}
        unasked = wall == 0 and not its.cold
        if kind == "timeout":
            if head == f"computed for more than {self.cpu:g} s":
                return cpu >= int(self.cpu * 1e6) - 1
            if re.fullmatch(r"could not be ended \S+ s after its time", head):
                return answer is None and cpu == peak == 0 and wall in {0, *whole}
            form = (
                r"(no answer|wrote an answer but did not end) within (\S+) s(: a line without .*)?"
            )
            found = re.fullmatch(form, head)
            given = found and (found[1] != "no answer" or bool(found[3]))
            return (
                found
                and found[2] in seconds
                and wall >= seconds[found[2]] - 1
                and given == (answer is not None)
            )
        if kind == "malformed":
            if head == ENDED:
                return answer is None
            return begins(detail, UNASKED) and answer is not None and unasked
        if kind == "flood":
            if head == f"wrote a line of over {self.line} bytes":
                return answer and len(answer.encode("utf-8", "surrogatepass")) >= self.line - 1
            if head == f"wrote over {self.output} bytes unasked":
                return answer is not None and unasked
            return head == f"wrote more than {self.output} bytes"
        if kind == "memory":
            return head == f"used more than {self.memory // 2**20} MiB of memory"
        nothing = not (wall or cpu or peak or answer)  # it had no sandbox, and the reason is told
        return kind == "crash" and (nothing or re.fullmatch(CRASHED, head))


def begins(detail, words):
    """Whether a fault's detail begins with these words."""
    return detail.startswith(words)


def number(text):
    """Seconds or bytes, as the settings write them: 50ms, 1.5s, 256MiB."""
    amount, unit = re.fullmatch(r"([\d.]+)([a-zA-Z]+)", text).groups()
    return float(amount) * UNITS[unit]


def micro(seconds):
    """Whole microseconds."""
    return round(seconds * 1_000_000)
