"""Scenes, and the jobs that change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any

from .encoding import Element, element, encode, write_whole
from .errors import OutputError, UsageError
from .overlays import Camera, Color, Fit, Overlay, SceneFields, Size
from .renderer import render
from .settings import size_of, whole_camera

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence


@element
class LatLng(Element):
    """A position with named coordinates, which avoids confusion about the order of ``(longitude, latitude)``."""

    lat: float
    """Degrees north, -90 to 90."""
    lng: float
    """Degrees east; any number, taken modulo 360."""
    altitude: float | None = None
    """The altitude in meters."""


class Scene(SceneFields):
    """A map with overlays and a camera, as in a scene file.

    ::

        scene = Scene(size=(600, 300), background="#f2efe9", camera=Fit("overlays", padding=60))
        scene.add(Marker((126.978, 37.567), caption_text="City Hall"))

    Relative paths in the scene are relative to the working directory of this process.
    """

    __slots__ = ()

    def __init__(
        self,
        *,
        size: Size | Mapping[str, Any] | tuple[float, float] | None = None,
        pixel_ratio: float | None = None,
        background: Color | None = None,
        camera: Camera | Fit | Mapping[str, Any] | None = None,
        overlays: Sequence[Overlay] | None = None,
        **others: Any,
    ) -> None:
        """
        :param size: ``(width, height)`` in pt. Default 512 × 512.
        :param pixel_ratio: device pixels per pt, 0.5 to 8. Default 1.
        :param background: the background color. Default: transparent.
        :param camera: a ``Camera`` at a position, or a ``Fit``. Default ``Fit("overlays")``.
        :param overlays: the overlays on the map; with equal z indexes, later overlays lie above earlier ones.
        :param others: other attributes of a scene, such as ``images`` and ``symbols``.
        """
        if isinstance(overlays, (Element, Mapping, str)):
            raise UsageError(f"overlays must be a list of overlays, not a {type(overlays).__name__}; write overlays=[…]")
        super().__init__(
            size=size_of(size),
            pixel_ratio=pixel_ratio,
            background=background,
            camera=camera,
            overlays=list(overlays or []),
            **others,
        )

    def add(self, *overlays: Overlay) -> Scene:
        """Adds overlays above the existing ones.

        :return: the scene itself.
        """
        self.overlays = [*(self.overlays or []), *overlays]
        return self

    def members(self) -> dict[str, Any]:
        members = {"waymark": 1, **super().members()}
        if self.size is not None:
            members["size"] = size_of(self.size)
        return members

    def _repr_png_(self) -> bytes:
        """The picture that a notebook displays."""
        return render(self).data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a scene file, completely or not at all.

        :raises SceneError: a source of the scene is not a file.
        :raises OutputError: the file cannot be written.
        """
        data = encode(self)
        try:
            write_whole(path, data + b"\n")
        except OSError as error:
            raise OutputError(f"{path}: {error.strerror}") from None


@element
class Job(Element):
    """One picture of a batch, as changes to the base scene."""

    id: str
    """The picture's name, unique in the batch."""
    _: KW_ONLY
    change: Mapping[str, Element | Mapping[str, Any] | None] | None = None
    """Maps overlay ids to the changes to each overlay, written with the keys of scene files; None removes the overlay."""
    add: Sequence[Overlay] | None = None
    """Overlays to add above the overlays of the base scene."""
    remove: Sequence[str] | None = None
    """The ids of overlays to remove."""
    output: str | None = None
    """The picture's file within the folder. Default: the id with the format's extension."""
    format: str | None = None
    """``png``, ``jpeg``, ``webp`` or ``rgba``."""
    quality: int | None = None
    """The quality of a JPEG or WebP, 1 to 100."""
    progressive: bool | None = None
    """For a JPEG: whether it first appears in low detail."""
    palette: int | None = None
    """For a PNG: the maximum number of colors in its palette, 2 to 256."""
    inspect: bool | None = None
    """Whether an inspection, the positions of everything in the picture, is returned with it or, in a batch, written next to it."""
    hit_map: str | None = None
    """The format of a hit map that is written next to the picture: ``html`` or ``json``."""
    link: str | None = None
    """The link of each area of an HTML hit map. ``{id}`` and ``{type}`` are replaced by the object's id and type. Default: ``#{id}``."""
    size: Size | Mapping[str, Any] | tuple[float, float] | None = None
    """``(width, height)`` in pt."""
    pixel_ratio: float | None = None
    """Device pixels per pt."""
    background: Color | None = None
    """The background color."""
    language: str | None = None
    """The language of captions."""
    camera: Camera | Fit | Mapping[str, Any] | None = None
    """The camera. A mapping changes the base scene's camera; a ``Camera`` or a ``Fit`` replaces it."""
    selected_marker: str | None = None
    """The id of the marker whose info window is open."""

    def members(self) -> dict[str, Any]:
        # `super()` would refer to the class before `element` replaced it.
        members = Element.members(self)
        if self.size is not None:
            members["size"] = size_of(self.size)
        if isinstance(self.camera, (Camera, Fit)):
            members["camera"] = whole_camera(self.camera)
        return members
