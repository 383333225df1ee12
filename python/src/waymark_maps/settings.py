"""The settings of a picture: the size, the camera and others that functions accept instead of the scene's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .encoding import Element
from .errors import UsageError
from .overlays import CAMERA_KEYS, Camera, Color, Fit, Size


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
    camera: Camera | Fit | Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The merge patch on a scene that corresponds to arguments of functions."""
    settings: dict[str, Any] = {}
    if size is not None:
        settings["size"] = size_of(size)
    if pixel_ratio is not None:
        settings["pixelRatio"] = pixel_ratio
    if background is not None:
        settings["background"] = background
    if camera is not None:
        settings["camera"] = whole_camera(camera)
    return settings
