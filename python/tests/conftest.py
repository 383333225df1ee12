"""What the tests share. They need the waymark program, which WAYMARK_PROGRAM names."""

import json
import os
import pathlib
import stat
import subprocess
import sys

import pytest

import waymark_maps
from waymark_maps import plotting
from waymark_maps.encoding import encode

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "Examples"
FAKE = pathlib.Path(__file__).parent / "fake_worker.py"

# One rasterizer and one set of instructions for all, as in the tests in Swift.
os.environ.setdefault("WAYMARK_DEVICE", "software")


@pytest.fixture
def scene():
    """A scene that draws quickly."""
    return waymark_maps.Scene(
        size=(64, 48),
        background="white",
        camera=waymark_maps.Camera((126.978, 37.566), zoom=12),
        overlays=[waymark_maps.Marker((126.978, 37.566), id="hall", caption_text="Hall")],
    )


@pytest.fixture
def scenes(monkeypatch):
    """The scenes that `plot` draws, as dicts with the features of their sources. They are not drawn."""
    found = []

    class Recorder:
        def render(self, scene, *, format):
            sources = []

            def path(source, uses_altitude):
                sources.append(json.loads(waymark_maps.features.geojson(source, uses_altitude=uses_altitude)))
                return f"{len(sources) - 1}"

            found.append({**json.loads(encode(scene, path)), "sources": sources})
            return waymark_maps.Picture(b"", format, (1, 1))

    monkeypatch.setattr(plotting, "shared", Recorder)
    return found


@pytest.fixture
def run_program():
    """Runs the program, as a person would."""

    def run(*arguments, folder=None, stdin=None):
        return subprocess.run([waymark_maps.program(), *map(str, arguments)], input=stdin, capture_output=True, cwd=folder)

    return run


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Puts a worker that does as the jobs say in the place of the program's workers. The program that supervises several is the real one."""
    program, worker = waymark_maps.program(), tmp_path / "fake-waymark"
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[0]
    write_script(worker, f'case "$*" in *--workers*) exec {program} "$@";; esac\nexec {sys.executable} {FAKE} "$@"')
    monkeypatch.setenv("WAYMARK_PROGRAM", str(worker))
    monkeypatch.setenv("WAYMARK_WORKER", str(worker))
    monkeypatch.setenv("FAKE_FOLDER", str(tmp_path))
    monkeypatch.setenv("FAKE_VERSION", version)
    return tmp_path


@pytest.fixture
def fake_program(fake, monkeypatch):
    """Puts the fake in the place of the program that supervises workers, too."""
    write_script(fake / "program", f'exec {sys.executable} {FAKE} "$@"')
    monkeypatch.setenv("WAYMARK_PROGRAM", str(fake / "program"))
    return fake


def write_script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)


@pytest.fixture(scope="module")
def cluster():
    """A Ray cluster of this machine, where Ray is installed."""
    ray = pytest.importorskip("ray")
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    options = {"log_to_driver": False, "logging_level": "ERROR", "runtime_env": {"env_vars": ray_variables()}}
    # A separate cluster, whatever others run on this machine.
    ray.init(address="local", num_cpus=2, include_dashboard=False, **options)
    yield
    ray.shutdown()


def ray_variables():
    """The environment variables with which Ray's processes find the package, the program and the modules next to the tests."""
    folders = [pathlib.Path(waymark_maps.__file__).parents[1], pathlib.Path(__file__).parent]
    return {"PYTHONPATH": ":".join(map(str, folders)), "WAYMARK_PROGRAM": waymark_maps.program(), "WAYMARK_DEVICE": "software"}


def jobs(count):
    return [waymark_maps.Job(f"p{n}", change={"hall": {"captionText": f"{n}"}}) for n in range(count)]


def pictures(folder):
    """The files in a folder and its subfolders."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def no_process_is_left():
    """No test leaves a worker, not even a zombie, but the one that `waymark_maps.render` keeps."""
    yield
    assert children() == []


def workers_of(pool):
    """The processes of a pool's workers that run."""
    process = pool._client._process
    return [] if process is None else [pid for pid in children_of(process.process.pid) if is_alive(pid)]


def children_of(pid):
    """The child processes of a process, zombies included."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    except OSError:
        pass  # It has ended.
    return found


def is_alive(pid):
    """Whether a process runs. A zombie does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def children():
    """The child processes of this one, zombies included, whose program is waymark or the fake; without the worker of
    `waymark_maps.render`."""
    kept = waymark_maps.renderer.shared()._worker
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            fields = pathlib.Path(f"/proc/{entry}/stat").read_text()
            command = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes()
        except OSError:
            continue
        name, rest = fields[fields.index("(") + 1 : fields.rindex(")")], fields[fields.rindex(")") + 2 :].split()
        if kept is not None and int(entry) == kept.process.pid:
            continue
        if int(rest[1]) == os.getpid() and ("waymark" in name or b"fake_worker" in command or "python" in name and rest[0] == "Z"):
            found.append(int(entry))
    return found
