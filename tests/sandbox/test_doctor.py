"""What sandboxes guarantee is found out by trying, and what is missing comes with a fix."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from card_arena.sandbox.backends import bubblewrap, bubblewrap_support, layout
from card_arena.sandbox.backends.bubblewrap import Bubblewrap
from card_arena.sandbox.backends.bubblewrap_support import bubblewrap_fix
from card_arena.sandbox.backends.registry import BACKENDS, backend
from card_arena.sandbox.backends.zygote import zygote_pool
from card_arena.sandbox.doctor import TRIALS, examine, probe
from card_arena.sandbox.guarantees import GUARANTEES, USUAL
from card_arena.sandbox.kernel import cgroups
from card_arena.sandbox.kernel.cgroups import freezer_fix, groups_fix
from card_arena.sandbox.limits import MIB
from card_arena.sandbox.sandbox import BackendMissing, SandboxBroken
from card_arena.sandbox.session import piloted_sandbox
from card_arena.tests.needs import times_are_counted, times_are_shared
from card_arena.tests.tournament import stage

LOOKED_AT = {name for names in TRIALS for name in names}


@pytest.fixture(scope="module")
def here():
    """What bubblewrap keeps on this machine."""
    return {guarantee.name: guarantee for guarantee in examine(backend("bubblewrap"))}


@pytest.fixture(scope="module")
def bare():
    """What is kept without walls."""
    return {guarantee.name: guarantee for guarantee in examine(backend("bare"))}


@pytest.fixture
def _without_groups(monkeypatch):
    zygote_pool().close()  # whoever waits there has a group
    for module in (cgroups, cgroups, bubblewrap):
        monkeypatch.setattr(module, "hierarchies", lambda: ())
    monkeypatch.setattr(piloted_sandbox, "freezer_below", lambda _: None)
    yield
    zygote_pool().close()


def test_every_guarantee_is_tried_and_every_kind_of_sandbox_is_asked_for_it(here, bare):
    assert set(GUARANTEES) == LOOKED_AT
    assert list(here) == list(bare) == list(GUARANTEES)
    for each in BACKENDS.values():
        assert set(each.enforcement()) == set(GUARANTEES)


def test_the_doctor_tries_the_sandbox_and_finds_it_closed(here):
    for name in USUAL | {"wall-time", "cpu-time", "output", "no-host-counters"}:
        assert here[name].enforced, here[name]
        assert here[name].by


def test_what_is_not_kept_comes_with_what_would_help(here, bare):
    for guarantee in (*here.values(), *bare.values()):
        assert bool(guarantee.fix) is not guarantee.enforced


def test_where_there_are_no_walls_the_trials_find_none():
    open_accounts = set(GUARANTEES) - probe(backend("bare"), LOOKED_AT - {"few-files", "cpu-time"})
    assert open_accounts >= {
        *("processes", "small-tmp", "no-network", "own-sockets", "own-processes"),
        *("own-files", "read-only", "filter", "no-privileges", "no-shared-memory", "no-locks"),
        *(
            "no-tampering",
            "nothing-kept",
            "no-host-counters",
            "no-count",
            "fair-share",
        ),
    }


def test_a_sandbox_whose_limits_do_not_hold_is_found_out():
    class Roomy(Bubblewrap):
        def launcher(self, program, limits):
            return super().launcher(
                program, replace(limits, memory=512 * MIB, processes=200, scratch=32 * MIB)
            )

    assert not probe(Roomy(), {"memory"}) & {"memory", "processes", "small-tmp"}
    assert not probe(Roomy(), {"processes"}) & {"processes", "small-tmp"}


def test_the_bare_sandbox_guarantees_times_and_no_walls(bare):
    kept = {name for name, guarantee in bare.items() if guarantee.enforced}
    assert kept == {"wall-time", "cpu-time", "output", "memory", "stopped-between-turns"}


@pytest.mark.usefixtures("_without_groups")
def test_without_control_groups_walls_hold_and_times_are_less_just():
    names = (
        *("memory", "processes", "stopped-between-turns"),
        *("stopped-surely", "helpers-time", "memory-peak", "fair-share"),
    )
    found = {guarantee.name: guarantee for guarantee in examine(backend("bubblewrap"), names)}
    assert list(found) == list(names)
    assert [name for name in names if found[name].enforced] == list(names[:3])
    assert found["memory"].by == layout.POLLING
    assert found["stopped-between-turns"].by == found["stopped-surely"].by == cgroups.SIGNALS


@pytest.mark.skipif(not times_are_counted(), reason="no control groups here")
def test_with_control_groups_helpers_are_counted(here):
    assert here["helpers-time"].enforced
    assert here["memory-peak"].enforced


@pytest.mark.skipif(not times_are_shared(), reason="no control groups here")
def test_with_control_groups_a_crowd_has_one_share(here):
    assert here["fair-share"].enforced


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives away user numbers")
def test_sandboxes_of_roots_are_different_users(here):
    assert here["own-quotas"].enforced


def test_without_bubblewrap_the_doctor_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackendMissing, match="apt-get install bubblewrap"):
        examine(backend("bubblewrap"))


def test_a_sandbox_that_breaks_during_a_trial_is_nobodys_guarantee(monkeypatch, tmp_path):
    (tmp_path / "prober.py").write_text("raise SystemExit(3)")
    monkeypatch.setattr("card_arena.sandbox.doctor.PROGRAM", tmp_path / "prober.py")
    with pytest.raises(SandboxBroken, match="the probe of the sandbox failed: exited with code 3"):
        examine(backend("bubblewrap"), ["no-network"])


def test_a_trial_whose_sandbox_breaks_once_is_repeated():
    with stage.breaking_sandboxes("python3", times=1):
        (guarantee,) = examine(backend("bubblewrap"), ["wall-time"])
    assert guarantee.enforced


# What bubblewrap says, as it was heard: on Ubuntu 24.04, by the reports of its users; the others
# on Debian 12, in containers of Docker's and with the limits named.
SAID = {
    "bwrap: setting up uid map: Permission denied": bubblewrap_support.APPARMOR,
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted": bubblewrap_support.APPARMOR,
    "bwrap: No permissions to create new namespace, likely because the kernel does not allow "
    "non-privileged user namespaces. See <https://deb.li/bubblewrap> or "
    "<file:///usr/share/doc/bubblewrap/README.Debian.gz>.": bubblewrap_support.FORBIDDEN,
    "bwrap: Creating new namespace failed: Operation not permitted": bubblewrap_support.FORBIDDEN,
    "bwrap: pivot_root: Operation not permitted": bubblewrap_support.FORBIDDEN,
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted": bubblewrap_support.COVERED,
    "unshare: unshare failed: Operation not permitted": bubblewrap_support.COVERED,
    "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces "
    "exceeded (ENOSPC)": bubblewrap_support.NONE_LEFT,
    "bwrap: Creating new namespace failed: No space left on device": bubblewrap_support.NONE_LEFT,
    "bwrap: Unknown option --size": bubblewrap_support.OLD_BUBBLEWRAP,
    "bwrap: Can't mkdir /x": "",
    "a bot: bwrap: setting up uid map: Permission denied": "",
}


@pytest.mark.parametrize("text", SAID)
def test_a_known_refusal_gets_its_fix_and_another_none(text):
    assert bubblewrap_fix(text) == SAID[text]


@pytest.mark.parametrize(
    ("kinds", "user", "groups", "freezer"),
    [
        (("cgroup",), 0, cgroups.NO_TREE, cgroups.VERSION_2),
        (("cgroup",), 1000, cgroups.VERSION_1, cgroups.VERSION_2),
        (("cgroup", "cgroup2"), 1000, cgroups.VERSION_1, cgroups.SCOPE),
        (("cgroup2",), 1000, cgroups.SCOPE, cgroups.SCOPE),
        (("cgroup2",), 0, cgroups.NO_TREE, cgroups.NO_TREE),
        ((), 0, cgroups.NO_TREE, cgroups.NO_TREE),
    ],
)
def test_how_to_get_control_groups_depends_on_what_there_is(
    kinds, user, groups, freezer, monkeypatch
):
    monkeypatch.setattr(cgroups, "hierarchies", lambda: ())
    monkeypatch.setattr(cgroups, "mounts", lambda: [("/sys/fs/cgroup", kind, "") for kind in kinds])
    monkeypatch.setattr("os.geteuid", lambda: user)
    assert (groups_fix(), freezer_fix()) == (groups, freezer)


def test_the_page_about_machines_names_what_is_required_and_nothing_that_is_not_guaranteed():
    page = (Path(__file__).parents[2] / "docs" / "machines.md").read_text()
    (usual,) = re.findall(r"usual guarantees are required: (.*)\. A line", page)
    assert set(re.findall("`([a-z-]+)`", usual)) == USUAL
    assert set(re.findall("`([a-z]+-[a-z-]+)`", page)) <= set(GUARANTEES)
