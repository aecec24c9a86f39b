"""Wheels made for tests, as any tool would make them."""

from __future__ import annotations

import zipfile
from pathlib import Path


def wheel(folder: Path, name: str, text: str, version: str = "1.0", needs: str = "") -> Path:
    """Make a wheel of one module."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    said = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{name}.py", text)
        file.writestr(f"{info}/METADATA", said + (f"Requires-Dist: {needs}\n" if needs else ""))
        file.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{info}/RECORD", "")
    return path
