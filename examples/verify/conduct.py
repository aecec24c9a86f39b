"""How answers came about: the clock, what a program may use, and what each fault can be.

Times are microseconds. What a program did inside its sandbox can't be seen from outside; what is
checked is that the record agrees with itself and with the season's settings.
"""

import json
import re
from collections import defaultdict
from types import SimpleNamespace

from basics import LARGEST_NUMBER, must

OVERRUNS = 2
"""How often a slightly late answer is taken in a game."""

SPARE, SPARE_EACH = 10, 0.02
"""Seconds that a sandbox may take beyond a bot's own time in a game, and for each answer."""

NOT_ASKED = ("bank", "sandbox-time")
"""Codes of a seat whose time for the game is used up."""

GRACE_SECONDS = 3
"""Seconds after which a program that does not end is given up."""

ENDS = {
    "exit": {"exit": range(256)},
    "signal": {"signal": range(1, 65)},
    "not-started": {"errno": range(1, 4096)},
    "no-sandbox": {"bots": range(LARGEST_NUMBER + 1), "matches": range(LARGEST_NUMBER + 1)},
    "output-closed": {},
}
"""How a program can have crashed: the numbers that a fault has by its code."""

CAUSES = {
    *("answers-notices", "busy", "busy-or-reading", "carriage-return", "debugging", "empty-line"),
    *("ended-early", "first-question", "missing-program", "no-newline", "printed-nothing"),
    *("reads-arguments", "reads-input", "took-notice", "waited", "waited-for-input"),
}
"""The likely causes that are named."""

OF_PROGRAMS = {
    *("late", "no-answer", "no-line-end", "not-ended", "not-stopped", "processor-time"),
    *("no-line", "unasked-line", "long-line", "output", "unasked-output", "memory"),
    *NOT_ASKED,
    *ENDS,
}
"""The codes of faults that are none by the rules of a game."""

ADDED = ("cause", "computed", "refused")
"""What a fault of a program may have besides: its likely cause, and refused system calls."""

PARTS = ("kind", "code", "facts", "struck")

WORDS = re.compile(r"[\w. -]{1,100}", re.ASCII)

UNITS = {"ms": 0.001, "s": 1.0, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}

TRUSTED = (
    "how long answers took and how much they computed, as far as the limits allow it; how much"
    " memory was used",
    "that a program failed as its faults say: it gave no answer, or none in time, crashed, wrote"
    " too much or used too much memory; which facts of a fault explain it",
    "which of several lines with the same effect a program wrote",
    "that the answers are those of the listed programs, whose files and standard error aren't here",
    "the leg, the round and the labels by which pages call a match",
    "the times of the ledger",
)
"""What rests on the organiser's word alone, in the file of a season in which nothing is wrong."""


