"""Helps tests compare pictures of scenes with expected pictures."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .comparison import rule_arguments
from .encoding import brief, write_whole
from .overlays import Camera, Color, Fit, Size
from .picture import Picture
from .program import run
from .renderer import Renderer

#: The values of ``WAYMARK_RECORD``.
_RECORDINGS = {"1": "all", "all": "all", "0": "never", "never": "never", "missing": "missing"}
#: A sentence for each expectation that was recorded because of ``WAYMARK_RECORD=1``.
recorded: list[str] = []
#: The test that uses each expected picture, so that two tests do not share one by mistake.
_claims: dict[Path, str] = {}

_renderer: Renderer | None = None


class MissingExpectation(AssertionError):
    """An expectation was missing, and has been recorded."""


def renderer() -> Renderer:
    """The renderer with which this process draws pictures for tests. On Mesa's software rasterizer, the pictures are the same on all
    processors.
    """
    global _renderer
    if _renderer is None:
        # Otherwise, the results of Mesa's rasterizer depend on the processor's instruction set.
        os.environ.setdefault("GALLIUM_OVERRIDE_CPU_CAPS", "sse4.1")
        _renderer = Renderer()
    return _renderer


def assert_picture(
    scene: Any,
    name: str,
    *,
    size: Size | Mapping[str, Any] | tuple[float, float] | None = None,
    pixel_ratio: float | None = None,
    background: Color | None = None,
    camera: Camera | Fit | Mapping[str, Any] | None = None,
    threshold: int | None = None,
    allowed: float | None = None,
    ignore_antialiasing: bool = False,
    ignore: Sequence[str] = (),
    ignore_types: Sequence[str] = (),
    ignore_rects: Sequence[Sequence[int]] = (),
    with_renderer: Renderer | None = None,
    test_file: str | os.PathLike[str] | None = None,
    report_folder: str | os.PathLike[str] | None = None,
) -> None:
    """Asserts that the picture of a scene is as expected.

    ::

        def test_the_shops(assert_picture):     # a fixture of pytest; for other test libraries, import the function
            assert_picture(shops(), "shops")

    The expectation is a picture in a folder with the name of the test file, within the folder ``Pictures`` next to that file. Each family
    of renderers has its own expectation, for example ``shops.llvmpipe.png``. Next to it is a JSON file with the positions of everything in
    the picture. A missing expectation is recorded, and the test then fails, as a reminder to look at the picture. With the fixture, the
    test fails at its end, so that all of its missing expectations are recorded. With ``WAYMARK_RECORD=1`` in the environment, all
    expectations are recorded, and pytest lists the replaced ones. With ``WAYMARK_RECORD=0``, no expectation is recorded.

    A failure lists the overlays that differ and how they differ, and names a page that shows the pictures.

    :param scene: the scene, in any form that ``render`` accepts.
    :param name: the name of the picture within the test file: letters, digits, hyphens, underscores, spaces and dots.
    :param threshold: differences of up to this value in a channel are ignored, 0 to 255. Default 0, or 3 if the expectation was drawn by
        another renderer.
    :param allowed: the largest allowed share of differing pixels in any 16 × 16 window, 0 to 1. Default 0, or 0.02 if the expectation was
        drawn by another renderer.
    :param with_renderer: the renderer to use. Default: a renderer that all tests of the process share.
    :param test_file: the test file. Default: the file of the caller.
    :param report_folder: the folder of the page, unless the environment variable ``WAYMARK_REPORT`` names one. Default:
        ``waymark-pictures`` in the temporary folder.
    :raises AssertionError: the picture is not as expected, or there was no expectation.
    :raises WaymarkError: the scene cannot be drawn.

    The other parameters are described at ``render`` and ``diff``.
    """
    __tracebackhide__ = True
    file = Path(sys._getframe(1).f_code.co_filename if test_file is None else test_file)
    place = os.environ.get("PYTEST_CURRENT_TEST", "").rsplit(" (", 1)[0] or f"{file}:{sys._getframe(1).f_lineno}"
    recording = _recording()
    folder = file.absolute().parent / "Pictures" / file.stem
    _claim(folder, name, place)
    used = renderer() if with_renderer is None else with_renderer
    picture = used.render(scene, size=size, pixel_ratio=pixel_ratio, background=background, camera=camera, inspect=True)
    family = "-".join(re.findall("[A-Za-z0-9]+", re.split(r"[(/]", used.device_name)[0])) or "unknown"
    expected = folder / f"{name}.{family}.png"
    if recording == "all":
        if sentence := _record(expected, picture, used.device_name):
            recorded.append(f'"{name}" {sentence}')
        return
    if not expected.exists():
        # A picture of another renderer is better than no comparison.
        others = sorted(path for path in folder.glob(f"{glob.escape(name)}.*.png") if "." not in path.name[len(name) + 1 : -4])
        if not others:
            if recording == "never":
                raise AssertionError(f"the expected picture {expected} is missing; record it with WAYMARK_RECORD=1")
            _record(expected, picture, used.device_name)
            raise MissingExpectation(f"the expected picture was missing and has been recorded as {expected}: check it and run the test again")
        expected = others[0]
    report = Path(os.environ.get("WAYMARK_REPORT") or report_folder or Path(tempfile.gettempdir()) / "waymark-pictures") / file.stem
    page, actual, placement = (report / f"{name}.{extension}" for extension in ("html", "png", "json"))
    for path in (page, actual, placement):
        path.unlink(missing_ok=True)
    if expected.read_bytes() == picture.data:
        return
    drawn_by = _drawn_by(expected)
    is_same = drawn_by == used.device_name
    report.mkdir(parents=True, exist_ok=True)
    _write(actual, picture, None)
    rule = rule_arguments(
        (0 if is_same else 3) if threshold is None else threshold,
        (0 if is_same else 0.02) if allowed is None else allowed,
        ignore_antialiasing,
        ignore,
        ignore_types,
        ignore_rects,
    )
    status, text = run(["diff", str(expected), str(actual), f"--html={page}", *rule])
    if status == 0:
        for path in (page, actual, placement):
            path.unlink(missing_ok=True)
        return
    other = "" if is_same else f"The expectation was drawn by {drawn_by or 'another renderer'}; this machine uses {used.device_name}.\n"
    raise AssertionError(
        f'"{name}" differs from {expected}\n{text.decode().strip()}\n{other}Report: {page}\n'
        "To accept this picture, run again with WAYMARK_RECORD=1."
    )


def _recording() -> str:
    value = os.environ.get("WAYMARK_RECORD", "missing")
    if value not in _RECORDINGS:
        raise AssertionError(
            f'WAYMARK_RECORD is "{value}", but must be "1" (record all pictures), "0" (record none) or "missing" (record missing ones)'
        )
    return _RECORDINGS[value]


def _claim(folder: Path, name: str, place: str) -> None:
    if not re.fullmatch(r"(?![. ])[\w. -]{1,100}(?<! )", name):
        raise AssertionError(
            f"{brief(name)} is not a valid picture name: use 1 to 100 letters, digits, -, _, spaces and dots; "
            "the name must not begin with a dot or a space, and must not end with a space"
        )
    other = _claims.setdefault(folder / name, place)
    if other != place:
        raise AssertionError(f'"{name}" is used by two tests, this one and {other}; give each picture its own name')


def _record(expected: Path, picture: Picture, renderer: str) -> str | None:
    """Writes an expectation.

    :return: a sentence that reports the recorded or replaced expectation; None if nothing has changed.
    """
    sentence = f"is recorded as {expected}"
    if expected.exists():
        if expected.read_bytes() != picture.data:
            with tempfile.TemporaryDirectory(prefix="waymark-") as folder:
                new = Path(folder) / expected.name
                _write(new, picture, renderer)
                _, text = run(["diff", str(expected), str(new)])
            sentence = f"replaces {expected}: {text.decode().strip()}"
        elif _drawn_by(expected) != renderer:
            sentence = f"replaces {expected}: the picture is the same, but its JSON file named a different renderer or no renderer"
        else:
            return None
    expected.parent.mkdir(parents=True, exist_ok=True)
    _write(expected, picture, renderer)
    return sentence


def _write(path: Path, picture: Picture, renderer: str | None) -> None:
    """Writes a picture, and next to it the positions of everything in it, in the form that `waymark diff` reads."""
    drawn_by = {} if renderer is None else {"drawnBy": {"renderer": renderer}}
    write_whole(path.with_suffix(".json"), json.dumps({**drawn_by, **(picture.inspection or {})}, ensure_ascii=False, indent=1).encode() + b"\n")
    write_whole(path, picture.data)


def _drawn_by(expected: Path) -> str | None:
    """The renderer that drew an expectation, if its JSON file names it."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return str(json.loads(expected.with_suffix(".json").read_bytes())["drawnBy"]["renderer"])
    return None


__all__ = ["assert_picture", "renderer"]
