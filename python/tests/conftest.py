"""What the tests share. They need the waymark program, which WAYMARK_PROGRAM names."""

import os
import pathlib
import stat
import subprocess
import sys

import pytest

import waymark

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "Examples"
FAKE = pathlib.Path(__file__).parent / "fake_worker.py"

# One rasterizer and one set of instructions for all, as in the tests in Swift.
os.environ.setdefault("WAYMARK_DEVICE", "software")


@pytest.fixture
def scene():
    """A scene that draws quickly."""
    return waymark.Scene(
        size=(64, 48),
        background="white",
        camera=waymark.Camera((126.978, 37.566), zoom=12),
        overlays=[waymark.Marker((126.978, 37.566), id="hall", caption_text="Hall")],
    )


@pytest.fixture
def run_program():
    """Runs the program, as a person would."""

    def run(*arguments, folder=None, stdin=None):
        return subprocess.run([waymark.program(), *map(str, arguments)], input=stdin, capture_output=True, cwd=folder)

    return run


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Puts a worker that does as the jobs say in the place of the program."""
    script = tmp_path / "fake-waymark"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} {FAKE} \"$@\"\n")
    script.chmod(script.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("WAYMARK_PROGRAM", str(script))
    monkeypatch.setenv("FAKE_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def no_process_is_left():
    """No test leaves a worker, not even a zombie, but the one that `waymark.render` keeps."""
    yield
    assert children() == []


def children():
    """The child processes of this one, zombies included, whose program is waymark or the fake; without the worker of
    `waymark.render`."""
    kept = waymark.renderer.shared()._worker
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