class Conduct:
    """The clocks of a game's seats, turn by turn."""

    def __init__(self, settings):
        """`settings` are the season's: its game, its clock and its limits."""
        self.game = settings["game"]
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
        many answers were late at least and at most, how many were asked for, and the facts of the
        fault that ended it."""
        left = None if self.bank is None else micro(self.bank)
        return SimpleNamespace(left=left, cold=True, least=0, most=0, asked=0, ended=None)

    def turn(self, where, seat, measured, answer, fault, meant, right):
        """Check an answer; `meant` is what it means by the rules, `right` whether that is allowed.

        `measured` are wall time, processor time and memory.
        """
        its, (wall, cpu, peak) = self.seats[seat], measured
        kind, code, facts = fault_of(fault)
        for value in measured:
            must(whole(value), f"{where}: {value!r} was not measured")
        left = None if its.left is None else its.left // 1000 * 1000
        spans = {self.question, self.start} if its.cold else {self.question}
        spans = {span if left is None else min(span, left) for span in spans}
        if its.ended or (left is not None and left <= 0) or code in NOT_ASKED:
            spare = micro(SPARE + SPARE_EACH * its.asked)
            took = facts.get("microseconds")
            right_time = whole(took, spare) and its.ended in (None, facts)
            if code == "bank":
                right_time = are(facts, microseconds=micro(self.bank or 0))
            elif code == "sandbox-time":
                its.ended = facts
            must(
                (kind, answer, measured) == ("timeout", None, [0, 0, 0])
                and code in NOT_ASKED
                and (code == "bank") == (left is not None and left <= 0)
                and {*facts} == {"microseconds"}
                and right_time,
                f"{where}: a seat whose time for the game is used up is not asked any more",
            )
            return
        its.asked += 1
        its.left = left and its.left - wall
        program = bool(fault) and not self.by_rules(where, kind, code, facts, answer, meant, right)
        if not program:
            self.in_time(where, its, max(spans), min(spans), wall)
        elif code == "late":
            program = self.late(where, its, spans, wall, kind, answer, facts)
        else:
            times = {round(span + self.overrun) for span in spans}
            can = self.can_be(kind, code, facts, answer, wall, cpu, peak, its, times)
            must(can, f"{where} can't be a fault of this kind: {kind}, {code[:60]}")
        if not program or code == "no-line":
            must(cpu <= self.cpu * 1e6, f"{where} took {cpu} us of processor time, and no fault")
        its.cold = program

    def by_rules(self, where, kind, code, facts, answer, meant, right):
        """Whether it is a fault by the rules of the game, and not one of the program."""
        if code in OF_PROGRAMS or kind not in ("illegal", "malformed"):
            return False
        must(type(facts.get("allowed")) is dict, f"{where}: {facts!r} says what was allowed")
        if kind == "illegal":
            must(meant is not None and not right, f"{where}: {answer!r} is not illegal")
            must(code == "not-allowed" and len(facts) == 1, f"{where}: {code!r} explains")
        else:
            must(answer is not None and meant is None, f"{where}: {answer!r} is not malformed")
            own = code.startswith(f"{self.game}.")
            must(own, f"{where}: {code!r} is no mistake of {self.game}")
        return True

    def in_time(self, where, its, most, least, wall):
        """An answer that was taken: in time, or a little late, and not too often."""
        must(wall <= most + self.overrun, f"{where} took {wall} us, longer than it may")
        its.least, its.most = its.least + (wall > most), its.most + (wall > least)
        must(its.least <= OVERRUNS, f"{where} is late too often to be taken")

    def late(self, where, its, spans, wall, kind, answer, facts):
        """An answer that was late too often: the process lives on."""
        times = facts.get("times")
        must(
            kind == "timeout"
            and answer is not None
            and whole(times, max(OVERRUNS, its.least) + 1)
            and times <= its.most + 1
            and any(
                are(facts, over=wall - span, microseconds=span, times=times)
                and 0 < wall - span <= self.overrun
                for span in spans
            ),
            f"{where} says that its answer was late, but not as its time does",
        )
        its.least = its.most = times
        return False

    def can_be(self, kind, code, facts, answer, wall, cpu, peak, its, times):
        """Whether a program can have failed so; `times` are those that it may have had."""
        own = {name: value for name, value in facts.items() if name not in ADDED}
        refused, computed = facts.get("refused", []), facts.get("computed", cpu)
        if type(computed) is not int or computed != cpu or facts.get("cause", "busy") not in CAUSES:
            return False
        if type(refused) is not list or not all(WORDS.fullmatch(name) for name in refused):
            return False
        unasked = answer is not None and wall == 0 and not its.cold
        took = own.get("microseconds")
        if kind == "timeout":
            if {*own} != {"microseconds"} or not whole(took):
                return False
            if code == "processor-time":
                return took == micro(self.cpu) and cpu >= int(self.cpu * 1e6) - 1
            if code == "not-stopped":
                unmeasured = answer is None and cpu == peak == 0 and wall in {0, *times}
                return unmeasured and took == micro(GRACE_SECONDS)
            given = {"no-answer": False, "no-line-end": True, "not-ended": True}.get(code)
            return took in times and wall >= took - 1 and given is (answer is not None)
        if kind == "malformed":
            return not own and (
                (code == "no-line" and answer is None) or (code == "unasked-line" and unasked)
            )
        if kind == "flood":
            if code == "long-line":
                size = len((answer or "").encode("utf-8", "surrogatepass"))
                return are(own, bytes=self.line) and size >= max(1, self.line - 1)
            mine = code == "output" or (code == "unasked-output" and unasked)
            return mine and are(own, bytes=self.output)
        if kind == "memory":
            return code == "memory" and are(own, bytes=self.memory)
        if kind != "crash":
            return False
        if code not in ENDS or {*own} != {*ENDS[code]}:
            return False
        if not all(type(own[name]) is int and own[name] in ENDS[code][name] for name in own):
            return False
        if code != "no-sandbox":
            return True
        nothing = answer is None and wall == cpu == peak == 0
        return nothing and own == facts and (own["bots"] > 0) == (own["matches"] > 0)


def check_fault(fault):
    """A fault has its four parts, and no others."""
    must(type(fault) is dict and {*fault} == {*PARTS}, f"{fault!r:.200} is no fault")
    words = all(type(fault[name]) is str and WORDS.fullmatch(fault[name]) for name in PARTS[:2])
    right = words and type(fault["facts"]) is dict and type(fault["struck"]) is bool
    must(right, f"{fault!r:.200} is no fault")


def fault_of(fault):
    """The kind, the code and the facts of a fault, if there is one."""
    return (fault["kind"], fault["code"], fault["facts"]) if fault else ("", "", {})


def whole(value, least=0):
    """Whether this is a whole number that is stored, and not less than another."""
    return type(value) is int and least <= value <= LARGEST_NUMBER


def are(facts, **expected):
    """Whether these are the facts of a fault: 1 is neither 1.0 nor true."""
    return json.dumps(facts, sort_keys=True) == json.dumps(expected, sort_keys=True)


def number(text):
    """Seconds or bytes, as the settings write them: 50ms, 1.5s, 256MiB."""
    amount, unit = re.fullmatch(r"([\d.]+)([a-zA-Z]+)", text).groups()
    return float(amount) * UNITS[unit]


def micro(seconds):
    """Whole microseconds."""
    return round(seconds * 1_000_000)
