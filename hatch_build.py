"""Building a wheel compiles the native core into it, where there is a C compiler.

An editable installation (`pip install -e .`) finds the package by a link to the checkout, since the
checkout's root is the package, whatever its folder is called.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NATIVE = Path(__file__).parent / "library" / "native.py"


class CompiledCore(BuildHookInterface[Any]):
    """Adds library/native/core.so; the wheel is then for this kind of machine only."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the core before the files of the wheel are gathered."""
        spec = spec_from_file_location("native", NATIVE)
        assert spec
        assert spec.loader
        native = module_from_spec(spec)
        sys.modules["native"] = native  # a dataclass looks its module up
        spec.loader.exec_module(native)
        try:
            library = native.compile_core()
        except native.NotCompiled as error:
            self.app.display_warning(f"the native core is not compiled: {error}")
            library = None
        if version == "editable":
            link = Path(self.root, *self.build_config.dev_mode_dirs, "card_arena")
            link.parent.mkdir(exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(self.root)
        elif library:
            build_data["force_include"][str(library)] = "library/native/core.so"
            build_data["tag"] = f"py3-none-{native.platform()}"
            build_data["pure_python"] = False
