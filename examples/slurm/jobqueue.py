"""Submit workers as SLURM jobs with dask-jobqueue: `python examples/slurm/jobqueue.py --jobs 10`.

It runs the scheduler, too, so give `arena run --cluster` the address that it prints. `--show`
prints the script of a job and submits nothing.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import socket
import sys
from pathlib import Path

from dask_jobqueue.slurm import SLURMCluster

from card_arena.cluster.engine import security, set_up


def main() -> None:
    """Submit jobs, which end when this is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1, help="how many nodes play")
    parser.add_argument("--cores", type=int, default=2, help="matches at a time on each")
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--time", default="12:00:00")
    parser.add_argument("--queue", default=None, help="SLURM's partition")
    parser.add_argument("--port", type=int, default=8786)
    parser.add_argument("--keys", type=Path, default=Path("var/keys").absolute())
    parser.add_argument("--show", action="store_true", help="only print the script of a job")
    given = parser.parse_args()
    set_up()
    address = f"tls://{socket.gethostname()}:{given.port}"
    with SLURMCluster(
        queue=given.queue,
        cores=given.cores,
        processes=1,
        memory=given.memory,
        walltime=given.time,
        python=shlex.quote(sys.executable),
        worker_command="card_arena.commands.cluster_job",
        worker_extra_args=["--keys", shlex.quote(str(given.keys))],
        job_script_prologue=[f"cd {shlex.quote(str(Path.cwd()))}"],
        security=security(address, given.keys),
        protocol="tls://",
        scheduler_options={"port": given.port, "dashboard_address": "127.0.0.1:0"},
    ) as cluster:
        if given.show:
            print(cluster.job_script())
            return
        print(f"arena run --cluster {cluster.scheduler_address} --keys {given.keys}", flush=True)
        cluster.scale(jobs=given.jobs)
        signal.pause()


if __name__ == "__main__":
    main()
