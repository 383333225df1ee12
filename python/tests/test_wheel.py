"""The wheel that carries the program."""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT

import waymark

SOURCE = ROOT / "python"


def build(folder, source=SOURCE, **environment):
    variables = {key: value for key, value in os.environ.items() if key not in ("WAYMARK_PROGRAM", "PYTHONPATH")}
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-q", "-w", folder, source]
    return subprocess.run(command, env=variables | environment, capture_output=True, text=True)


@pytest.fixture
def copy(tmp_path):
    """The package without the checkout around it."""
    pytest.importorskip("hatchling")
    return shutil.copytree(SOURCE, tmp_path / "alone", ignore=shutil.ignore_patterns("__pycache__", ".*cache"))


def test_a_wheel_needs_nothing_else(copy, tmp_path):
    done = build(tmp_path / "wheels", copy, WAYMARK_PROGRAM=waymark.program())
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "wheels").iterdir()
    assert wheel.name == f"waymark-0.1.0-py3-none-linux_{os.uname().machine}.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert "waymark/bin/waymark" in archive.namelist() and "waymark/py.typed" in archive.namelist()
        assert "Root-Is-Purelib: false" in archive.read("waymark-0.1.0.dist-info/WHEEL").decode()
    place = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", place, wheel]
    assert subprocess.run(install, capture_output=True).returncode == 0
    environment = {key: value for key, value in os.environ.items() if key not in ("WAYMARK_PROGRAM", "PYTHONPATH")} | {"PYTHONPATH": str(place)}
    code = "import waymark, sys; sys.stdout.buffer.write(waymark.render({'waymark': 1, 'size': {'width': 4, 'height': 4}}).png)"
    drawn = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, cwd=tmp_path)
    assert drawn.stdout == waymark.render({"waymark": 1, "size": {"width": 4, "height": 4}}).png, drawn.stderr
    for command in ([place / "bin" / "waymark"], [sys.executable, "-m", "waymark"]):
        version = subprocess.run([*command, "--version"], env=environment, capture_output=True, text=True, cwd=tmp_path)
        assert version.stdout == "0.1.0\n", version.stderr
    # The program itself is what runs, with its exit codes.
    assert subprocess.run([place / "bin" / "waymark", "render", "none.json"], env=environment, capture_output=True).returncode == 66


def test_without_a_checkout_one_sentence_says_what_is_missing(copy, tmp_path):
    done = build(tmp_path / "wheels", copy)
    assert done.returncode != 0
    assert (
        "waymark: this folder is not in a checkout of Waymark, from which the waymark program is built; "
        "name a program that is there in WAYMARK_PROGRAM"
    ) in done.stderr
    assert "Traceback" not in done.stderr
    done = build(tmp_path / "wheels", copy, WAYMARK_PROGRAM="/none")
    assert "waymark: WAYMARK_PROGRAM: /none is no program" in done.stderr


def test_without_swift_one_sentence_says_what_is_missing(copy, tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "release").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "tools" / "release").chmod(0o755)
    done = build(tmp_path / "wheels", copy, PATH="/nowhere")
    assert "waymark: there is no Swift compiler to build the waymark program with; install Swift 6.1 or later" in done.stderr
    swift = tmp_path / "bin" / "swift"
    swift.parent.mkdir()
    swift.write_text("#!/bin/sh\n")
    swift.chmod(0o755)
    done = build(tmp_path / "wheels", copy, PATH=f"{swift.parent}:/usr/bin:/bin")
    assert "waymark: tools/release failed, with exit code 1; its message stands above" in done.stderr


def test_the_release_program_makes_a_wheel_for_others(copy, tmp_path):
    released = tmp_path / "out" / "release" / "waymark"
    released.parent.mkdir(parents=True)
    shutil.copy2(waymark.program(), released)
    assert build(tmp_path / "wheels", copy).returncode == 0
    assert [path.name for path in (tmp_path / "wheels").iterdir()] == ["waymark-0.1.0-py3-none-manylinux_2_36_x86_64.whl"]


def test_an_installation_without_a_program_says_so(monkeypatch):
    monkeypatch.delenv("WAYMARK_PROGRAM")
    assert not (SOURCE / "src" / "waymark" / "bin").exists()
    with pytest.raises(waymark.DeviceError, match="this installation of the waymark package carries no program"):
        waymark.Pool(1)


def test_the_version_is_that_of_the_program(run_program):
    assert run_program("--version").stdout.decode().strip() == waymark.__version__


def test_types():
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=SOURCE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


assert pathlib.Path(waymark.__file__).is_relative_to(SOURCE), "the tests are for the package of this checkout"
