"""Extracts the files of an uploaded zip or tar, without trusting anything in it.

Nothing is written to disk: members are read into memory, under limits that apply to the bytes as
they stream rather than to a header's claims. Only regular files come out. Names are checked by
`sandbox.bundles.bundle`, which sees them before anything else does.
"""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator

MOST_MEMBERS = 2_000
"""The most entries that are read before giving up, including folders and ignored files."""
LONGEST_HEADER = 64 * 1024
"""The most bytes of an entry's name and other metadata."""
MOST_RECORDS = 100
"""The most fields of a pax header about one entry."""
LONGEST_LENGTH = len(f"{LONGEST_HEADER} ")
EXTENSIONS = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)
"""Types of entries that describe the next one."""
SPECIAL = {
    tarfile.SYMTYPE: "symbolic link",
    tarfile.LNKTYPE: "hard link",
    tarfile.GNUTYPE_SPARSE: "sparse file",
}
LONGEST_SHOWN = 60
"""The most characters of a name that a message shows."""


class BadArchive(ValueError):
    """An archive is broken or has contents that a bundle can't; the message is one sentence."""


def members(packed: bytes, *, largest: int, total: int) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of every regular file in a zip, a tar or a gzipped tar, in order.

    `largest` bounds one file and `total` all of them, in bytes. Raises `BadArchive`.
    """
    if packed.startswith(b"PK"):
        files = _zip_files(packed, largest)
    elif packed.startswith(b"\x1f\x8b"):
        # Room for headers and padding: 1 KiB each.
        files = _tar_files(_gunzip(packed, total + 1024 * MOST_MEMBERS))
    elif packed[257:262] == b"ustar":
        files = _tar_files(packed)
    else:
        raise BadArchive("not a bot: expected a folder, a zip or a tar.gz archive")
    size = 0
    for name, content in files:
        if len(content) > largest:
            raise BadArchive(f"{_shown(name)} is larger than {_mib(largest)}")
        size += len(content)
        if size > total:
            raise BadArchive(f"the archive unpacks to more than {_mib(total)}")
        yield name, content


def _zip_files(packed: bytes, largest: int) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a zip, of each at most one byte more than `largest`."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_MEMBERS:
                raise BadArchive(f"the archive holds more than {MOST_MEMBERS} entries")
            if sum(entry.compress_size for entry in entries) > len(packed):
                raise BadArchive("the zip archive is damaged (its entries lie in one another)")
            for entry in entries:
                name = entry.orig_filename
                shown = _shown(name)
                if entry.flag_bits & 0x1:
                    raise BadArchive(f"{shown} is encrypted")
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise BadArchive(f"{shown} is compressed in an unusual way; use deflate")
                kind = stat.S_IFMT(entry.external_attr >> 16) if entry.create_system == 3 else 0
                if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                    special = "symbolic link" if kind == stat.S_IFLNK else "special file"
                    raise BadArchive(f"{shown} is a {special}; only plain files are taken")
                if name.endswith("/"):
                    continue
                with archive.open(entry) as stream:
                    yield name, stream.read(largest + 1)
    except BadArchive:
        raise
    except NotImplementedError as error:
        raise BadArchive(f"the zip archive can't be read ({_cut(str(error))})") from None
    # The standard library raises many kinds of errors for bytes that are not a zip: bad numbers,
    # bad offsets, bad text. Here it only reads bytes in memory.
    except Exception as error:
        raise BadArchive(f"the zip archive is damaged ({_cut(str(error))})") from None


def _gunzip(packed: bytes, most: int) -> bytes:
    inflater = zlib.decompressobj(wbits=31)
    try:
        tar = inflater.decompress(packed, most + 1)
    except zlib.error as error:
        raise BadArchive(f"the gzip archive is damaged ({error})") from None
    if len(tar) > most:
        raise BadArchive(f"the archive unpacks to more than {_mib(most)}")
    if not inflater.eof or inflater.unused_data:
        raise BadArchive("the gzip archive is damaged (it ends too early or too late)")
    return tar


def _tar_files(tar: bytes) -> Iterator[tuple[str, bytes]]:
    """Walk a tar's 512-byte blocks, using the standard library for the headers only.

    The long names of GNU and pax tars are understood; sizes and sparse maps from extension
    headers are refused, so a file is always the bytes that follow its own header.
    """
    position = entries = 0
    long_name = ""
    while block := tar[position : position + 512]:
        if not block.strip(b"\0"):
            return
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise BadArchive(f"the tar archive is damaged ({error})") from None
        entries += 1
        if entries > MOST_MEMBERS:
            raise BadArchive(f"the archive holds more than {MOST_MEMBERS} entries")
        start = position + 512
        has_body = header.type not in (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE)
        size = header.size if has_body else 0
        if size < 0 or start + size > len(tar):
            raise BadArchive(f"the tar archive is damaged ({_shown(header.name)} is cut short)")
        if header.type in EXTENSIONS and size > LONGEST_HEADER:
            raise BadArchive(f"the tar archive holds a header of over {LONGEST_HEADER // 1024} KiB")
        body = tar[start : start + size]
        position = start + (size + 511) // 512 * 512
        if header.type in EXTENSIONS:
            if header.type in (tarfile.XHDTYPE, tarfile.XGLTYPE):
                path = _pax_path(body)
                long_name = path if header.type == tarfile.XHDTYPE else ""
            elif header.type == tarfile.GNUTYPE_LONGNAME:
                long_name = body.rstrip(b"\0").decode("utf-8", "surrogateescape")
            continue
        name, long_name = long_name or header.name, ""
        if header.type in (tarfile.REGTYPE, tarfile.AREGTYPE):
            yield name, body
        elif header.type != tarfile.DIRTYPE:
            kind = SPECIAL.get(header.type, "special file")
            raise BadArchive(f"{_shown(name)} is a {kind}; only plain files are taken")


def _pax_path(body: bytes) -> str:
    """Return the path in a pax header: `<length> <key>=<value>\\n`, repeated."""
    path = ""
    place = records = 0
    while place < len(body):
        records += 1
        if records > MOST_RECORDS:
            raise BadArchive(f"the tar archive holds a pax header of over {MOST_RECORDS} records")
        length, space, _ = body[place : place + LONGEST_LENGTH].partition(b" ")
        if not space or not length.isdigit():
            raise BadArchive("the tar archive is damaged (a pax header)")
        end = place + int(length)
        record = body[place + len(length) + 1 : end]
        place = end
        key, equals, value = record.rstrip(b"\n").partition(b"=")
        if not record or not equals or end > len(body):
            raise BadArchive("the tar archive is damaged (a pax header)")
        if key == b"size" or key.startswith(b"GNU.sparse"):
            raise BadArchive("the tar archive holds a sparse file; only plain files are taken")
        if key == b"path":
            path = value.decode("utf-8", "surrogateescape")
    return path


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a tar.gz of some files: the same bytes for the same files."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in files:
            header = tarfile.TarInfo(name)
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
    deflater = zlib.compressobj(9, wbits=31)
    return deflater.compress(raw.getvalue()) + deflater.flush()


def _shown(name: str) -> str:
    return repr(_cut(name))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def _mib(size: int) -> str:
    return f"{size / (1024 * 1024):g} MiB"
