"""The settings of a picture, such as the size and the camera, that functions accept in place of the scene's settings."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, Literal

from .encoding import Element, brief, is_finite
from .errors import UsageError
from .overlays import CAMERA_KEYS, Camera, Color, Fit, Size

#: A theme, which determines all colors that a scene does not set.
Theme = Literal["light", "dark", "gray"]


def size_of(size: Size | Mapping[str, Any] | tuple[float, float] | None) -> Size | Mapping[str, Any] | None:
    """The size given by ``(width, height)``."""
    if size is None or isinstance(size, (Size, Mapping)):
        return size
    try:
        width, height = size
    except (TypeError, ValueError):
        raise UsageError(f"a size must be (width, height) in pt, not {size!r}") from None
    return Size(width, height)


def whole_camera(camera: Camera | Fit | Mapping[str, Any]) -> dict[str, Any]:
    """The merge patch that replaces a camera completely."""
    if not isinstance(camera, (Element, Mapping)):
        raise UsageError(f"a camera must be a Camera, a Fit or a dict, not {camera!r}")
    members = camera.members() if isinstance(camera, Element) else camera
    return {**dict.fromkeys(CAMERA_KEYS), **members}


def settings_of(
    size: Size | Mapping[str, Any] | tuple[float, float] | None = None,
    pixel_ratio: float | None = None,
    background: Color | None = None,
    theme: Theme | None = None,
    camera: Camera | Fit | Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The merge patch on a scene that corresponds to the arguments of a function."""
    settings: dict[str, Any] = {
        "size": size_of(size),
        "pixelRatio": pixel_ratio,
        "background": background,
        "theme": theme,
        "camera": None if camera is None else whole_camera(camera),
    }
    return {key: value for key, value in settings.items() if value is not None}


# Checks of other arguments. Each check raises a UsageError that names the argument.


def whole_number(name: str, value: Any, low: int, high: int | None = None) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise UsageError(f"{name}: {brief(value)} is not a whole number")
    number = operator.index(value)
    if high is not None and not low <= number <= high:
        raise UsageError(f"{name}: {number} is outside {low}…{high}")
    if number < low:
        raise UsageError(f"{name}: {number} is below {low}")
    return number


def worker_count(workers: Any) -> int | None:
    return None if workers is None else whole_number("workers", workers, 1, 1024)


def check_deadline(deadline: Any) -> None:
    if not is_finite(deadline) or deadline <= 0:
        raise UsageError(f"deadline: {brief(deadline)} is not a finite number of seconds above 0")


def check_mapping(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, Mapping):
        raise UsageError(f"{name}: {brief(value)} is not a dict")


def check_number(name: str, value: Any) -> None:
    if not is_finite(value):
        raise UsageError(f"{name}: {brief(value)} is not a finite number")
