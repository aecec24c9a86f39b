"""Every program in `programs/` tries to break a box, under every kind of box there is.

Each runs twice in one box, or lives through two games. Afterwards the next question is answered in
time, nothing is left running in the box or of it on the host, nothing is left on the disk, and a
bot in another box finds everything as it was. `corpus.py` says how an attack is written.
"""

import pytest

from tests.attacks.corpus import ATTACKS, ROUNDS, verdict
from tests.attacks.places import PLACES


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
