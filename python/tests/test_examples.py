"""Examples/scale, with a stand-in for the engine."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import EXAMPLES

import waymark_maps

SHARES = 16


@pytest.fixture
def data(tmp_path, scene):
    scene.save(tmp_path / "base.json")
    lines = [json.dumps({"id": f"p{n}", "change": {"hall": {"captionText": f"{n}"}}}) for n in range(64)]
    (tmp_path / "jobs.jsonl").write_text("\n".join(lines))
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "srun").write_text('#!/bin/sh\nexec "$@"\n')
    (commands / "srun").chmod(0o755)
    (commands / "waymark").symlink_to(waymark_maps.program())
    return tmp_path


def environment(data, **variables):
    return {**os.environ, "PATH": f"{data / 'bin'}:{os.environ['PATH']}", **variables}


def check(folder):
    assert {path.name for path in folder.glob("*.png")} == {f"p{n}.png" for n in range(64)}


def test_an_array_of_slurm(data):
    script = EXAMPLES / "scale" / "slurm.sh"
    assert f"--array=0-{SHARES - 1}\n" in script.read_text()
    for task in [*range(SHARES), 3]:
        command = [script, "jobs.jsonl", "base.json", "pictures"]
        done = subprocess.run(command, cwd=data, env=environment(data, SLURM_ARRAY_TASK_ID=str(task), SLURM_CPUS_PER_TASK="1"), capture_output=True)
        assert done.returncode == 0, done.stderr
    # The one that was started again had nothing to do.
    assert json.loads(done.stdout)["done"] == 0
    check(data / "pictures")
    assert subprocess.run([script], capture_output=True).returncode == 64


def test_an_indexed_job_of_kubernetes(data):
    text = (EXAMPLES / "scale" / "kubernetes.yaml").read_text()
    assert f"completions: {SHARES}\n" in text
    block = re.search(r"args:\n((?: +- .*\n)+)", text).group(1)
    for index in range(SHARES):
        arguments = [line.strip()[2:].replace("/data/", "").replace("$(JOB_COMPLETION_INDEX)", str(index)) for line in block.splitlines()]
        assert subprocess.run([waymark_maps.program(), *arguments], cwd=data, capture_output=True).returncode == 0
    check(data / "pictures")


def test_a_dataset_on_ray(data):
    pytest.importorskip("ray.data")
    (data / "shops.csv").write_text("id,name,lng,lat\n" + "".join(f"s{n},Café {n},{127 + n / 100},37.5\n" for n in range(20)))
    variables = {"PYTHONPATH": str(pathlib.Path(waymark_maps.__file__).parents[1]), "RAY_DEDUP_LOGS": "0"}
    command = [sys.executable, EXAMPLES / "scale" / "dataset.py", "shops.csv", "cards"]
    done = subprocess.run(command, cwd=data, env=environment(data, **variables), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout[done.stdout.index("{") :])["done"] == 20
    assert len(list((data / "cards").glob("*.png"))) == 20
