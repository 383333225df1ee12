"""The exceptions of this package.

Each exception has the program's error message and its exit code (as in sysexits).
"""

from __future__ import annotations

import re
from collections.abc import Iterable


class WaymarkError(Exception):
    """The base class of all exceptions of this package. ``str(error)`` is a single sentence; ``error.code`` is the matching exit code of
    the program.
    """

    code: int = 70

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class UsageError(WaymarkError):
    """An argument or a call is invalid (exit code 64)."""

    code = 64


class SceneError(WaymarkError):
    """A scene, a job, a file that one of them names, or an argument that replaces a part of the scene is invalid (exit code 65)."""

    code = 65


class InputError(WaymarkError):
    """A named file is missing or cannot be read (exit code 66)."""

    code = 66


class DeviceError(WaymarkError):
    """The machine lacks a required component: EGL, a driver, the requested GPU, or fonts (exit code 69)."""

    code = 69


class InternalError(WaymarkError):
    """The program failed because of an error in Waymark (exit code 70)."""

    code = 70


class WorkerCrashed(WaymarkError):
    """The worker process ended while it drew this picture (exit code 70). Other pictures are not affected."""

    code = 70


class OutputError(WaymarkError):
    """The output cannot be written (exit code 73)."""

    code = 73


class DeadlineExceeded(WaymarkError):
    """The picture was not finished in time, or its worker did not start in time (exit code 75). The worker was terminated. Other pictures
    are not affected.
    """

    code = 75


class MissingPackage(WaymarkError, ImportError):
    """A Python package that this function needs is not installed (exit code 69)."""

    code = 69


_BY_CODE: dict[int, type[WaymarkError]] = {
    64: UsageError,
    65: SceneError,
    66: InputError,
    69: DeviceError,
    70: InternalError,
    73: OutputError,
    75: DeadlineExceeded,
}


def error_of(code: int, message: str) -> WaymarkError:
    """The exception for an exit code of the program."""
    return _BY_CODE.get(code, InternalError)(with_arguments(message), code)


def unexpected_argument(function: str, name: str, known: Iterable[str]) -> TypeError:
    """The exception for a named argument that a function does not have. It suggests the most similar argument."""
    import difflib

    # As scene files write it.
    snake = re.sub("[A-Z]", lambda match: "_" + match[0].lower(), name)
    similar = difflib.get_close_matches(snake, known, 1)
    hint = f"; did you mean {similar[0]!r}?" if similar else ""
    return TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def with_arguments(message: str) -> str:
    """A message of the program in which names of the program's options are replaced by names of the function's arguments."""
    # An option that is repeated is a list in Python.
    message = re.sub("^--(ignore-type|ignore-rect)(?=: )", r"--\1s", message)
    return re.sub("^--([a-z-]+)(?=: )", lambda match: match[1].replace("-", "_"), message)
