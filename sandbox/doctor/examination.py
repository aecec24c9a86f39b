"""What the boxes of this machine guarantee, and by what means, as found by testing.

`sandbox.doctor.probe` tests each guarantee. The backend says what enforces it, and gives a remedy
if it does not hold.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sandbox.backend import Backend
from sandbox.doctor.probe import probe
from sandbox.guarantees import GUARANTEES, Guarantee
from sandbox.kernel.freezer import SIGNALS


def examine(backend: Backend, names: Collection[str] = tuple(GUARANTEES)) -> Sequence[Guarantee]:
    """Test which of these guarantees a kind of box keeps, here and now, in their usual order.

    Raises `BackendMissing` if there can be no box, and `BoxBroken`.
    """
    means = backend.means()
    possible = [name for name in names if means[name].by]
    kept = probe(backend, possible) if possible else frozenset()
    found = []
    for name in (name for name in GUARANTEES if name in names):
        by, instead, remedy = means[name]
        if name == "stopped-between-turns" and "stopped-surely" not in kept:
            by = SIGNALS
        enforced = bool(by) and name in kept
        found.append(Guarantee(name, enforced, *((by,) if enforced else (instead, remedy))))
    return found
