"""The wheel that carries the program."""

import importlib.machinery
import importlib.util
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import venv
import zipfile

import pytest
from conftest import ROOT

import waymark_maps

SOURCE = ROOT / "python"


def build(folder, source=SOURCE, option="-q", **environment):
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", option, "-w", folder, source]
    return subprocess.run(command, env=clean_environment(**environment), capture_output=True, text=True)


def copied(folder):
    """The package without the checkout around it."""
    pytest.importorskip("hatchling")
    return shutil.copytree(SOURCE, folder / "alone", ignore=shutil.ignore_patterns("__pycache__", ".*cache"))


@pytest.fixture
def copy(tmp_path):
    return copied(tmp_path)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel with the program that the tests use."""
    folder = tmp_path_factory.mktemp("wheel")
    done = build(folder / "wheels", copied(folder), WAYMARK_PROGRAM=waymark_maps.program())
    assert done.returncode == 0, done.stderr
    (wheel,) = (folder / "wheels").iterdir()
    return wheel


def clean_environment(**variables):
    """The environment without the variables of these tests."""
    return {key: value for key, value in os.environ.items() if key not in ("WAYMARK_PROGRAM", "PYTHONPATH")} | variables


def test_a_wheel_needs_nothing_else(wheel, tmp_path):
    assert wheel.name == f"waymark_maps-0.1.0-py3-none-linux_{os.uname().machine}.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert "waymark_maps/bin/waymark" in archive.namelist() and "waymark_maps/py.typed" in archive.namelist()
        assert "[pytest11]\nwaymark = waymark_maps.pytest_plugin\n" in archive.read("waymark_maps-0.1.0.dist-info/entry_points.txt").decode()
        assert "Root-Is-Purelib: false" in archive.read("waymark_maps-0.1.0.dist-info/WHEEL").decode()
    place = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", place, wheel]
    assert subprocess.run(install, capture_output=True).returncode == 0
    environment = clean_environment(PYTHONPATH=str(place))
    code = "import waymark_maps, sys; sys.stdout.buffer.write(waymark_maps.render({'waymark': 1, 'size': {'width': 4, 'height': 4}}).png)"
    drawn = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, cwd=tmp_path)
    assert drawn.stdout == waymark_maps.render({"waymark": 1, "size": {"width": 4, "height": 4}}).png, drawn.stderr
    for command in ([place / "bin" / "waymark"], [sys.executable, "-m", "waymark_maps"]):
        version = subprocess.run([*command, "--version"], env=environment, capture_output=True, text=True, cwd=tmp_path)
        assert version.stdout.startswith("0.1.0 (commit "), version.stderr
    # The program itself is what runs, with its exit codes.
    assert subprocess.run([place / "bin" / "waymark", "render", "none.json"], env=environment, capture_output=True).returncode == 66


def other_waymark(folder):
    """A wheel with the names of PyPI's `waymark`, which is another project."""
    files = {
        "waymark/__init__.py": "def main():\n    print('another project')\n",
        "waymark/ray.py": "",
        "waymark-0.22.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: waymark\nVersion: 0.22.0\n",
        "waymark-0.22.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "waymark-0.22.0.dist-info/entry_points.txt": "[console_scripts]\nwaymark-worker = waymark:main\n",
    }
    record = "waymark-0.22.0.dist-info/RECORD"
    path = folder / "waymark-0.22.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, record: "".join(f"{name},,\n" for name in (*files, record))}.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("is_last", [False, True])
