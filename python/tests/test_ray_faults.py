"""Datasets on Ray, while processes, nodes and stores fail: in the end every picture exists and is complete."""

import errno
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import jobs, pictures, ray_variables

import waymark_maps

ray = pytest.importorskip("ray")

import failing_store  # noqa: E402

import waymark_maps.ray  # noqa: E402
from waymark_maps.outputs import OutputFolder  # noqa: E402


@pytest.fixture
def no_process_is_left():
    """Ray's own processes stay."""


def check(folder, count):
    """Every picture is there as a whole, and nothing else."""
    found = pictures(folder)
    assert set(found) == {f"p{n}.png" for n in range(count)}
    assert all(data.startswith(b"\x89PNG") and data.endswith(b"IEND\xaeB`\x82") for data in found.values())


# Processes and nodes


def processes():
    """The processes of this cluster that draw, the programs that supervise their workers, and these: descendants of this process, and no others
    of the machine."""
    parents, commands = {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            commands[int(entry)] = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes()
            parents[int(entry)] = int(pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue

    def descends(process):
        while process in parents and process != os.getpid():
            process = parents[process]
        return process == os.getpid()

    found = {"ray": [], "waymark": [], "worker": []}
    for process, command in commands.items():
        if not descends(process):
            continue
        if command.startswith(b"ray::_draw"):
            found["ray"].append(process)
        # The other children of this process are the workers of this process's functions.
        elif b"waymark\0worker\0" in command and parents[process] != os.getpid():
            found["waymark" if b"--workers" in command else "worker"].append(process)
    return found


@pytest.mark.parametrize("kind, every", [("ray", 1.0), ("waymark", 0.5), ("worker", 0.2)])
def test_processes_killed_again_and_again(cluster, scene, tmp_path, kind, every):
    killed = 0
    is_over = threading.Event()

    def kill():
        nonlocal killed
        while not is_over.wait(every):
            for process in processes()[kind][:1]:
                os.kill(process, signal.SIGKILL)
                killed += 1

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        summary = waymark_maps.ray.render_dataset(jobs(1000), scene, tmp_path, batch_size=25)
    finally:
        is_over.set()
        thread.join()
    assert killed > 0
    # A waymark worker that was hit twice during one picture loses it; a second run has it.
    if summary["failed"]:
        assert kind != "ray" and {failure["code"] for failure in summary["failures"]} == {70}
        summary = waymark_maps.ray.render_dataset(jobs(1000), scene, tmp_path)
        assert summary["failed"] == 0
    check(tmp_path, 1000)


def test_a_run_that_is_killed_goes_on(cluster, scene, tmp_path):
    scene.save(tmp_path / "scene.json")
    code = f"""
import os, ray, signal, waymark_maps, waymark_maps.ray

def watch(summary):
    if summary["done"] >= 200:
        os.kill(os.getpid(), signal.SIGKILL)

ray.init(address={ray.get_runtime_context().gcs_address!r}, log_to_driver=False, logging_level="ERROR")
jobs = [waymark_maps.Job(f"p{{n}}", change={{"hall": {{"captionText": f"{{n}}"}}}}) for n in range(1000)]
waymark_maps.ray.render_dataset(jobs, "scene.json", "out", batch_size=20, progress=watch)
"""
    killed = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    summary = waymark_maps.ray.render_dataset(jobs(1000), scene, tmp_path / "out")
    assert summary["skipped"] >= 200 and summary["skipped"] + summary["done"] == 1000 and summary["failed"] == 0
    check(tmp_path / "out", 1000)
    # And once more there is nothing to do.
    summary = waymark_maps.ray.render_dataset(jobs(1000), scene, tmp_path / "out")
    assert summary["skipped"] == 1000 and summary["done"] == 0


# Stores


def test_an_output_that_cannot_be_written_for_a_while(cluster, scene, tmp_path):
    folder = tmp_path / "out"
    folder.write_text("in the way")

    def make_way():
        time.sleep(3)
        folder.unlink()

    thread = threading.Thread(target=make_way)
    thread.start()
    summary = waymark_maps.ray.render_dataset(jobs(20), scene, folder, resume=False)
    thread.join()
    assert summary["done"] == 20 and len(pictures(folder)) == 20
    # Not for ever.
    (tmp_path / "file").write_text("in the way")
    summary = waymark_maps.ray.render_dataset(jobs(3), scene, tmp_path / "file", resume=False, patience=0.5)
    assert summary["failed"] == 3 and {failure["code"] for failure in summary["failures"]} == {73}
    assert all(failure["message"].endswith(": Not a directory") or "exists" in failure["message"] for failure in summary["failures"])


@pytest.fixture
def small_disk(tmp_path):
    """A separate file system of 2 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", place], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"mounting a small file system needs more rights: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_a_disk_of_no_use_for_a_while(cluster, scene, small_disk, trouble):
    ballast = small_disk / "ballast"
    if trouble == "full":
        with pytest.raises(OSError) as error, open(ballast, "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        assert error.value.errno == errno.ENOSPC
    else:
        subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)

    def help():
        time.sleep(3)
        if trouble == "full":
            ballast.unlink()
        else:
            subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)

    thread = threading.Thread(target=help)
    thread.start()
    summary = waymark_maps.ray.render_dataset(jobs(60), scene, small_disk, resume=False, batch_size=10)
    thread.join()
    assert summary["done"] == 60 and summary["failed"] == 0
    # What was drawn waited.
    assert summary["stages"]["write"]["sum"] > 1000
    check(small_disk, 60)


@pytest.mark.parametrize("trouble", ["full", "lost"])
def test_a_store_of_no_use_in_the_middle(cluster, scene, tmp_path, trouble):
    """A store other than a disk; it writes only half of the data."""
    output = tmp_path / "out"
    output.mkdir()
    switch = tmp_path / "trouble"
    threads = []

    def watch(summary):
        if not threads:
            switch.write_text(trouble)
            threads.append(threading.Timer(3, switch.unlink))
            threads[0].start()

    dataset = ray.data.from_items([{"n": n} for n in range(400)])
    options = {"storage_options": {"switch": str(switch)}, "batch_size": 20, "progress": watch}
    summary = waymark_maps.ray.render_dataset(dataset, scene, f"failing://{output}", job=failing_store.job, **options)
    threads[0].join()
    assert summary["done"] == 400 and summary["failed"] == 0
    assert summary["stages"]["write"]["sum"] > 1000
    check(output, 400)
    # The second run lists the existing pictures, and draws the missing ones.
    for n in range(0, 400, 4):
        (output / f"p{n}.png").unlink()
    summary = waymark_maps.ray.render_dataset(dataset, scene, f"failing://{output}", job=failing_store.job, storage_options={"switch": str(switch)})
    assert (summary["done"], summary["skipped"]) == (100, 300)
    check(output, 400)


def test_a_store_that_cannot_be_listed(tmp_path):
    switch = tmp_path / "trouble"
    folder = OutputFolder(f"failing://{tmp_path / 'out'}", {"switch": str(switch)}, patience=0.3)
    assert set(folder.names()) == set()
    switch.write_text("lost")
    with pytest.raises(waymark_maps.OutputError, match="out: the folder cannot be listed: Connection reset by peer"):
        set(folder.names())
    with pytest.raises(waymark_maps.OutputError, match="a.png: Connection reset by peer"):
        folder.write("a.png", b"12345")
    switch.unlink()
    folder.write("a.png", b"12345")
    assert set(folder.names()) == {"a.png"}


# The last test, since it ends the cluster of the others


def test_nodes_that_are_lost(scene, tmp_path):
    """Two nodes, one of which is killed in the middle."""
    from ray.cluster_utils import Cluster

    if ray.is_initialized():
        ray.shutdown()
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        second = nodes.add_node(num_cpus=1)
        ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR", runtime_env={"env_vars": ray_variables()})
        nodes.wait_for_nodes()
        lost = []

        def watch(summary):
            # Once both have drawn.
            if len(summary["nodes"]) == 2 and not lost:
                lost.append(second)
                nodes.remove_node(second, allow_graceful=False)

        summary = waymark_maps.ray.render_dataset(jobs(2000), scene, tmp_path, batch_size=50, progress=watch)
    finally:
        ray.shutdown()
        nodes.shutdown()
    assert lost, "only one node has drawn"
    assert summary["failed"] == 0 and summary["done"] == 2000
    check(tmp_path, 2000)
    assert json.loads(json.dumps(summary)) == summary
