"""Finds and runs the waymark program."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from .errors import DeviceError, error_of, with_arguments

Started = TypeVar("Started")


def program() -> str:
    """The path of the waymark program: ``WAYMARK_PROGRAM`` if it is set, otherwise the program in this package.

    :raises DeviceError: the program is missing.
    """
    named = os.environ.get("WAYMARK_PROGRAM")
    if named:
        return named
    carried = Path(__file__).parent / "bin" / "waymark"
    if carried.is_file():
        return str(carried)
    raise DeviceError(
        "the waymark program is missing from this installation of waymark-maps; "
        "reinstall the package with `pip install ./python` in a checkout of Waymark, or set WAYMARK_PROGRAM to the path of the program"
    )


def as_options(values: Mapping[str, Any], flags: Mapping[str, Any]) -> list[str]:
    """The program's options for arguments of a function. Values that are None and flags that are not set give no options."""
    given = {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in values.items() if value is not None}
    options = [*(f"{name}={value}" for name, value in given.items()), *(name for name, flag in flags.items() if flag)]
    return [f"--{option}" for option in options]


def run(arguments: Sequence[str]) -> tuple[int, bytes]:
    """Runs the program until it ends. Its warnings about options become Python warnings.

    :return: the exit code, which is 0, or 1 if ``diff`` has found a difference, and the standard output.
    :raises WaymarkError: for any other exit code.
    """
    done = start(arguments, lambda command: subprocess.run(command, input=b"", capture_output=True))
    if done.returncode not in (0, 1):
        raise error_of(done.returncode if done.returncode > 0 else 70, sentence(done.stderr, done.returncode))
    for line in done.stderr.decode("utf-8", "replace").splitlines():
        if line.startswith("warning: --"):
            # The warning points to the caller of the function that called this one.
            warnings.warn(with_arguments(line.removeprefix("warning: ")), stacklevel=3)
    return done.returncode, done.stdout


def start(arguments: Sequence[str], starter: Callable[[list[str]], Started]) -> Started:
    """Starts the program with ``starter``.

    :raises DeviceError: the system cannot start it.
    """
    command = [program(), *arguments]
    try:
        return starter(command)
    except OSError as error:
        raise DeviceError(f"{command[0]}: the waymark program cannot be started: {error.strerror}") from None


def sentence(errors: bytes, status: int) -> str:
    """The last reason that the program gave for its failure."""
    lines = [line.strip() for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
    for line in reversed(lines):
        if line[:7].lower() == "error: ":
            return line[7:]
    return lines[-1] if lines else f"the waymark program {fate(status)}"


def fate(status: int) -> str:
    """How a process ended, for messages."""
    if status >= 0:
        return f"ended with exit code {status}"
    import signal

    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"


def main() -> None:
    """The package's command ``waymark``. It replaces this process with the program."""
    path = program()
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: {path}: the waymark program cannot be started: {error.strerror}")
