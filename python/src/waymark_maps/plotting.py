"""Draws tables as maps with a single call, with the arguments of GeoPandas' ``plot``."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec

from .encoding import brief
from .errors import UsageError, WaymarkError, unexpected_argument
from .layers import THEMES, ColumnColors, Layer
from .legends import legend_key
from .overlays import Camera, Color, Fit, Overlay, Size
from .picture import Picture
from .renderer import shared
from .rows import Rows
from .scene import Scene
from .settings import check_mapping, check_number

Parameters = ParamSpec("Parameters")

#: The space in pt around the data.
PADDING = 16
#: The size of a picture in pt: the width, the smallest height and the greatest height.
WIDE, HIGH = 800, (400, 800)
#: Areas that span at least this many degrees of longitude are shown as a world map, which ends at these latitudes. Otherwise, Antarctica
#: would be its largest area in Mercator's projection.
WORLD, SOUTH, NORTH = 300, -58, 84
#: The corners for legends, the preferred ones first.
CORNERS = ("bottomLeft", "bottomRight", "topRight", "topLeft")
#: The size in pt of a corner that a legend may cover.
LEGEND = (130, 180)
#: The number of points and vertices that suffice as a sample.
MOST_PLACES = 20_000
#: The replacements for arguments of GeoPandas that this function does not have.
REPLACEMENTS = {
    "figsize": "size=(width, height) in pt", "ax": "a Picture, which plot returns", "cax": "legend_kwds", "tiles": "basemap",
    "facecolor": "color", "width": "size=(width, height) in pt", "height": "size=(width, height) in pt",
    "legend_title": 'legend_kwds={"title": …}', "na_color": 'missing_kwds={"color": …}', "dpi": "pixel_ratio", "hue": "column",
}  # fmt: skip


def _with_hints(function: Callable[Parameters, Picture]) -> Callable[Parameters, Picture]:
    """Wraps the function so that its error for an unexpected argument names the argument to use instead."""
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def checked(*arguments: Parameters.args, **options: Parameters.kwargs) -> Picture:
        for name in options:
            if name in REPLACEMENTS and name not in known:
                raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}; use {REPLACEMENTS[name]}")
            if name not in known:
                raise unexpected_argument(function.__name__, name, known)
        return function(*arguments, **options)

    return checked


@_with_hints
def plot(
    data: Any,
    column: Any = None,
    *,
    scheme: Any = None,
    k: int = 5,
    cmap: Any = None,
    vmin: float | datetime.date | None = None,
    vmax: float | datetime.date | None = None,
    norm: Any = None,
    categorical: bool = False,
    categories: Sequence[Any] | None = None,
    classification_kwds: Mapping[str, Any] | None = None,
    missing_kwds: Mapping[str, Any] | None = None,
    color: Any = None,
    markersize: Any = None,
    linewidth: Any = None,
    edgecolor: Any = None,
    alpha: float | None = None,
    labels: Any = None,
    legend: bool = False,
    legend_kwds: Mapping[str, Any] | None = None,
    title: str | None = None,
    subtitle: str | None = None,
    basemap: Any = None,
    theme: str = "light",
    background: Color | None = None,
    bounds: Sequence[float] | None = None,
    camera: Camera | Fit | Mapping[str, Any] | None = None,
    size: Size | Mapping[str, Any] | tuple[float, float] | None = None,
    pixel_ratio: float | None = None,
    elements: Sequence[Any] | None = None,
    overlays: Sequence[Overlay] | None = None,
    format: str = "png",
) -> Picture:
    """Draws the points, lines and areas of a table as a map.

    ::

        countries = geopandas.read_file("countries.geojson")
        waymark_maps.plot(countries, "population", scheme="quantiles", k=5, cmap="YlGnBu", legend=True, title="Population")

    The arguments have the same names and meanings as in GeoPandas' ``GeoDataFrame.plot``. ``import waymark_maps`` also adds the method
    ``table.waymark.plot(…)`` to GeoDataFrames and DataFrames.

    :param data: a GeoDataFrame, a GeoSeries, a DataFrame of pandas or polars with columns for longitude and latitude, a file of features, or
        anything with ``__geo_interface__``.
    :param column: the column whose values determine the colors, or a value for each row. Numbers and dates get colors along ``cmap`` or, with
        ``scheme``, by classes. Texts, booleans and intervals are categories. Numbers that are not finite count as missing.
    :param scheme: how numbers are divided into classes: ``"quantiles"``, ``"equal_interval"``, ``"fisher_jenks"``, another scheme of
        mapclassify, a classifier such as ``mapclassify.Quantiles(values)``, or a list of the classes' upper bounds.
    :param k: the number of classes.
    :param cmap: the name of a color scheme of ColorBrewer or a colormap of matplotlib, reversed with the suffix ``_r``; a ``Colormap``; a list
        of colors; for categories, also a dict of colors. Default: ``"viridis"`` or, for categories, clearly different colors.
    :param vmin: the value that gets the first color, a number or a date. Default: the lowest value.
    :param vmax: the value that gets the last color. Default: the highest value.
    :param norm: ``"log"`` for colors on a logarithmic scale, or a ``LogNorm``, a ``Normalize`` or a ``BoundaryNorm`` of matplotlib.
    :param categorical: whether numbers, too, are treated as categories.
    :param categories: the categories in their order. Other values count as missing.
    :param classification_kwds: arguments for mapclassify.
    :param missing_kwds: how rows without a value are drawn, such as ``{"color": "#ddd", "label": "no data"}``. Default: in gray. With the
        color ``"none"``, they are not drawn.
    :param color: one color for all rows, or a color for each row.
    :param markersize: the diameter of points in pt, by default 6; a diameter for each row; a ``NumberScale``; or a column. For a column,
        the areas of discs are proportional to the values, and the largest disc is 40 pt wide.
    :param linewidth: the width in pt of lines, and of the outlines of areas and points. For lines, it may also be a column or a
        ``NumberScale``.
    :param edgecolor: the color of the outlines of areas and points; ``"none"`` for no outlines.
    :param alpha: the opacity, 0 to 1.
    :param labels: a column of texts that are drawn at points, along lines and in areas, where they do not overlap.
    :param legend: whether to add legends for the colors, sizes and widths. They are placed in the corners with the fewest points and
        vertices.
    :param legend_kwds: ``title``, ``loc`` (``"lower left"``), ``ncols``, ``fmt`` (``"{:.1f}"``), or the attributes of a legend element.
    :param title: a title at the top.
    :param subtitle: a line below the title.
    :param basemap: the tiles beneath the data: a file, or any other value that a scene's ``basemap`` can have.
    :param theme: ``"light"``, ``"dark"`` or ``"gray"``.
    :param background: the background color. Default: the theme's background color.
    :param bounds: the extent to show, ``(west, south, east, north)`` in degrees. Default: all of the data or, for areas all over the world,
        from 58° south to 84° north.
    :param camera: the camera, instead of ``bounds``.
    :param size: ``(width, height)`` in pt. Default: 800 pt wide, and as tall as the data requires, between 400 and 800 pt.
    :param pixel_ratio: device pixels per pt. Default 1.
    :param elements: more map elements, such as ``{"type": "scaleBar"}``.
    :param overlays: more overlays above the data.
    :param format: ``png``, ``jpeg``, ``webp`` or ``rgba``.
    :raises UsageError: an argument does not fit the data.
    :raises WaymarkError: the map cannot be drawn, as for ``render``.
    """
    if theme not in THEMES:
        raise UsageError(f"theme: {brief(theme)} is not one of {', '.join(THEMES)}")
    if alpha is not None:
        check_number("alpha", alpha)
        if not 0 <= alpha <= 1:
            raise UsageError(f"alpha: {alpha:g} is outside 0…1")
    if bounds is not None and camera is not None:
        raise UsageError("bounds and camera are mutually exclusive")
    if subtitle is not None and title is None:
        raise UsageError("subtitle: a subtitle requires a title")
    if column is None:
        needing = {
            "scheme": scheme, "cmap": cmap, "vmin": vmin, "vmax": vmax, "norm": norm, "categorical": categorical or None, "categories": categories,
            "classification_kwds": classification_kwds,
        }  # fmt: skip
        if given := [name for name, value in needing.items() if value is not None]:
            raise UsageError(f"{given[0]}: this argument requires a column")
    check_mapping("classification_kwds", classification_kwds)
    rows = Rows(data)
    if column is not None and color is not None:
        rows.notes.append("column: not used, because color is given")
    layer = Layer(rows, theme, alpha, edgecolor)
    if color is not None:
        layer.set_color(color)
    elif column is not None:
        layer.set_scale(column, ColumnColors(scheme, k, cmap, vmin, vmax, norm, categorical, categories, classification_kwds, missing_kwds))
    layer.set_sizes(markersize, linewidth)
    if labels is not None:
        layer.label = rows.use_as_text("labels", labels)
    drawn = layer.overlays()
    extent = rows.bounds() if size is None or bounds is None and camera is None else None
    corners: Sequence[str] = CORNERS
    if camera is None:
        if bounds is None and extent is not None and rows.has_areas and extent[2] - extent[0] >= WORLD and extent[1] < SOUTH and extent[3] > 0:
            extent = bounds = (extent[0], SOUTH, extent[2], min(extent[3], NORTH))
        if legend and bounds is None and size is None and extent is not None:
            corners = _corners(rows, extent)
        camera = Fit("overlays", padding=PADDING) if bounds is None else Fit(bounds=bounds, padding=0)
    if background is None and basemap is None and rows.has_areas:
        background = THEMES[theme].ground
    titles = [{"type": "title", "text": title, **({} if subtitle is None else {"subtitle": subtitle})}] if title is not None else []
    legends = layer.legends(legend_kwds, missing_kwds, corners) if legend else []
    shown = [*titles, *legends, *(elements or [])]
    scene = Scene(
        size=_size(extent) if size is None else size,
        pixel_ratio=pixel_ratio,
        background=background,
        camera=camera,
        overlays=[*drawn, *(overlays or [])],
        images=layer.images or None,
        basemap=basemap,
        theme=theme,
        captions_avoid_edges=True if labels is not None else None,
        **({"elements": shown, "captions_avoid_elements": True} if shown else {}),
    )
    fill = "column" if color is None else "color"
    wording = Wording(fill, len(drawn), len(titles), len(legends), legend_kwds or {})
    try:
        picture = shared().render(scene, format=format)
    except WaymarkError as error:
        raise type(error)(wording.sentence(str(error)), error.code) from None
    # The disc, its outline and its texts have the same sizes, so they have the same errors.
    notes = dict.fromkeys([*rows.notes, *map(wording.sentence, picture.diagnostics)])
    return dataclasses.replace(picture, diagnostics=tuple(notes))


# The picture


def _size(extent: tuple[float, float, float, float] | None) -> tuple[int, int]:
    """The size of a picture in which the data leave little empty space."""
    if extent is None:
        return WIDE, HIGH[0]
    west, south, east, north = extent
    across = max(math.radians(east - west), 1e-9)
    height = WIDE * (_mercator(north) - _mercator(south)) / across
    return WIDE, round(min(max(height, HIGH[0]), HIGH[1]))


def _corners(rows: Rows, extent: tuple[float, float, float, float]) -> Sequence[str]:
    """The corners of the picture, ordered by the number of points and vertices of the data near them, fewest first."""
    longitudes, latitudes = rows.coordinates()
    width, height = _size(extent)
    west, south, east, north = extent
    low, high = _mercator(south), _mercator(north)
    # The data are fitted to the width or the height, and centered.
    scale = min((width - 2 * PADDING) / max(math.radians(east - west), 1e-9), (height - 2 * PADDING) / max(high - low, 1e-9))
    across = math.degrees((width / 2 - LEGEND[0]) / scale)
    up = (height / 2 - LEGEND[1]) / scale
    middle = (low + high) / 2
    left, right = (west + east) / 2 - across, (west + east) / 2 + across
    bottom, top = (math.degrees(math.atan(math.sinh(middle + sign * up))) for sign in (-1, 1))
    step = 1 + len(longitudes) // MOST_PLACES
    counts = dict.fromkeys(CORNERS, 0)
    for x, y in zip(longitudes[::step], latitudes[::step]):
        if (x < left or x > right) and (y < bottom or y > top):
            counts[("bottom" if y < bottom else "top") + ("Left" if x < left else "Right")] += 1
    return sorted(CORNERS, key=lambda corner: counts[corner])


def _mercator(latitude: float) -> float:
    limited = max(-85.0, min(85.0, latitude))
    return math.asinh(math.tan(math.radians(limited)))


# Sentences


#: The arguments of properties.
ARGUMENTS = {
    "width": "linewidth", "height": "markersize", "outlineColor": "edgecolor", "outlineWidth": "linewidth", "lineText": "labels",
    "captionText": "labels", "zIndex": "markersize", "alpha": "alpha",
}  # fmt: skip
#: The arguments of members of a scale of colors.
MEMBERS = {
    "classes": "scheme", "steps": "scheme", "colors": "cmap", "linear": "cmap", "log": "norm", "categories": "categories", "domain": "vmin",
    "missing": "missing_kwds",
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Wording:
    """Rewrites sentences of the program that begin with a key path, so that they begin with the name of an argument."""

    #: The argument that determines the colors.
    fill: str
    #: The numbers of overlays, titles and legends that are made from arguments. The caller's overlays and elements follow them.
    overlays: int
    titles: int
    legends: int
    legend_kwds: Mapping[str, Any]

    def sentence(self, sentence: str) -> str:
        rest = sentence.removeprefix("the scene: ")
        if match := re.match(r"camera\.fit\.bounds[^:]*(?=: )", rest):
            return f"bounds{rest[match.end() :]}"
        match = re.match(r"(overlays|elements)\[(\d+)\]([^:\s]*)(?=: )", rest)
        if match is None:
            return rest
        kind, index, path = match[1], int(match[2]), match[3]
        made = self.overlays if kind == "overlays" else self.titles + self.legends
        if index >= made:
            name = f"{kind}[{index - made}]{path}"
        else:
            keys = re.findall(r"\w+", path)
            name = (self._overlay(*keys) if kind == "overlays" else self._element(index, *keys)) or match[0]
        return name + rest[match.end() :]

    def _overlay(self, template: str = "", property: str = "", member: str = "", *_: str) -> str | None:
        if template == "source":
            return "data"
        if property in ("fillColor", "color", "iconTintColor"):
            return MEMBERS.get(member, self.fill) if self.fill == "column" else self.fill
        return "markersize" if template == "marker" and property == "width" else ARGUMENTS.get(property)

    def _element(self, index: int, key: str = "", *_: str) -> str:
        if index < self.titles:
            return "subtitle" if key == "subtitle" else "title"
        name = next((name for name in self.legend_kwds if legend_key(name) == key), None)
        return "legend" if name is None else f"legend_kwds: {name}"
