"""Every program in `programs/` tries to break a sandbox, under every kind of sandbox there is.

Each runs twice in one sandbox, or lives through two games. Afterwards the next question is answered in
time, nothing is left running in the sandbox or of it on the host, nothing is left on the disk, and a
bot in another sandbox finds everything as it was. `corpus.py` says how an attack is written.
"""

import os
import re

import pytest

from card_arena.sandbox.sandbox import Program
from card_arena.tests.attacks.corpus import ATTACKS, ROUNDS, alone, verdict
from card_arena.tests.attacks.places import PLACES, ISOLATED, opened

NOTES = re.compile(
    "state_|pilot_|.*_(pilot|everything|numbers|report|priority)|survivor|abstract_socket"
)
FORKED = [
    each
    for each in ATTACKS.values()
    if each.path.suffix == ".py" and not each.stdin and NOTES.match(each.name)
]
"""Those that would speak to the next question, or to whoever answers for the sandbox."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_an_attack_gets_its_verdict_and_leaves_nothing_behind(attack, place, field):
    trial = field.arena(place).trial(attack)
    if trial is None:
        pytest.skip(f"no {attack.needs} here")
    for reply, expected in zip(trial.replies, attack.expected * ROUNDS, strict=True):
        assert verdict(reply) in expected.split(" or "), trial
    for name in ("detail", "stderr"):
        wanted = attack.says.get(name, "")
        assert any(wanted in getattr(reply, name) for reply in trial.replies), trial
    assert trial.canary == "answer well", trial
    assert trial.left == [], trial
    assert not trial.partner_saw, trial


@pytest.mark.parametrize("attack", FORKED, ids=lambda attack: attack.name)
def test_an_attack_from_an_interpreter_kept_warm_gets_no_further(attack, field):
    place = alone(field.folder, attack.program)
    program = Program(place, ("python3", attack.program), forkable=True)
    with opened("bubblewrap", program, attack.limits) as sandbox:
        for _ in range(ROUNDS):
            reply = sandbox.run(["21", "KJA"], attack.seconds(attack.expected[0]))
            assert verdict(reply) in attack.expected[0].split(" or "), reply


@pytest.mark.parametrize("forkable", [False, True], ids=["afresh", "forked"])
@pytest.mark.parametrize("held", [100, 300])
@pytest.mark.parametrize("place", ["bare", *ISOLATED])
def test_an_arena_with_many_open_files_hands_none_of_them_to_a_bot(place, held, forkable, field):
    attack = ATTACKS["forge_report"]
    files = [os.open("/dev/null", os.O_RDONLY) for _ in range(held)]
    try:
        program = Program(
            alone(field.folder, attack.program), ("python3", attack.program), forkable=forkable
        )
        with opened(place, program, attack.limits) as sandbox:
            for _ in range(ROUNDS):
                assert verdict(sandbox.run([], attack.seconds("answer"))) == attack.expected[0]
    finally:
        for file in files:
            os.close(file)
