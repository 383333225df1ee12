"""Compares two pictures or two scenes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .encoding import Element, brief, write_whole
from .errors import InputError, UsageError
from .features import is_geographic
from .picture import Picture
from .program import as_options, run
from .renderer import shared


@dataclass(frozen=True, repr=False)
class Difference:
    """The difference between two pictures. Used as a bool, it is true if they differ."""

    matches: bool
    """Whether the pictures are equal within the tolerances."""
    sentence: str
    """The result in words."""
    differing_pixels: int
    overlays: tuple[dict[str, Any], ...]
    """For scenes, the overlays that differ: ``id``, ``type`` and ``changes``, as docs/visual-tests.md describes them."""
    picture: Picture | None
    """A picture of the differences, in red over a faint copy of the first picture. None if the sizes differ."""
    data: dict[str, Any]
    """The program's complete result for the pictures."""

    def __bool__(self) -> bool:
        return not self.matches

    def __repr__(self) -> str:
        return f"<Difference: {self.sentence}>"

    def _repr_png_(self) -> bytes | None:
        return None if self.picture is None else self.picture.png


def diff(
    first: Any,
    second: Any,
    *,
    threshold: int = 0,
    allowed: float = 0,
    ignore_antialiasing: bool = False,
    ignore: Sequence[str] = (),
    ignore_types: Sequence[str] = (),
    ignore_rects: Sequence[Sequence[int]] = (),
) -> Difference:
    """Compares two pictures. Each may be a ``Picture``, the path of a picture file, or a scene in any form that ``render`` accepts;
    a scene is drawn first.

    For scenes, the result also lists the overlays that differ, and how.

    :param first: the expected picture or scene.
    :param threshold: differences of up to this value in a channel are ignored, 0 to 255.
    :param allowed: the largest allowed share of differing pixels in any 16 × 16 window, 0 to 1.
    :param ignore_antialiasing: ignore differences in antialiased edges, unless an edge has moved by a whole pixel.
    :param ignore: ids of overlays, symbols and other objects whose pixels are left out, in both pictures.
    :param ignore_types: types of objects whose pixels are left out, such as ``"marker"`` or ``"infoWindow"``.
    :param ignore_rects: rectangles to ignore: ``(x, y, width, height)`` in device pixels from the upper left corner.
    :raises WaymarkError: a scene cannot be drawn, a picture cannot be read, or objects are to be ignored, but neither picture has an
        inspection with their positions.
    """
    with tempfile.TemporaryDirectory(prefix="waymark-") as folder:
        paths = [_file(first, folder, "first"), _file(second, folder, "second")]
        changes = os.path.join(folder, "difference.png")
        arguments = ["diff", *paths, "--json", "-o", changes]
        arguments += rule_arguments(threshold, allowed, ignore_antialiasing, ignore, ignore_types, ignore_rects)
        _, text = run(arguments)
        (verdict,) = json.loads(text)["pictures"]
        if not verdict["matches"] and "actualSize" not in verdict:
            # The pictures were not compared, because the pixels to ignore are not known.
            raise UsageError(verdict["sentence"])
        picture = None
        if os.path.exists(changes):
            with open(changes, "rb") as file:
                picture = Picture(file.read(), "png", tuple(verdict["actualSize"]))
    return Difference(
        verdict["matches"],
        verdict["sentence"],
        verdict.get("differingPixels") or 0,
        tuple(verdict.get("overlays", ())),
        picture,
        verdict,
    )


def rule_arguments(
    threshold: int,
    allowed: float,
    ignore_antialiasing: bool,
    ignore: Sequence[str],
    ignore_types: Sequence[str],
    ignore_rects: Sequence[Sequence[int]],
) -> list[str]:
    """The program's options that determine what counts as a difference."""
    for name, value in (("ignore", ignore), ("ignore_types", ignore_types)):
        if isinstance(value, str):
            raise UsageError(f"{name} must be a list of str, not {value!r}")
    arguments = as_options({"threshold": threshold, "allowed": allowed}, {"ignore-antialiasing": ignore_antialiasing})
    arguments += [f"--ignore={id}" for id in ignore]
    arguments += [f"--ignore-type={type}" for type in ignore_types]
    for rect in ignore_rects:
        if not isinstance(rect, Sequence) or isinstance(rect, str) or len(rect) != 4:
            raise UsageError(f"ignore_rects: a rectangle must be (x, y, width, height) in device pixels, not {rect!r}")
        arguments.append(f"--ignore-rect={','.join(map(str, rect))}")
    return arguments


def _file(item: Any, folder: str, name: str) -> str:
    """The file of a picture. For a scene, its inspection is written next to the file."""
    if isinstance(item, (str, os.PathLike)) and os.path.splitext(os.fspath(item))[1].lower() not in (".json", ".geojson"):
        path = os.fspath(item)
        if not os.path.isfile(path):
            raise InputError(f"{path}: cannot read the file: {'it is a folder' if os.path.isdir(path) else 'No such file or directory'}")
        return os.path.abspath(path)
    if not isinstance(item, (Picture, str, os.PathLike, Element, Mapping)) and not is_geographic(item):
        raise UsageError(f"{name}: a Picture, the path of a picture or a scene is required, not {brief(item)}")
    picture = item if isinstance(item, Picture) else shared().render(item, inspect=True)
    path = os.path.join(folder, f"{name}.{'jpg' if picture.format == 'jpeg' else picture.format}")
    if picture.format == "rgba":
        path = os.path.join(folder, f"{name}.png")
    write_whole(path, picture.png if picture.format == "rgba" else picture.data)
    if isinstance(picture.inspection, Mapping):
        write_whole(os.path.join(folder, f"{name}.json"), json.dumps(picture.inspection).encode())
    return path


__all__ = ["Difference", "diff"]
