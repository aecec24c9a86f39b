#!/bin/bash
# A SLURM job that plays for a cluster on one node, until its time is over:
#   sbatch --array=1-10 examples/slurm/worker.sh tls://login:8786
#SBATCH --job-name=card-arena
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@30
set -euo pipefail
# SLURM runs a copy of this file: the checkout is where sbatch was called.
cd "${SLURM_SUBMIT_DIR:-$(dirname "$0")/../..}"
# Builds and bundles stay on the node's own disk.
export ARENA_CACHE=${ARENA_CACHE:-${TMPDIR:-/tmp}/card-arena-$UID}
# exec, so that SLURM's signal ends the worker and its sandboxes before the job is killed
exec "${ARENA:-.venv/bin/arena}" cluster worker "$1" --name "${SLURMD_NODENAME:-$(hostname -s)}-${SLURM_JOB_ID:-0}"
