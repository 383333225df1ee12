"""Puts the waymark program into the wheel: the one that WAYMARK_PROGRAM names, else the release program of the checkout around this
folder, which tools/release builds when it is not there. The license texts of what the release program contains go along: tools/package writes
them next to it."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The oldest glibc with which tools/release makes sure that its program runs.
RELEASE_PLATFORM = f"manylinux_2_34_{platform.machine()}"


class ProgramHook(BuildHookInterface[Any]):
    folder: "tempfile.TemporaryDirectory[str] | None" = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # WAYMARK_PROGRAM names it when it runs.
        if platform.system() != "Linux":
            fail(f"the waymark program runs on Linux, not on {platform.system()}")
        named = os.environ.get("WAYMARK_PROGRAM")
        checkout = Path(self.root).parent
        if named:
            program, tag = Path(named), f"linux_{platform.machine()}"
            if not os.access(program, os.X_OK) or not program.is_file():
                fail(f"WAYMARK_PROGRAM: {named} is not a program")
        else:
            program, tag = checkout / "out" / "release" / "waymark", RELEASE_PLATFORM
            if not program.is_file():
                build(checkout)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        self.folder = tempfile.TemporaryDirectory(prefix="waymark-")
        build_data["force_include"][str(stripped(program, Path(self.folder.name)))] = "waymark_maps/bin/waymark"
        licenses = program.with_name("THIRD-PARTY-LICENSES")
        if not named and licenses.is_file():
            build_data["force_include"][str(licenses)] = "waymark_maps/bin/THIRD-PARTY-LICENSES"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.folder is not None:
            self.folder.cleanup()


def build(checkout: Path) -> None:
    release = checkout / "tools" / "release"
    if not release.is_file():
        fail(
            "this folder is not in a checkout of Waymark, from which the waymark program is built; "
            "name a program that is there in WAYMARK_PROGRAM"
        )
    if shutil.which("swift") is None:
        fail(
            "building the waymark program requires Swift; install Swift 6.1 or later from "
            "https://www.swift.org/install, or name a program that is there in WAYMARK_PROGRAM"
        )
    print("building the waymark program with tools/release, which takes minutes", file=sys.stderr, flush=True)
    status = subprocess.run([str(release)], stdout=sys.stderr).returncode
    if status != 0:
        fail(f"tools/release failed, with exit code {status}; see its message above")


def stripped(program: Path, folder: Path) -> Path:
    """A copy without symbols, which are a fifth of the file, where there is `strip`."""
    copy = folder / "waymark"
    shutil.copy2(program, copy)
    copy.chmod(0o755)
    if shutil.which("strip"):
        subprocess.run(["strip", str(copy)], check=False)
    return copy


def fail(message: str) -> None:
    sys.exit(f"waymark-maps: {message}")