def test_another_project_named_waymark_may_be_installed_too(wheel, tmp_path, is_last):
    place = tmp_path / "environment"
    venv.create(place, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", place / "bin" / "python", "-q"]

    def run(*command):
        done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    wheels = [wheel, other_waymark(tmp_path)]
    for path in wheels if is_last else reversed(wheels):
        run(*pip, "install", "--no-index", "--no-deps", path)
    code = "import waymark, waymark.ray, waymark_maps; waymark.main(); print(waymark_maps.render({'waymark': 1, 'size': {'width': 4, 'height': 3}}).size)"
    assert run(place / "bin" / "python", "-c", code) == "another project\n(4, 3)\n"
    assert run(place / "bin" / "waymark-worker") == "another project\n"
    assert run(place / "bin" / "waymark", "--version").startswith("0.1.0 (commit ")
    # Neither has a file of the other.
    run(*pip, "uninstall", "-y", "waymark" if is_last else "waymark-maps")
    left = "import waymark_maps; waymark_maps.program()" if is_last else "import waymark; waymark.main()"
    run(place / "bin" / "python", "-c", left)
    assert (place / "bin" / "waymark").exists() == is_last and (place / "bin" / "waymark-worker").exists() != is_last


def test_without_a_checkout_one_sentence_says_what_is_missing(copy, tmp_path):
    done = build(tmp_path / "wheels", copy)
    assert done.returncode != 0
    assert (
        "waymark-maps: this folder is not in a checkout of Waymark, from which the waymark program is built; "
        "name a program that is there in WAYMARK_PROGRAM"
    ) in done.stderr
    assert "Traceback" not in done.stderr
    done = build(tmp_path / "wheels", copy, WAYMARK_PROGRAM="/none")
    assert "waymark-maps: WAYMARK_PROGRAM: /none is not a program" in done.stderr


def test_without_swift_one_sentence_says_what_is_missing(copy, tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "release").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "tools" / "release").chmod(0o755)
    done = build(tmp_path / "wheels", copy, PATH="/nowhere")
    assert "waymark-maps: building the waymark program requires Swift; install Swift 6.1 or later" in done.stderr
    swift = tmp_path / "bin" / "swift"
    swift.parent.mkdir()
    swift.write_text("#!/bin/sh\n")
    swift.chmod(0o755)
    done = build(tmp_path / "wheels", copy, PATH=f"{swift.parent}:/usr/bin:/bin")
    assert "waymark-maps: tools/release failed, with exit code 1; see its message above" in done.stderr


def test_a_verbose_installation_shows_the_build(copy, tmp_path):
    """pip passes on what tools/release prints, and tools/release prints what `swift build` prints, as it comes."""
    release = tmp_path / "tools" / "release"
    release.parent.mkdir()
    release.write_text(f'#!/bin/sh\necho "[1/2] Compiling"\nmkdir -p {tmp_path}/out/release\ncp {waymark_maps.program()} {tmp_path}/out/release/waymark\n')
    swift = tmp_path / "bin" / "swift"
    swift.parent.mkdir()
    swift.write_text(f'#!/bin/sh\ncase "$*" in *--show-bin-path*) echo {tmp_path}/out/release;; *) echo "[1/2] Compiling";; esac\n')
    release.chmod(0o755)
    swift.chmod(0o755)
    path = f"{swift.parent}:{os.environ['PATH']}"
    done = build(tmp_path / "wheels", copy, "-v", PATH=path)
    assert done.returncode == 0 and "[1/2] Compiling" in done.stdout + done.stderr, done.stderr
    code = (
        "import importlib.machinery, importlib.util, sys\n"
        f"loader = importlib.machinery.SourceFileLoader('release', {str(ROOT / 'tools/release')!r})\n"
        "release = importlib.util.module_from_spec(importlib.util.spec_from_loader('release', loader))\n"
        "loader.exec_module(release)\n"
        f"release.BUILD, release.RELEASE, release.make_packages = {str(tmp_path)!r}, {str(tmp_path / 'made')!r}, lambda: 'packages'\n"
        f"release.build('waymark', {str(tmp_path)!r}, 'scratch', [], 'simdjson', 'older.o')\n"
    )
    done = subprocess.run([sys.executable, "-B", "-c", code], env=clean_environment(PATH=path), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "[1/2] Compiling\n")
    assert (tmp_path / "build.log").read_text() == "[1/2] Compiling\n" and (tmp_path / "made/waymark").exists()
    swift.write_text('#!/bin/sh\necho "error: no such module"\nexit 3\n')
    done = subprocess.run([sys.executable, "-B", "-c", code], env=clean_environment(PATH=path), capture_output=True, text=True)
    assert done.stderr == f"error: no such module\nrelease: the build failed; its output above is also in {tmp_path}/build.log\n"


