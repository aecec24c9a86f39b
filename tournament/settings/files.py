"""Tournament files: one YAML file is one tournament.

All mistakes in a file are reported together, line by line, and nothing is started.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from common import marked_yaml
from common.errors import UserError
from common.marked_yaml import BadYaml, MarkedYaml
from common.text import meant
from tournament.settings.model import Settings, laid_over, settings_model

FILES = (".yaml", ".yml")
"""The suffix of a tournament file's name."""


class NoTournament(UserError):
    """The tournament file, or a tournament of that name, was not found."""


def read_settings(text: str | bytes, name: str) -> Settings[Any]:
    """Read a tournament from YAML; raises `BadYaml` with every mistake, calling the file `name`."""
    marked = marked_yaml.read(text, name)
    settings = marked.check(settings_model(marked.data.get("game")))
    settings.remember(marked)
    return settings


def changed(settings: Settings[Any], marked: MarkedYaml) -> Settings[Any]:
    """Override a tournament's settings with those from part of another file.

    Options of the game and of the format are overridden one by one. Raises `BadYaml`.
    """
    before = settings.plain()
    data = {**before, **marked.data}
    if "format" in marked.data:
        data["format"] = laid_over(settings.format, marked.data["format"])
    if isinstance(marked.data.get("options"), Mapping):
        data["options"] = {**before["options"], **marked.data["options"]}
    return replace(marked, data=data).check(settings_model(settings.game))


def read_file(path: Path) -> Settings[Any]:
    """Read one tournament's file; raises `BadYaml` with every mistake, or why it can't be read."""
    if path.exists() and not path.is_file():  # a device or a pipe could be read for ever
        raise BadYaml([f"{path}: not a file"])
    try:
        settings = read_settings(path.read_bytes(), str(path))
    except OSError as error:
        raise BadYaml([f"{path}: can't be read: {error.strerror}"]) from error
    if settings.wheels is None:
        return settings
    wheels = (path.parent / settings.wheels).absolute()
    if not wheels.is_dir():
        told = f"wheels must be a folder beside the file; there is no folder {wheels}"
        raise BadYaml([settings.complain(("wheels",), told)])
    return settings.model_copy(update={"wheels": wheels})


def read_folder(folder: Path, name: str | None = None) -> tuple[Settings[Any], ...]:
    """Read every tournament file in a folder, in order of file name, or only the named tournament.

    Raises `BadYaml` with the mistakes of all files together; two tournaments with the same name are
    a mistake. When one name is asked for, only files that may contain it are reported. Raises
    `NoTournament` if there is no such folder, file or name. Subfolders are ignored.
    """
    if not folder.is_dir():
        raise NoTournament(f"there is no folder {folder} to look for tournament files in")
    found: dict[str, tuple[Path, Settings[Any]]] = {}
    mistakes: list[str] = []
    taken: set[str] = set()
    for path in sorted(p for p in folder.iterdir() if p.suffix in FILES):
        try:
            settings = read_file(path)
        except BadYaml as error:
            mistakes += error.mistakes
        else:
            if settings.name in found:
                other = found[settings.name][0]
                mistakes.append(f"{path}: the name {settings.name!r} is taken by {other}")
                taken.add(settings.name)
            found.setdefault(settings.name, (path, settings))
    if mistakes and (name not in found or name in taken):
        raise BadYaml(mistakes)
    if not found:
        raise NoTournament(f"there is no tournament file (*.yaml) in {folder}")
    if name is None:
        return tuple(settings for _, settings in found.values())
    if name not in found:
        hint = meant(name, found)
        raise NoTournament(f"no file in {folder} describes a tournament {name!r}: {hint}")
    return (found[name][1],)
