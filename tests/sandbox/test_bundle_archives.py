"""Archives as a stranger may send them."""

from __future__ import annotations

import gzip
import io
import random
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from card_arena.sandbox.bundles import archives
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle
from card_arena.sandbox.limits import MIB, BundleLimits

YAML = b"name: ada\ngames: [blackjack]\nprotocol: argv\nlanguage: python\n"
GOOD = {"bot.yaml": YAML, "bot.py": b"pass\n"}


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes], mode: int = zipfile.ZIP_DEFLATED) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", mode) as archive:
        for name, content in [*GOOD.items(), *files]:
            archive.writestr(name, content)
    return raw.getvalue()


def tarred(*headers: tarfile.TarInfo, form: int = tarfile.GNU_FORMAT) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz", format=form) as archive:
        for name, content in GOOD.items():
            archive.addfile(entry(name, size=len(content)), io.BytesIO(content))
        for header in headers:
            archive.addfile(header, io.BytesIO(b"x" * header.size))
    return raw.getvalue()


def entry(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0, to: str = "") -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.type, header.size, header.linkname = kind, size, to
    return header


def unix(name: str, kind: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (kind | 0o644) << 16
    return info


def encrypted() -> bytes:
    packed = bytearray(zipped())
    local = packed.index(b"PK\x03\x04")
    central = packed.index(b"PK\x01\x02")
    packed[local + 6] |= 1
    packed[central + 8] |= 1
    return bytes(packed)


def disagreeing() -> bytes:
    """Name one file in the directory and another in its local header."""
    packed = zipped(("aaaa.py", b""))
    return packed.replace(b"aaaa.py", b"../x.py", 1)


def sparse() -> bytes:
    """A header that claims ten gigabytes of holes."""
    header = entry("big", tarfile.GNUTYPE_SPARSE)
    block = bytearray(header.tobuf(tarfile.GNU_FORMAT))
    block[483:495] = b"00000000000\0"
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    tar = gzip.decompress(tarred())
    return gzip.compress(bytes(block) + tar)


def lying_size() -> bytes:
    header = entry("bot2.py", size=0o7777777)
    return gzip.compress(header.tobuf(tarfile.GNU_FORMAT) + b"x" * 512)


def pax_sparse() -> bytes:
    header = entry("bot2.py", size=1)
    header.pax_headers = {"GNU.sparse.realsize": "10000000000"}
    return tarred(header, form=tarfile.PAX_FORMAT)


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
def test_a_tar_from_any_tool_is_read(form: int) -> None:
    long = "a/" * 70 + "b.txt"
    bundle = Bundle.from_archive(tarred(entry(long, size=1200), entry("d", b"5"), form=form))
    assert dict(bundle.files) == {**GOOD, long: b"x" * 1200}


def test_a_zip_is_read() -> None:
    bundle = Bundle.from_archive(zipped(("sub/", b""), ("sub/data.txt", b"1" * 5000)))
    assert dict(bundle.files) == {**GOOD, "sub/data.txt": b"1" * 5000}


def test_a_single_folder_around_everything_is_looked_through() -> None:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, content in GOOD.items():
            archive.writestr(f"ada-main/{name}", content)
    assert dict(Bundle.from_archive(raw.getvalue()).files) == GOOD


@pytest.mark.parametrize(
    ("packed", "sentence"),
    [
        (b"", "not a bot: expected a folder, a zip or a tar.gz archive"),
        (b"#!/bin/sh\n", "not a bot: expected a folder, a zip or a tar.gz archive"),
        (zipped(("../../x", b"")), "'../../x' leads out of the bundle with `..`"),
        (tarred(entry("../../x")), "'../../x' leads out of the bundle with `..`"),
        (zipped(("/etc/cron.d/x", b"")), "'/etc/cron.d/x' is an absolute path"),
        (tarred(entry("/etc/cron.d/x")), "'/etc/cron.d/x' is an absolute path"),
        (zipped(("C:x", b"")), "'C:x' is an absolute path"),
        (zipped(("a\\..\\b", b"")), r"'a\\..\\b' holds a backslash"),
        (zipped((unix("l", stat.S_IFLNK), b"/etc/passwd")), "'l' is a symbolic link"),
        (tarred(entry("l", tarfile.SYMTYPE, to="/etc/passwd")), "'l' is a symbolic link"),
        (tarred(entry("h", tarfile.LNKTYPE, to="bot.py")), "'h' is a hard link"),
        (zipped((unix("p", stat.S_IFIFO), b"")), "'p' is a special file"),
        (tarred(entry("p", tarfile.FIFOTYPE)), "'p' is a special file"),
        (tarred(entry("d", tarfile.CHRTYPE)), "'d' is a special file"),
        (sparse(), "'big' is a sparse file"),
        (pax_sparse(), "holds a sparse file"),
        (tarred(entry("bot.py", size=1)), "'bot.py' occurs twice"),
        (zipped(("BOT.py", b"")), "differ only in case or accents"),
        (zipped(("bot.py/x", b"")), "'bot.py' is both a file and a folder"),
        (zipped(("a\x01b", b"")), r"'a\x01b' holds a backslash or a character that can't be"),
        (zipped(("a\nb", b"")), r"'a\nb' holds a backslash or a character that can't be"),
        (tarred(entry("a\nb")), r"'a\nb' holds a backslash or a character that can't be"),
        (tarred(entry("h", tarfile.LNKTYPE, to="/etc/shadow")), "'h' is a hard link"),
        (tarred(entry("d", tarfile.BLKTYPE)), "'d' is a special file"),
        (zipped((unix("d", stat.S_IFBLK), b"")), "'d' is a special file"),
        (zipped(("x" * 300, b"")), "is not a valid path: expected at most 100 characters a name"),
        (
            zipped(("\N{GRINNING FACE}" * 70, b"")),
            "100 characters a name (255 bytes in UTF-8)",
        ),
        (zipped(("zeros", b"\0" * 2_000_000)), "'zeros' is larger than 1 MiB"),
        (tarred(entry("big", size=2_000_000)), "'big' is larger than 1 MiB"),
        (
            zipped(*((f"{n}.txt", b"\0" * 1_000_000) for n in range(5))),
            "the archive unpacks to more than 4 MiB",
        ),
        (tarred(*(entry(f"{n}", size=1_000_000) for n in range(5))), "unpacks to more than 4 MiB"),
        (gzip.compress(b"\0" * 50_000_000), "the archive unpacks to more than"),
        (zipped(*((f"{n}.txt", b"") for n in range(300))), "there are more than 200 files"),
        (zipped(*((f"{n}/", b"") for n in range(2500))), "holds more than 2000 entries"),
        (encrypted(), "'bot.yaml' is encrypted"),
        (disagreeing(), "the zip archive is damaged"),
        (zipped(mode=zipfile.ZIP_LZMA), "'bot.yaml' is compressed in an unusual way; use deflate"),
        (zipped()[:-30], "the zip archive is damaged"),
        (tarred()[:-30], "the gzip archive is damaged"),
        (lying_size(), "the tar archive is damaged ('bot2.py' is cut short)"),
        (gzip.compress(b"hello" * 200), "the tar archive is damaged"),
        (gzip.compress(zipped()), "the tar archive is damaged"),
        (zlib.compress(b""), "not a bot: expected a folder, a zip or a tar.gz archive"),
        (zipped(("inner.zip", zipped(mode=zipfile.ZIP_STORED)))[:40], "the zip archive is damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_hostile_archive_is_refused_with_its_sentence(packed: bytes, sentence: str) -> None:
    with pytest.raises(BadBundle) as caught:
        Bundle.from_archive(packed, BundleLimits(1 * MIB, 4 * MIB))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("of_tar", [True, False], ids=["tar", "zip"])
def test_a_hundred_thousand_files_are_refused_before_they_are_read(of_tar: bool) -> None:
    if of_tar:
        packed = gzip.compress(entry("again.txt").tobuf(tarfile.GNU_FORMAT) * 100_000, 1)
    else:
        packed = many_entries(100_000)
    with pytest.raises(BadBundle, match=r"more than 2000 entries|unpacks to more than"):
        Bundle.from_archive(packed, BundleLimits(1 * MIB, 4 * MIB))


def overlapping(count: int) -> bytes:
    """A zip whose directory names one entry so often: a megabyte that unpacks to nothing."""
    name, empty = b"x~", b"\0\0\0\xff\xff" * 200_000 + b"\1\0\0\xff\xff"
    packed = zipped()
    directory = packed[packed.index(b"PK\x01\x02") : packed.index(b"PK\x05\x06")]
    files = packed[: packed.index(b"PK\x01\x02")]
    about = (20, 0, 8, 0, 33, 0, len(empty), 1, len(name), 0)
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", *about) + name + empty
    named = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, *about, 0, 0, 0, 0, len(files)) + name
    directory += named * count
    place = len(files) + len(local)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0, 0, len(directory), place, 0)
    return files + local + directory + end


def test_bytes_of_a_zip_are_unpacked_once() -> None:
    assert dict(Bundle.from_archive(overlapping(1)).files) == GOOD
    with pytest.raises(BadBundle, match="its entries lie in one another"):
        Bundle.from_archive(overlapping(1500))


def many_entries(count: int) -> bytes:
    """A zip archive whose directory names one file so many times."""
    packed = zipped()
    first = packed.index(b"PK\x01\x02")
    second = packed.index(b"PK\x01\x02", first + 1)
    directory = packed[first:second] * count
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0, 0, len(directory), first, 0)
    return packed[:first] + directory + end


def test_an_archive_inside_an_archive_is_just_a_file() -> None:
    inner = zipped()
    assert Bundle.from_archive(zipped(("inner.zip", inner))).files["inner.zip"] == inner


@pytest.mark.parametrize("name", ["r-f", "con", "sub/.hidden"])
def test_a_strange_but_harmless_name_is_only_a_name(name: str) -> None:
    assert Bundle.from_archive(zipped((name, b"x"))).files[name] == b"x"


def test_the_year_9999_is_no_reason_to_stumble() -> None:
    header = entry("late.txt", size=1)
    header.mtime = 253402300799
    assert "late.txt" in Bundle.from_archive(tarred(header)).files


@pytest.mark.parametrize("packed", [zipped(), tarred()], ids=["zip", "tar"])
def test_damaged_bytes_bring_a_bundle_or_a_sentence(packed: bytes) -> None:
    damage = random.Random(7)
    tar = packed.startswith(b"\x1f\x8b")
    plain = gzip.decompress(packed) if tar else packed
    outcomes = set()
    for _ in range(400):
        broken = bytearray(plain)
        for _ in range(damage.randint(1, 4)):
            place = damage.randrange(min(len(broken), 1600))
            broken[place] = damage.choice((0, 255, damage.randrange(256), broken[place] ^ 1))
        try:
            Bundle.from_archive(gzip.compress(bytes(broken), 1) if tar else bytes(broken))
            outcomes.add("bundle")
        except BadBundle:
            outcomes.add("sentence")
    assert outcomes == {"bundle", "sentence"}


def pax(body: bytes) -> bytes:
    """A tar.gz whose first entry is a pax header that says this of the next one."""
    header = entry("pax", tarfile.XHDTYPE, len(body)).tobuf(tarfile.GNU_FORMAT)
    padded = body + bytes(-len(body) % 512)
    return gzip.compress(header + padded + gzip.decompress(tarred()))


def record(key: str, value: str) -> bytes:
    text = f" {key}={value}\n".encode()
    size = len(text) + 1
    while size != len(text) + len(str(size)):
        size = len(text) + len(str(size))
    return str(size).encode() + text


def test_a_pax_header_of_several_records_is_read() -> None:
    said = record("comment", "x" * 3000) + record("path", "bot.txt") + record("mtime", "1.5")
    with pytest.raises(BadBundle, match=r"there is no bot\.yaml"):  # it is called otherwise now
        Bundle.from_archive(pax(said))


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (record("a", "b") * 101, "a pax header of over 100 records"),
        (b"6 a=b\n" * 900_000, "a header of over 64 KiB"),
        (record("path", "x" * 60_000), "is not a valid path"),
        (record("path", "bot.py")[:-3], "the tar archive is damaged (a pax header)"),
        (b"99999 path=bot.py\n", "the tar archive is damaged (a pax header)"),
        (b"0 a=b\n", "the tar archive is damaged (a pax header)"),
        (b"9" * 70 + b" a=b\n", "the tar archive is damaged (a pax header)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_pax_header_is_read_once_from_end_to_end_or_refused(body: bytes, sentence: str) -> None:
    with pytest.raises(BadBundle) as caught:
        Bundle.from_archive(pax(body))
    assert sentence in str(caught.value)


def test_the_time_for_pax_headers_grows_no_faster_than_they_do() -> None:
    """Counted in bytes that are copied: time is never the same twice."""

    class Counted(bytes):
        copied = 0

        def __getitem__(self, place):  # type: ignore[override]
            part = super().__getitem__(place)
            if isinstance(part, bytes):
                Counted.copied += len(part)
            return part

        def partition(self, mark):  # type: ignore[override]
            Counted.copied += len(self)
            return super().partition(mark)

    body = Counted(record("comment", "x" * 500) * 100)
    assert archives._pax_path(body) == ""
    assert Counted.copied < 2 * len(body)


def test_a_name_of_a_hundred_signs_that_no_file_system_takes_is_refused() -> None:
    with pytest.raises(BadBundle, match=r"100 characters a name \(255 bytes in UTF-8\)"):
        Bundle.from_archive(zipped(("\U0001f0a1" * 100, b"")))
    assert len(Bundle.from_archive(zipped(("\U0001f0a1" * 60, b""))).files) == 3


def test_a_message_shows_sixty_characters_of_a_long_name_at_most() -> None:
    for packed in (
        zipped((unix("x" * 60_000, stat.S_IFLNK), b"")),
        tarred(entry("x" * 60_000, tarfile.SYMTYPE)),
        zipped(("x" * 60_000, b"")).replace(b"x" * 60_000, b"y" * 60_000, 1),
    ):
        with pytest.raises(BadBundle) as caught:
            Bundle.from_archive(packed)
        assert len(str(caught.value)) < 200


SOUND = {
    "zip": zipped(("sub/data.txt", b"1" * 50)),
    "tar": gzip.decompress(tarred(entry("x", size=5))),
}
CUTS = st.lists(
    st.tuples(st.integers(0, 1599), st.binary(max_size=12) | st.just(b"\xff" * 8)), max_size=4
)


@given(CUTS, st.sampled_from(list(SOUND)), st.booleans())
@settings(max_examples=1500)
def test_any_bytes_bring_a_bundle_or_a_sentence(
    cuts: Sequence[tuple[int, bytes]], kind: str, whole: bool
) -> None:
    broken = bytearray(SOUND[kind])
    for place, other in cuts:
        place %= len(broken) + 1
        broken[place : place + (len(other) if whole else 1)] = other
    for sent in (bytes(broken), gzip.compress(bytes(broken), 1), *(other for _, other in cuts)):
        said = ""
        try:
            Bundle.from_archive(sent)
        except BadBundle as error:
            said = str(error)
        assert all(line.isprintable() for line in said.splitlines())
        assert len(said) < 400


def test_a_length_field_of_minus_one_is_no_way_back() -> None:
    block = bytearray(entry("loop", size=0).tobuf(tarfile.GNU_FORMAT))
    block[124:136] = b"\xff" * 4 + struct.pack(">q", -512)
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    with pytest.raises(BadBundle, match="the tar archive is damaged"):
        Bundle.from_archive(gzip.compress(bytes(block) * 3))