def test_the_wheel_contains_the_licenses(wheel):
    with zipfile.ZipFile(wheel) as archive:
        for name in ("LICENSE", "NOTICE"):
            assert archive.read(f"waymark_maps-0.1.0.dist-info/licenses/{name}") == (ROOT / name).read_bytes()
        metadata = archive.read("waymark_maps-0.1.0.dist-info/METADATA").decode()
    assert "License-Expression: Apache-2.0\nLicense-File: LICENSE\nLicense-File: NOTICE\n" in metadata


def test_the_release_program_makes_a_wheel_for_others(copy, tmp_path):
    released = tmp_path / "out" / "release" / "waymark"
    released.parent.mkdir(parents=True)
    shutil.copy2(waymark_maps.program(), released)
    (released.parent / "THIRD-PARTY-LICENSES").write_text("the licenses")
    assert build(tmp_path / "wheels", copy).returncode == 0
    assert [path.name for path in (tmp_path / "wheels").iterdir()] == [f"waymark_maps-0.1.0-py3-none-manylinux_2_34_{platform.machine()}.whl"]
    with zipfile.ZipFile(tmp_path / "wheels" / f"waymark_maps-0.1.0-py3-none-manylinux_2_34_{platform.machine()}.whl") as archive:
        assert archive.read("waymark_maps/bin/THIRD-PARTY-LICENSES") == b"the licenses"


@pytest.fixture
def package(tmp_path):
    """tools/package as a module that writes into a temporary folder."""
    loader = importlib.machinery.SourceFileLoader("package", str(ROOT / "tools" / "package"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("package", loader))
    path, writes = [*sys.path], sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        loader.exec_module(module)
    finally:
        sys.path[:], sys.dont_write_bytecode = path, writes
    module.RELEASE, module.WORK = str(tmp_path / "release"), str(tmp_path / "work")
    os.mkdir(module.RELEASE)
    return module


def test_a_release_puts_its_program_and_license_texts_into_the_wheel(package, tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_PROGRAM", "/another")
    package.write("the licenses", tmp_path, "program", "share", "doc", "waymark", "THIRD-PARTY-LICENSES")
    builds = []

    def run(command, **options):
        if "wheel" in command:
            builds.append((options["env"].get("WAYMARK_PROGRAM"), package.read(package.RELEASE, "THIRD-PARTY-LICENSES")))

    monkeypatch.setattr(package, "run", run)
    package.make_wheel(str(tmp_path / "program"), 0)
    assert builds == [(None, "the licenses")] and os.listdir(package.RELEASE) == []


def test_an_archive_that_cannot_be_compressed_fails(package, tmp_path, monkeypatch):
    # More than a pipe holds.
    package.write("x" * 1_000_000, tmp_path, "folder", "file")
    gzip = tmp_path / "bin" / "gzip"
    gzip.parent.mkdir()
    gzip.write_text("#!/bin/sh\nexit 1\n")
    gzip.chmod(0o755)
    monkeypatch.setenv("PATH", f"{gzip.parent}:{os.environ['PATH']}")
    with pytest.raises(SystemExit, match="package: .*/a.tar.gz could not be written"):
        package.archive(str(tmp_path / "folder"), str(tmp_path / "a.tar.gz"), 0)


def test_an_installation_without_a_program_says_so(monkeypatch):
    monkeypatch.delenv("WAYMARK_PROGRAM")
    assert not (SOURCE / "src" / "waymark_maps" / "bin").exists()
    with pytest.raises(waymark_maps.DeviceError, match="the waymark program is missing from this installation of waymark-maps"):
        waymark_maps.Pool(1)


def test_the_version_is_that_of_the_program(run_program):
    assert run_program("--version").stdout.decode().split()[0] == waymark_maps.__version__


def test_types():
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=SOURCE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


assert pathlib.Path(waymark_maps.__file__).is_relative_to(SOURCE), "the tests are for the package of this checkout"
