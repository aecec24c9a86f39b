"""What is Docker's own about its sandboxes; what every sandbox does is in test_sandbox.py."""

import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import time
from contextlib import suppress
from pathlib import Path

import docker
import psutil
import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends import docker as docker_image
from card_arena.sandbox.backends import docker as engines
from card_arena.sandbox.backends.docker import REFEREE, Engine, labels, language_image
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.sandbox.guarantees import UNEXPECTED
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.limits import KIB, MIB, Limits
from card_arena.sandbox.sandbox import BackendMissing, Program, SandboxBroken
from card_arena.tests.needs import need_sandbox
from card_arena.tests.sandbox.bots_for_sandboxes import ECHO, python_bot, shell_bot
from card_arena.tournament.play.match import try_out
from card_arena.tournament.settings import settings_of

ROOMY = 10.0
RUNTIME = "runc"
"""A runtime that every engine has."""
ROOT = Path(__file__).parent.parent.parent
LOOK = """
import json, os, socket
found = {"writable": [], "sockets": []}
for folder, folders, files in os.walk("/"):
    if folder in ("/", "/proc"):
        folders[:] = [name for name in folders if name != "usr" and not name.isdigit()]
    paths = [os.path.join(folder, name) for name in folders + files]
    found["writable"] += [
        path for path in paths if os.access(path, os.W_OK) and not os.path.islink(path)
    ]
for family in range(46):
    try:
        socket.socket(family, socket.SOCK_DGRAM)
        found["sockets"].append(family)
    except OSError:
        pass
found["arena"] = os.listdir("/arena")
found["kernel"] = os.listdir("/sys")
found["status"] = open("/proc/self/status").read()
found["environment"] = sorted(os.environ)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def client():
    need_sandbox("docker")
    client = docker.from_env()
    client.api.headers["Connection"] = "close"
    client.close()
    yield client
    client.close()


@pytest.fixture
def named(client):
    """An image of another name: the one with the languages, and tools in a place of their own."""
    name = f"card-arena-test/named:{os.getpid()}"
    container = client.containers.create(language_image(), "true")
    first = container.commit(*name.split(":"), changes="ENV PATH=/opt/tools:/usr/bin:/bin")
    container.remove()
    yield name
    client.images.remove(name, force=True)
    with suppress(docker.errors.ImageNotFound):  # a test may have given the name to another one
        client.images.remove(first.id, force=True)


@pytest.fixture
def bare_image(client):
    """An image with nothing at all in it."""
    name = f"card-arena-test/bare:{os.getpid()}"
    empty = io.BytesIO()
    with tarfile.open(fileobj=empty, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("nothing"))
    client.api.import_image_from_data(empty.getvalue(), *name.split(":"))
    yield name
    client.images.remove(name, force=True)


def open_sandbox(program, **limits):
    return backend("docker").open(program, Limits(cpu=5.0, **limits))


def containers_of(client, pid):
    found = client.containers.list(all=True, filters={"label": REFEREE}, ignore_removed=True)
    return [sandbox for sandbox in found if f" {pid}-" in sandbox.labels[REFEREE]]


def everything(client):
    return [sandbox["Id"] for sandbox in client.api.containers(all=True)]


def wait_until(true):
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_bot_finds_nothing_to_write_to_but_tmp_and_nobody_to_talk_to(client, tmp_path):
    with open_sandbox(python_bot(tmp_path / "bot", LOOK), line=64 * KIB) as sandbox:
        reply = sandbox.run([], 60.0)
    found = json.loads(reply.line)
    nowhere = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
    writable = {path for path in found["writable"] if not path.startswith("/proc/")}
    assert writable <= {"/tmp", *nowhere}
    devices = {path for path in found["writable"] if path.startswith("/proc/")}
    assert all(not Path(path).is_dir() for path in devices)
    assert found["sockets"] == [1]
    assert "referee" not in found["arena"]
    assert found["kernel"] == []
    status = dict(line.split(":\t", 1) for line in found["status"].splitlines() if ":\t" in line)
    assert status["CapEff"] == status["CapPrm"] == status["CapBnd"] == "0" * 16
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp_filters"] == "2", "Docker's own and ours"
    assert "0" not in status["Uid"].split()


def test_two_sandboxes_are_two_users(client, tmp_path):
    program = shell_bot(tmp_path / "bot", "id -u")
    with open_sandbox(program) as one, open_sandbox(program) as two:
        assert one.run([], ROOMY).line != two.run([], ROOMY).line


def test_a_bot_can_fill_tmp_with_few_files_only(client, tmp_path):
    code = """
    i = 0
    try:
        while i < 100000:
            open(f"/tmp/{i}", "w").close()
            i += 1
    except OSError as error:
        print(error.strerror)
    """
    program = python_bot(tmp_path / "bot", "\n".join(row[4:] for row in code.splitlines()))
    with open_sandbox(program) as sandbox:
        assert sandbox.run([], ROOMY).line == "No space left on device"


def test_a_bot_that_wants_too_much_memory_is_told_apart_from_one_that_crashes(client, tmp_path):
    code = "hoard = [b'x' * (1 << 20) for _ in range(400)]\nprint('full')\n"
    with open_sandbox(python_bot(tmp_path / "bot", code), memory=64 * MIB) as sandbox:
        assert sandbox.run([], ROOMY).fault is Fault.MEMORY
        assert sandbox.run([], ROOMY).fault is Fault.MEMORY


def test_a_bot_that_lets_the_kernel_kill_the_pilot_for_memory_is_to_blame(client, tmp_path):
    # what is in /tmp is nobody's, so that the pilot is the largest process
    program = shell_bot(tmp_path / "bot", "cat /dev/zero > /tmp/hoard; sleep 60")
    with open_sandbox(program, memory=32 * MIB, scratch=64 * MIB) as sandbox:
        assert sandbox.run([], 60.0).fault is Fault.MEMORY


def test_a_container_that_somebody_ends_is_nobodys_fault(client, tmp_path):
    others = set(containers_of(client, os.getpid()))
    program = shell_bot(tmp_path / "bot", "while read q; do echo S; done")
    with open_sandbox(program) as sandbox:
        assert sandbox.ask("q", ROOMY).line == "S"
        (container,) = set(containers_of(client, os.getpid())) - others
        container.kill()
        with pytest.raises(SandboxBroken, match="pilot"):
            sandbox.ask("q", ROOMY)


def test_a_crowd_is_bounded_and_gone_with_the_reply(client, tmp_path):
    code = """
