#!/bin/sh
# Draws a batch as an array of Slurm: sbatch slurm.sh jobs.jsonl base.json /shared/pictures
#
# Each of the 16 tasks draws its share of the jobs with all of its processors, and all write to one folder that every node sees. A task
# that Slurm requeues, because its node failed or was needed, goes on where it was: --resume is harmless the first time. So is sending the
# whole array again: it draws what is missing.
#SBATCH --job-name=waymark
#SBATCH --array=0-15
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=1G
#SBATCH --time=04:00:00
#SBATCH --requeue
# Tells waymark two minutes before the end: it finishes the pictures in hand.
#SBATCH --signal=TERM@120
set -u
SHARES=16 # as many as the array has tasks
[ $# -eq 3 ] || {
    echo "usage: sbatch slurm.sh JOBS.jsonl BASE.json FOLDER" >&2
    exit 64
}
# srun, so that the signal reaches waymark. Exit code 75: some pictures are missing, and failures-I-of-16.jsonl says which and why.
exec srun waymark batch "$1" --scene "$2" -o "$3" --shard "$SLURM_ARRAY_TASK_ID/$SHARES" \
    --workers "${SLURM_CPUS_PER_TASK:-1}" --resume
