"""Many machines: matches are played in slots of a Dask cluster.

Nothing outside of this package knows Dask, and it imports it only here.
"""

from importlib.util import find_spec

from card_arena.common.errors import UserError


class EngineMissing(UserError):
    """The packages of the extra `cluster` are not installed."""


for _package in ("distributed", "cryptography"):
    if find_spec(_package) is None:
        raise EngineMissing(
            f"a cluster needs {_package}, which is not installed: `scripts/setup cluster`, or"
            " pip install 'card-arena[cluster]'"
        )