import os
children = 0
try:
    while children < 40:
        if os.fork() == 0:
            os.read(os.pipe()[0], 1)
        children += 1
except OSError:
    print(children)
"""
    with open_sandbox(python_bot(tmp_path / "bot", code), processes=8) as sandbox:
        assert sandbox.run([], ROOMY).line == "7"
        assert sandbox.run([], ROOMY).line == "7"


def test_a_container_says_whose_it_is_and_is_gone_when_the_sandbox_is_closed(client, tmp_path):
    others = set(containers_of(client, os.getpid()))
    with open_sandbox(python_bot(tmp_path / "bot", ECHO)):
        (container,) = set(containers_of(client, os.getpid())) - others
        assert container.labels[REFEREE] == labels()[REFEREE]
    wait_until(lambda: set(containers_of(client, os.getpid())) <= others)


def test_what_a_dead_referee_left_is_removed_and_what_a_living_one_has_is_not(client):
    with subprocess.Popen(["sleep", "60"]) as other:
        mine, _, _ = labels()[REFEREE].rpartition(" ")
        born = engines._start_time(other.pid)
        theirs = {"card-arena": "sandbox", REFEREE: f"{mine} {other.pid}-{born}"}
        left = client.containers.create(language_image(), "true", labels=theirs)
        Engine().sweep()
        assert left.id in everything(client)
        other.kill()
    Engine().sweep()
    assert left.id not in everything(client)


def test_after_a_referee_is_killed_neither_bots_nor_containers_are_left(client, tmp_path):
    program = shell_bot(tmp_path / "bot", "read q; echo S; while :; do :; done")
    referee = f"""
