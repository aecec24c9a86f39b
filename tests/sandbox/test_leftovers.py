"""What a bot leaves in the process that forked its sandbox, and in its control group: nothing."""

from pathlib import Path

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.backends.zygote import zygote_pool
from card_arena.sandbox.kernel.cgroups import hierarchies
from card_arena.sandbox.limits import MIB, Limits
from card_arena.tests.needs import need_sandbox
from card_arena.tests.sandbox.bots_for_sandboxes import shell_bot

ROOMY = 20.0
LARGE, SMALL = 62 * MIB, 48 * MIB
LITTLE = 24 * MIB
"""More than a zygote itself takes."""


@pytest.mark.skipif(not hierarchies(), reason="no control groups here")
def test_a_large_bot_is_no_burden_to_a_small_one_after_it(tmp_path):
    need_sandbox("bubblewrap")
    zygote_pool().close()
    large = shell_bot(tmp_path / "large", "head -c 15000000 /dev/zero > /tmp/left; echo S")
    (large.folder / "ballast").write_bytes(bytes(LARGE))
    with backend("bubblewrap").open(large, Limits(cpu=5.0)) as sandbox:
        assert sandbox.run([], ROOMY).line == "S"
    (zygote,) = zygote_pool().idle
    mounts = Path(f"/proc/{zygote._first}/mountinfo").read_text().splitlines()
    assert not {"/bot", "/tmp"} & {line.split()[4] for line in mounts}
    assert used(zygote.group._folders["memory"]) < LITTLE
    small = shell_bot(tmp_path / "small", "echo S")
    with backend("bubblewrap").open(small, Limits(cpu=5.0, memory=SMALL)) as sandbox:
        assert sandbox.run([], ROOMY).line == "S"
        assert not zygote_pool().idle, "it has the same zygote"


def used(group: Path) -> int:
    """Bytes that a control group of either version is charged for."""
    names = ("memory.current", "memory.usage_in_bytes")
    return int(next(group / name for name in names if (group / name).exists()).read_text())