import sys
from pathlib import Path
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.sandbox import Program
from card_arena.sandbox.limits import Limits
sandbox = backend("docker").open(Program(Path({str(program.folder)!r}), ("./bot.sh",)), Limits())
print(sandbox.ask("q", 10).line, flush=True)
input()
"""
    command = [sys.executable, "-c", referee]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"S\n"
        (container,) = containers_of(client, process.pid)
        container.reload()
        bots = psutil.Process(container.attrs["State"]["Pid"]).children(recursive=True)
        assert bots
        process.send_signal(signal.SIGKILL)
    _, alive = psutil.wait_procs(bots, timeout=60)
    assert not alive
    wait_until(lambda: not containers_of(client, process.pid))


def test_the_language_image_has_libraries_for_numbers(client, tmp_path):
    code = (
        "import numpy, scipy.special as s\nprint(numpy.arange(4).sum(), s.comb(52, 2, exact=True))"
    )
    folder = python_bot(tmp_path / "bot", code).folder
    with open_sandbox(Program(folder, ("python3", "bot.py"))) as sandbox:
        reply = sandbox.run([], 30.0)
    assert (reply.fault, reply.line) == (None, "6 1326")


def test_an_image_that_an_author_names_is_what_the_bot_lives_in(client, named, tmp_path):
    others = set(containers_of(client, os.getpid()))
    folder = tmp_path / "bot"
    program = shell_bot(folder, "echo $PATH")
    with open_sandbox(Program(folder, program.command, image=named)) as sandbox:
        (container,) = set(containers_of(client, os.getpid())) - others
        assert container.attrs["Config"]["Image"] == named
        assert sandbox.run([], ROOMY).line == "/opt/tools:/usr/bin:/bin"


def test_an_image_without_python_is_refused_with_a_reason(bare_image, tmp_path):
    program = shell_bot(tmp_path / "bot", "echo S")
    with pytest.raises(ToolMissing, match=f"the image {bare_image} has no python3"):
        open_sandbox(Program(program.folder, program.command, image=bare_image))


def test_an_image_that_is_not_there_is_named(client, tmp_path):
    program = Program(tmp_path, ("true",), image="card-arena-test/none:1")
    with pytest.raises(BackendMissing, match="docker pull card-arena-test/none:1"):
        open_sandbox(program)


def test_a_bot_with_an_unfit_image_sits_out_though_there_is_nothing_to_build(bare_image, tmp_path):
    bot = bot_with(bare_image, tmp_path / "ada", "run: ./bot.sh\n").archive()
    table = {"name": "cup", "game": "blackjack", "sandbox": "docker", "images": [bare_image]}
    for checked in (True, False):
        verdict = try_out(bot, settings_of({**table, "sanity_check": checked}).freeze())
        assert not verdict.ok
        assert verdict.reason == f"the image {bare_image} has no python3 3.10 or later for a pilot"


def bot_with(image, folder, way="build: [[cp, bot.sh, copy]]\nrun: ./copy\n"):
    folder.mkdir()
    (folder / "bot.yaml").write_text(
        f"name: ada\ngames: [blackjack]\nprotocol: argv\n{way}image: {image}\n"
    )
    (folder / "bot.sh").write_text("#!/bin/sh\necho S\n")
    return read_bundle(folder)


def test_an_image_plays_where_the_organiser_allows_it_and_nowhere_else(named, tmp_path):
    bot = bot_with(named, tmp_path / "ada").archive()
    table = {"name": "cup", "game": "blackjack", "sandbox": "docker"}
    refused = try_out(bot, settings_of(table).freeze())
    assert (refused.ok, refused.reason) == (
        False,
        f"it names the image {named}; cup allows no image at all",
    )
    refused = try_out(bot, settings_of({**table, "images": ["debian:12"]}).freeze())
    assert refused.reason == f"it names the image {named}; cup allows only debian:12"
    assert try_out(bot, settings_of({**table, "images": [named]}).freeze()).ok
    elsewhere = try_out(bot, settings_of({**table, "sandbox": "bubblewrap"}).freeze())
    assert elsewhere.reason == f"ada names the image {named}; bubblewrap sandboxes have none"


def test_a_bot_is_built_anew_for_another_image(client, named, tmp_path):
    bot = bot_with(named, tmp_path / "ada")
    first = build(bot, backend("docker"), tmp_path / "cache").program
    assert build(bot, backend("docker"), tmp_path / "cache").program == first
    container = client.containers.create(named, "true")
    container.commit(*named.split(":"))
    container.remove()
    assert build(bot, backend("docker"), tmp_path / "cache").program.folder != first.folder


def small_recipe(monkeypatch, folder):
    """Put a recipe of one step in the place of the languages' own, and return its image's name."""
    folder.mkdir()
    (folder / "Dockerfile").write_text(
        f"FROM {language_image()}\nRUN cp /proc/sys/kernel/random/uuid /stamp\n"
    )
    monkeypatch.setattr(docker_image, "NAME", name := f"card-arena-test/small-{os.getpid()}")
    monkeypatch.setattr(docker_image, "FOLDER", folder)
    monkeypatch.setattr(docker_image, "language_image", lambda: f"{name}:1")
    return f"{name}:1"


def test_an_image_is_updated_in_place_and_the_one_before_is_removed(client, monkeypatch, tmp_path):
    name = small_recipe(monkeypatch, tmp_path / "recipe")
    built = []
    try:
        for update in (False, False, True):
            for _ in docker_image.build_image("none", update=update):
                pass
            built.append(client.images.get(name).id)
        assert built[0] == built[1], "it comes from Docker's cache"
        assert built[1] != built[2], "every step was run again"
        with pytest.raises(docker.errors.ImageNotFound):
            client.images.get(built[0])
    finally:
        client.images.remove(name, force=True)


def test_a_runtime_that_the_engine_has_starts_sandboxes(client, tmp_path):
    kind = backend(f"docker:{RUNTIME}")
    with kind.open(shell_bot(tmp_path / "bot", "echo S"), Limits(cpu=5.0)) as sandbox:
        assert sandbox.run([], ROOMY).line == "S"


def test_a_runtime_that_the_engine_lacks_is_named_with_what_to_do(client, tmp_path):
    with pytest.raises(BackendMissing, match=r"no runtime kata; it has .*runc.*: add kata to"):
        backend("docker:kata").open(python_bot(tmp_path / "bot", ECHO), Limits())


def test_a_sandbox_that_a_runtime_does_not_start_is_reported_with_the_runtime(client, tmp_path):
    too_little = Limits(memory=MIB)
    with pytest.raises(SandboxBroken, match=f"under Docker's runtime {RUNTIME}"):
        backend(f"docker:{RUNTIME}").open(python_bot(tmp_path / "bot", ECHO), too_little)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a program a mount of its own")
def test_folders_that_the_engine_does_not_see_are_explained_and_others_work(client, tmp_path):
    """A temporary folder of the arena's own is mounted as systemd's PrivateTmp mounts /tmp."""
    private, shared = tmp_path / "private", tmp_path / "shared"
    private.mkdir()
    shared.mkdir()
    program = shell_bot(tmp_path / "bot", "echo S")
    referee = f"""
import tempfile
from pathlib import Path
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.sandbox import BackendMissing, Program
from card_arena.sandbox.limits import Limits
program = Program(Path({str(program.folder)!r}), ("./bot.sh",))
for tempfile.tempdir in ({str(private)!r}, {str(shared)!r}):
    try:
        with backend("docker").open(program, Limits()) as sandbox:
            print(sandbox.run([], 10).line)
    except BackendMissing as error:
        print(error)
"""
    words = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', private]
    done = subprocess.run(
        [*words, sys.executable, "-c", referee],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    unseen, works = done.stdout.splitlines()
    assert unseen.startswith(f"Docker's engine does not see the folder {private}/card-arena-")
    assert "set TMPDIR to a folder that both see, such as /dev/shm" in unseen
    assert works == "S"


def test_remedies_fit_the_user_and_the_runtime(monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert backend("docker").enforcement()["stopped-surely"].fix.startswith("run the arena as root")
    assert backend("docker").enforcement()["read-only"].fix == UNEXPECTED
    assert backend("docker:crun").enforcement()["read-only"].fix.startswith("leave out `runtime:`")


@pytest.fixture
def nobody_asked_yet():
    engines._engine.cache_clear()
    yield
    engines._engine.cache_clear()


def test_without_an_engine_one_sentence_says_what_to_do(nobody_asked_yet, monkeypatch, tmp_path):
    program = python_bot(tmp_path / "bot", ECHO)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(BackendMissing, match=r"none\.sock: sudo systemctl start docker"):
        open_sandbox(program)
    monkeypatch.setenv("DOCKER_HOST", "tcp://elsewhere:2375")
    with pytest.raises(BackendMissing, match="DOCKER_HOST is tcp://elsewhere:2375: unset it"):
        open_sandbox(program)
    monkeypatch.delenv("DOCKER_HOST")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(engines, "USUAL_PLACE", f"unix://{tmp_path}/none.sock")
    with pytest.raises(BackendMissing, match=r"sudo apt-get install docker\.io"):
        open_sandbox(program)
