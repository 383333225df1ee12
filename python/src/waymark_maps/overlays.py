"""What a scene holds: overlays, cameras, content, styles.

Written by python/generate.py from docs/scene.schema.json; do not edit.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any, Literal, Union

from .encoding import Element, element

if TYPE_CHECKING:
    from dataclasses import InitVar

#: A CSS color, ``"#3388ff80"`` (alpha last) or ``"tomato"``.
Color = str
#: ``(longitude, latitude)`` or ``(longitude, latitude, altitude)``, a ``LatLng``, or a shapely Point.
Position = Any
#: Two or more positions, a shapely LineString, or an ``EncodedPolyline``.
Line = Any
#: Lists of three or more positions, the first of which is the outer ring, or a shapely Polygon.
Rings = Any
#: ``(west, south, east, north)`` in degrees.
Bounds = Sequence[float]
#: An event that ``waymark replay`` sends, as in a scene file.
Event = Mapping[str, Any]
#: A file, a GeoDataFrame, a DataFrame with columns for longitude and latitude, GeoJSON as a dict, or anything with `__geo_interface__`.
Source = Any
#: A value of the data: a number, or a date such as ``"2024-05-17"`` or a ``datetime.date``.
ScaleValue = Union[float, str, datetime.date]
#: The name of a color scheme; a leading ``-`` reverses its colors.
ColorScheme = Literal[
    "Blues",
    "-Blues",
    "BuGn",
    "-BuGn",
    "BuPu",
    "-BuPu",
    "GnBu",
    "-GnBu",
    "Greens",
    "-Greens",
    "Greys",
    "-Greys",
    "Oranges",
    "-Oranges",
    "OrRd",
    "-OrRd",
    "PuBu",
    "-PuBu",
    "PuBuGn",
    "-PuBuGn",
    "PuRd",
    "-PuRd",
    "Purples",
    "-Purples",
    "RdPu",
    "-RdPu",
    "Reds",
    "-Reds",
    "YlGn",
    "-YlGn",
    "YlGnBu",
    "-YlGnBu",
    "YlOrBr",
    "-YlOrBr",
    "YlOrRd",
    "-YlOrRd",
    "BrBG",
    "-BrBG",
    "PiYG",
    "-PiYG",
    "PRGn",
    "-PRGn",
    "PuOr",
    "-PuOr",
    "RdBu",
    "-RdBu",
    "RdGy",
    "-RdGy",
    "RdYlBu",
    "-RdYlBu",
    "RdYlGn",
    "-RdYlGn",
    "Spectral",
    "-Spectral",
    "Accent",
    "-Accent",
    "Dark2",
    "-Dark2",
    "Paired",
    "-Paired",
    "Pastel1",
    "-Pastel1",
    "Pastel2",
    "-Pastel2",
    "Set1",
    "-Set1",
    "Set2",
    "-Set2",
    "Set3",
    "-Set3",
    "viridis",
    "-viridis",
    "plasma",
    "-plasma",
    "inferno",
    "-inferno",
    "magma",
    "-magma",
    "cividis",
    "-cividis",
]


@element
class OverlayProperties(Element):
    """The properties of all overlays."""

    _: KW_ONLY
    id: str | None = None
    """A name that is unique in the scene; by default, the type and index of the overlay."""
    z_index: int | None = None
    """Drawing order among overlays in the same layer and with the same `global_z_index`; higher values lie above lower ones. Default:
    ``0``.
    """
    global_z_index: int | None = None
    """Drawing order among overlays in the same layer, compared before `z_index`. In the foreground layer, overlays with a value of 0 or
    more lie over base-map symbols. Default: ``200000`` for Marker, ClusterLayer; ``-200000`` for Polyline, Polygon, Circle; ``-300000``
    for GroundOverlay; ``-100000`` for Route; ``100000`` for LocalModel, GeoModel.
    """
    is_visible: bool | None = None
    """Whether the overlay is drawn; the opposite of `is_hidden`. Default: ``True``."""
    is_hidden: bool | None = None
    """Whether the overlay is hidden. A hidden overlay is not drawn and does not collide. Default: ``False``."""
    min_zoom: float | None = None
    """The lowest zoom at which the overlay is drawn, inclusive. 0 to 24. Default: ``0``."""
    max_zoom: float | None = None
    """The highest zoom at which the overlay is drawn, inclusive. 0 to 24. Default: ``24``."""
    is_fitted: bool | None = None
    """Whether a camera that is fitted to all overlays includes this overlay or, for a container, its children. Default: ``True``."""
    consumes_taps: bool | None = None
    """The result of the overlay's tap handler. `true` consumes the tap, so nothing else happens; `false` passes the tap on to the map.
    By default, there is no handler.
    """
    tag: int | None = None
    """A number for your own purposes. Default: ``0``."""


@element
class PlacedProperties(OverlayProperties):
    """The properties of overlays that have an altitude."""

    _: KW_ONLY
    altitude: float | None = None
    """Meters above the ground, added to the altitude of the position. If the sum is below 0, the overlay is not drawn. -1,000,000 to
    1,000,000,000. Default: ``0``.
    """
    hidden_zooms: Sequence[int] | None = None
    """Whole zoom levels at which the overlay is not drawn; level 14 covers zooms from 14 up to, but not including, 15. 0 to 24. Default:
    ``[]``.
    """
    map_layer_type: Literal["background", "area", "road", "transitStop", "poi", "foreground"] | None = None
    """The layer in which the overlay is drawn. Each layer lies above the layers listed before it, regardless of z indexes. Default:
    ``"foreground"``.
    """


@element
class Marker(PlacedProperties):
    """An icon with captions at one place on the map.

    :param lat: Degrees north, -90 to 90; with `lng`, in place of `position`.
    :param lng: Degrees east; with `lat`, in place of `position`.
    """

    _type = "marker"
    _other_names = {"position": ["lat", "lng"]}

    position: Position | None = None
    """The coordinates of the icon's `anchor`. A marker without a position cannot be added to a map."""
    _: KW_ONLY
    icon_image: str | None = None
    """The icon: `builtin:` followed by a name; a key in `images`; a PNG, JPEG, WebP, BMP or SVG file; a `data:` URI; or `none`. Default:
    ``"builtin:green"``.
    """
    width: Literal["auto"] | float | None = None
    """Width of the icon in pt; `auto` or 0 uses the image's width. 0 to 10,000. Default: ``"auto"``."""
    height: Literal["auto"] | float | None = None
    """Height of the icon in pt; `auto` or 0 uses the image's height. 0 to 10,000. Default: ``"auto"``."""
    anchor: Sequence[float] | None = None
    """The point of the icon that is placed at the position: `[0, 0]` is the upper left corner, `[1, 1]` the lower right corner. -100 to
    100. Default: ``[0.5, 1]``.
    """
    anchor_offset: Sequence[float] | None = None
    """Offset of the anchor from the position in pt: to the right and down, or east and south if `is_flat` is true. -10,000 to 10,000.
    Default: ``[0, 0]``.
    """
    icon_tint_color: Color | None = None
    """A color that is added to the icon's colors: black becomes this color, and white stays white. The alpha of this color is ignored.
    `transparent` adds nothing. Default: ``"transparent"``.
    """
    angle: float | None = None
    """Clockwise rotation about the anchor in degrees, from the upward direction on the screen, or from north if `is_flat` is true.
    Default: ``0``.
    """
    alpha: float | None = None
    """Opacity of the icon and its captions. 0 to 1. Default: ``1``."""
    occluded_alpha: float | None = None
    """The factor by which `alpha` is multiplied if a model or an extruded building hides the position. 0 to 1. Default: ``1``."""
    is_flat: bool | None = None
    """Whether the icon lies flat on the ground, rotating and tilting with the map. Default: ``False``."""
    icon_perspective_enabled: bool | None = None
    """Whether the icon is drawn larger near the camera and smaller far away. Default: ``False``."""
    title: str | None = None
    """The text that the info window shows in bold."""
    snippet: str | None = None
    """The text that the info window shows beneath the title."""
    info_window_anchor: Sequence[float] | None = None
    """The point of the icon, as drawn, at which the info window points: `[0, 0]` is the upper left corner, `[1, 1]` the lower right
    corner. -100 to 100. Default: ``[0.5, 0]``.
    """
    info_window: Content | None = None
    """Content that replaces the whole info window. Its bottom center is at `info_window_anchor`."""
    info_contents: Content | None = None
    """The content inside the default frame of the info window, in place of title and snippet."""
    tracks_info_window_changes: bool | None = None
    """Whether the content of the marker's info window is read again for every frame. Default: ``False``."""
    icon_view: Content | None = None
    """Content that is used as the icon, in place of `icon_image`."""
    tracks_view_changes: bool | None = None
    """Whether the icon follows changes to `icon_view`. Otherwise, the icon stays as it was first drawn. Default: ``True``."""
    is_draggable: bool | None = None
    """Whether a long press on the marker begins a drag. Default: ``False``."""
    caption_text: str | None = None
    """The text next to the icon; `\\n` begins a new line."""
    sub_caption_text: str | None = None
    """A second text, directly beneath the caption. It is not drawn without a caption."""
    caption_color: Color | None = None
    """Color of the caption. Default: ``"black"``."""
    caption_halo_color: Color | None = None
    """Color of the caption's outline. Default: ``"white"``."""
    caption_halo_width: float | None = None
    """Width in pt of the outline of both captions; 0 means no outline. 0 to 8. Default: ``1``."""
    caption_halo_blur: float | None = None
    """Distance in pt over which the outline fades on each side of its outer edge; 0 means a sharp edge. 0 to 4. Default: ``0``."""
    caption_text_size: float | None = None
    """Size of the text in pt. 1 to 512. Default: ``12``."""
    caption_requested_width: float | None = None
    """Width in pt at which the caption wraps between words; 0 means no wrapping. 0 to 10,000. Default: ``0``."""
    caption_letter_spacing: float | None = None
    """Space in em that is added between the letters of both captions. In joined scripts such as Arabic, it is added only between words.
    -0.25 to 2. Default: ``0``.
    """
    caption_offset: float | None = None
    """Gap in pt between the icon and the caption. If the gap is below 0, icon and caption overlap. -10,000 to 10,000. Default: ``0``."""
    caption_padding: float | None = None
    """Space in pt that is kept free around the captions. 0 to 100. Default: ``2``."""
    caption_align: Literal["center", "left", "right", "top", "bottom", "topLeft", "topRight", "bottomRight", "bottomLeft"] | None = None
    """The side or corner of the icon where the caption is placed. Default: ``"bottom"``."""
    caption_aligns: Literal["center", "left", "right", "top", "bottom", "topLeft", "topRight", "bottomRight", "bottomLeft"] | Sequence[Literal["center", "left", "right", "top", "bottom", "topLeft", "topRight", "bottomRight", "bottomLeft"]] | None = None
    """The sides and corners of the icon where the caption may be placed, tried in this order. Default: ``["bottom"]``."""
    caption_min_zoom: float | None = None
    """The lowest zoom at which the captions are drawn, inclusive. 0 to 24. Default: ``0``."""
    caption_max_zoom: float | None = None
    """The highest zoom at which the captions are drawn, inclusive. 0 to 24. Default: ``24``."""
    caption_perspective_enabled: bool | None = None
    """Whether the captions are drawn larger near the camera and smaller far away. Captions that would be smaller than 6 pt are not
    drawn. Default: ``False``.
    """
    caption_font_weight: Literal["regular", "bold"] | None = None
    """Weight of both captions. Default: ``"regular"``."""
    caption_font: str | None = None
    """The font family to try before Noto."""
    sub_caption_color: Color | None = None
    """Color of the sub-caption. Default: ``"black"``."""
    sub_caption_halo_color: Color | None = None
    """Color of the sub-caption's outline. Default: ``"white"``."""
    sub_caption_text_size: float | None = None
    """Size of the text in pt. 1 to 512. Default: ``12``."""
    sub_caption_requested_width: float | None = None
    """Width in pt at which the sub-caption wraps between words; 0 means no wrapping. 0 to 10,000. Default: ``0``."""
    sub_caption_min_zoom: float | None = None
    """The lowest zoom at which the sub-caption is drawn, inclusive. 0 to 24. Default: ``0``."""
    sub_caption_max_zoom: float | None = None
    """The highest zoom at which the sub-caption is drawn, inclusive. 0 to 24. Default: ``24``."""
    is_hide_collided_symbols: bool | None = None
    """Whether this marker hides base-map symbols that its icon or caption overlaps. Default: ``False``."""
    is_hide_collided_markers: bool | None = None
    """Whether this marker hides icons and captions of other markers that come later in the collision order and overlap its own. Default:
    ``False``.
    """
    is_hide_collided_captions: bool | None = None
    """Whether this marker hides captions of other markers that come later in the collision order and overlap its icon or caption.
    Default: ``False``.
    """
    is_force_show_icon: bool | None = None
    """Whether the icon is drawn even if another marker would hide it. Default: ``False``."""
    is_force_show_caption: bool | None = None
    """Whether the caption is drawn even if another marker would hide it. Default: ``False``."""
    is_caption_required: bool | None = None
    """Whether the marker is drawn only together with its caption. If there is no room for the caption, the whole marker is hidden. A
    caption has no room where a marker or cluster with `is_hide_collided_markers` or `is_hide_collided_captions` would hide it. With the
    scene's `captions_avoid_edges`, it also has no room where the picture's edge would cut it off, and with `captions_avoid_elements`,
    where an element would cover it. Default: ``False``.
    """
    if TYPE_CHECKING:
        lat: InitVar[float | None] = None
        """Degrees north, -90 to 90; with `lng`, in place of `position`."""
        lng: InitVar[float | None] = None
        """Degrees east; with `lat`, in place of `position`."""


@element
class LineProperties(PlacedProperties):
    """The properties of polylines and routes."""

    points: Line | None = None
    """The points of the line; there must be at least two."""
    _: KW_ONLY
    parts: Sequence[Line] | None = None
    """Several lines with the same style, as a list of lists of points, instead of `points`."""
    width: float | None = None
    """Width in pt. If it is 0, only the image and the text along the line are drawn. 0 to 1,000. Default: ``2.5`` for Polyline; ``5``
    for Route.
    """
    color: Color | ColorScale | Mapping[str, Any] | None = None
    """Color of the line, or a scale of the `values` of its points. Default: ``"black"`` for Polyline; ``"white"`` for Route."""
    gradient: Sequence[Sequence[float | Color]] | None = None
    """Colors along the line, used instead of `color`. The position of each is a fraction of the line's length, from 0 to 1. Default:
    ``[]``.
    """
    values: Mapping[str, Sequence[float]] | None = None
    """Named lists of numbers to which a scale in `color` can refer. Each list has one number for each point."""
    cap_type: Literal["butt", "round", "square"] | None = None
    """The shape of the ends of each part and each dash. Default: ``"butt"``."""
    join_type: Literal["miter", "round", "bevel"] | None = None
    """The shape of the line's corners. Default: ``"miter"``."""
    miter_limit: float | None = None
    """The maximum distance between a miter's tip and the center of the line, as a multiple of half the line's width. Corners with longer
    miters are beveled. 1 to 1,000. Default: ``4``.
    """
    pattern: Sequence[float] | None = None
    """Lengths in pt of alternating dashes and gaps, starting at the first point of each part. If it is empty, the line is solid. 0 to
    10,000. Default: ``[]``.
    """
    outline_width: float | None = None
    """Width in pt of the outline on each side of the line, drawn beneath the line. 0 to 1,000. Default: ``0`` for Polyline; ``1`` for
    Route.
    """
    outline_color: Color | None = None
    """Color of the outline. Default: ``"black"``."""
    outline_group: str | None = None
    """The name of a group of lines whose outlines are all drawn before the first of the lines."""
    start_arrow: Literal["none", "open", "filled"] | None = None
    """The arrow at the first point of each part. Its tip is exactly at that point. Default: ``"none"``."""
    end_arrow: Literal["none", "open", "filled"] | None = None
    """The arrow at the last point of each part. Default: ``"none"``."""
    arrow_size: float | None = None
    """The length and the width of the arrows, as multiples of the line's width. 1 to 100. Default: ``4``."""
    is_geodesic: bool | None = None
    """Whether the line follows great circles between points. Otherwise, it is straight on the map. Default: ``False``."""
    is_perspective_enabled: bool | None = None
    """Whether widths and dash lengths are constant on the ground. They then appear larger near the viewer. Default: ``False``."""
    line_image: str | None = None
    """An image that is repeated along the line and turned with it. It is specified in the same way as a marker's icon."""
    line_image_size: Literal["auto"] | float | None = None
    """Length of the image's longer side in pt; `auto` or 0 uses the image's size. 0 to 10,000. Default: ``"auto"``."""
    line_image_spacing: float | None = None
    """Distance in pt between the centers of two images. No image is closer to the end of a part than half this distance. 1 to 10,000.
    Default: ``80``.
    """
    line_image_offset: float | None = None
    """Distance in pt from the first point of a part to the center of its first image; by default, half of `line_image_spacing`. 0 to
    10,000.
    """
    line_text: str | None = None
    """A text that is repeated along the line and follows its curves."""
    line_text_size: float | None = None
    """Size of the text in pt. 1 to 512. Default: ``12``."""
    line_text_color: Color | None = None
    """Color of the text. Default: ``"black"``."""
    line_text_halo_color: Color | None = None
    """Color of the text's outline. Default: ``"white"``."""
    line_text_halo_width: float | None = None
    """Width in pt of the text's outline; 0 means no outline. 0 to 8. Default: ``1``."""
    line_text_font_weight: Literal["regular", "bold"] | None = None
    """Weight of the text. Default: ``"regular"``."""
    line_text_font: str | None = None
    """The font family to try before Noto."""
    line_text_letter_spacing: float | None = None
    """Space in em that is added between the letters of the text. In joined scripts such as Arabic, it is added only between words. -0.25
    to 2. Default: ``0``.
    """
    line_text_padding: float | None = None
    """Space in pt that is kept free around the text and the images. 0 to 100. Default: ``2``."""
    line_text_min_zoom: float | None = None
    """The lowest zoom at which the text is drawn, inclusive. 0 to 24. Default: ``0``."""
    line_text_max_zoom: float | None = None
    """The highest zoom at which the text is drawn, inclusive. 0 to 24. Default: ``24``."""
    line_text_spacing: float | None = None
    """Distance in pt between the centers of two texts. Texts longer than this follow one another without overlapping. 1 to 10,000.
    Default: ``250``.
    """
    line_text_offset: float | None = None
    """Distance in pt from the line to the middle of the text. Positive values place the text below the line, as seen in the reading
    direction, and negative values above it. -10,000 to 10,000. Default: ``0``.
    """
    line_text_max_angle: float | None = None
    """The sharpest corner that a text may follow, as a change of direction in degrees; 0 allows only straight lines. 0 to 180. Default:
    ``45``.
    """


@element
class Polyline(LineProperties):
    """A line through points, or several lines drawn as one."""

    _type = "polyline"


@element
class Polygon(PlacedProperties):
    """An area with holes, or several areas drawn as one."""

    _type = "polygon"

    rings: Rings | None = None
    """The outer ring, followed by the holes. Each ring is a list of at least three points. The last point may repeat the first."""
    _: KW_ONLY
    polygons: Sequence[Rings] | None = None
    """Several areas with the same style, as a list of lists of rings, instead of `rings`."""
    fill_color: Color | None = None
    """Color of the area. Default: ``"white"``."""
    outline_width: float | None = None
    """Width in pt of the outline, centered on every ring. 0 to 1,000. Default: ``0``."""
    outline_color: Color | None = None
    """Color of the outline. Default: ``"black"``."""
    is_perspective_enabled: bool | None = None
    """Whether the width of the outline is constant on the ground. The outline then appears wider near the viewer. Default: ``False``."""


@element
class Circle(PlacedProperties):
    """Everything within a radius around a place.

    :param lat: Degrees north, -90 to 90; with `lng`, in place of `center`.
    :param lng: Degrees east; with `lat`, in place of `center`.
    """

    _type = "circle"
    _other_names = {"center": ["lat", "lng"]}

    center: Position | None = None
    """The center. A circle without a center cannot be added to a map."""
    radius: float | None = None
    """Radius in meters on the ground. If it is 0, nothing is drawn. 0 to 20,000,000. Default: ``1000``."""
    _: KW_ONLY
    fill_color: Color | None = None
    """Color of the disc. Default: ``"white"``."""
    outline_width: float | None = None
    """Width in pt of the outline, centered on the edge. 0 to 1,000. Default: ``0``."""
    outline_color: Color | None = None
    """Color of the outline. Default: ``"black"``."""
    is_perspective_enabled: bool | None = None
    """Whether the width of the outline is constant on the ground. The outline then appears wider near the viewer. Default: ``False``."""
    if TYPE_CHECKING:
        lat: InitVar[float | None] = None
        """Degrees north, -90 to 90; with `lng`, in place of `center`."""
        lng: InitVar[float | None] = None
        """Degrees east; with `lat`, in place of `center`."""


@element
class GroundOverlay(PlacedProperties):
    """An image that lies on the ground."""

    _type = "groundOverlay"

    image: str
    """The image, stretched over the bounds in Web Mercator."""
    bounds: Bounds
    """The part of the map that the image covers, with latitudes within ±85.051129°. If it crosses the 180° meridian, west is greater
    than east.
    """
    _: KW_ONLY
    bearing: float | None = None
    """Clockwise rotation of the image in degrees about the center of its bounds. At 0, the top of the image faces north. Default: ``0``."""
    alpha: float | None = None
    """Opacity. 0 to 1. Default: ``1``."""


@element
class Route(LineProperties):
    """A line, part of which has been traveled."""

    _type = "route"

    _: KW_ONLY
    passed_color: Color | None = None
    """Color of the traveled part. Default: ``"white"``."""
    progress: float | None = None
    """The fraction of the length that has been traveled. Positive values are measured from the first point, and negative values from the
    last point. -1 to 1. Default: ``0``.
    """


@element
class Container(PlacedProperties):
    """Overlays that are shown, hidden and ordered together."""

    _type = "container"

    children: Sequence[Overlay]
    """The overlays in the container, which may be of any type."""
    _: KW_ONLY
    global_z_index: int | None = None
    """Drawing order of a container with `is_ordered_as_one`, compared before `z_index`. If it is 0 or more, the container lies over
    base-map symbols. It has no effect on other containers: their children keep their own values. Default: ``0``.
    """
    is_ordered_as_one: bool | None = None
    """Whether the container and everything in it take a single position in the drawing order. Otherwise, its children are ordered among
    all other overlays. Default: ``False``.
    """


@element
class ClusterLayer(OverlayProperties):
    """Markers that are combined into clusters where they are close together."""

    _type = "clusterLayer"

    markers: Sequence[Marker] | None = None
    """The markers of the layer, as in `overlays`; `type` may be omitted."""
    _: KW_ONLY
    hidden_zooms: Sequence[int] | None = None
    """Whole zoom levels at which the overlay is not drawn; level 14 covers zooms from 14 up to, but not including, 15. 0 to 24. Default:
    ``[]``.
    """
    map_layer_type: Literal["background", "area", "road", "transitStop", "poi", "foreground"] | None = None
    """The layer in which the overlay is drawn. Each layer lies above the layers listed before it, regardless of z indexes. Default:
    ``"foreground"``.
    """
    source: Source | None = None
    """A file of features whose points become markers, instead of `markers`."""
    marker: MarkerTemplate | Mapping[str, Any] | None = None
    """Properties of the markers from `source`, as constants or templates."""
    use_altitude: bool | None = None
    """Whether the altitudes in `source`, in meters, are used. If this is false, the altitudes are ignored."""
    theme: Sequence[StyledRange | Mapping[str, Any]] | None = None
    """The styles of clusters by their number of markers, as a list of objects with `density_range` and `style`."""
    cell_size: float | None = None
    """Width and height of a cell in `grid_unit`. The markers in a cell become one cluster. 16 to 1,024. Default: ``80``."""
    grid_unit: Literal["points", "devicePixels"] | None = None
    """The unit of `cell_size` and `radius`. Default: ``"points"``."""
    radius: float | None = None
    """The distance in `grid_unit` within which markers form a cluster. It is used instead of `cell_size`. 16 to 1,024."""
    merges_overlapping: bool | None = None
    """Whether overlapping clusters and lone markers are merged into one cluster. Otherwise, clusters are determined only by the cells or
    the radius. Default: ``True``.
    """
    min_zoom: float | None = None
    """The lowest zoom at which markers are clustered, inclusive. At lower zooms, each marker is shown separately. 0 to 24. Default:
    ``0``.
    """
    max_zoom: float | None = None
    """The highest zoom at which markers are clustered, inclusive. At higher zooms, each marker is shown separately. 0 to 24. Default:
    ``24``.
    """


@element
class TextureSampler(Element):
    """How a texture is sampled."""

    _: KW_ONLY
    wrap_u: Literal["repeat", "mirroredRepeat", "clampToEdge"] | None = None
    """Horizontal wrap mode, used where u is outside 0…1. Default: ``"repeat"``."""
    wrap_v: Literal["repeat", "mirroredRepeat", "clampToEdge"] | None = None
    """Vertical wrap mode, used where v is outside 0…1. Default: ``"repeat"``."""
    mag_filter: Literal["nearest", "linear"] | None = None
    """The filter that is used where the texture is enlarged. Default: ``"linear"``."""
    min_filter: Literal["nearest", "linear"] | None = None
    """The filter that is used where the texture or one of its mipmaps is reduced. Default: ``"linear"``."""
    mipmap_filter: Literal["none", "nearest", "linear"] | None = None
    """How mipmaps are chosen where the texture is reduced. Default: ``"linear"``."""


@element
class Material(Element):
    """Colors of a model's surface."""

    _: KW_ONLY
    diffuse: Color | None = None
    """Color of the model, which is multiplied by its texture and vertex colors. It overrides the material colors in a file."""
    ambient: Color | None = None
    """The fraction of the diffuse color that is visible without light, for each channel. The alpha is ignored. Default: ``"#4d4d4d"``."""
    alpha_cutoff: float | None = None
    """The model is not drawn where its alpha is below this value, and is opaque everywhere else. If this is not set, the cutoffs in a
    model file apply. Without any cutoff, the model is translucent where its alpha is below 1. 0 to 1.
    """


@element
class DirectionalLight(Element):
    """A light that shines in one direction."""

    direction: Sequence[float]
    """The direction in which the light travels, as its east, north and up components. The length has no effect."""
    _: KW_ONLY
    color: Color | None = None
    """Color of the light. The alpha is ignored. Default: ``"white"``."""
    intensity: float | None = None
    """The factor by which the color is multiplied. 0 to 1,000,000. Default: ``1``."""


@element
class ModelProperties(PlacedProperties):
    """The properties of models."""

    _: KW_ONLY
    texture: str | None = None
    """The texture, an image specified in the same way as a marker's icon."""
    texture_sampler: TextureSampler | Mapping[str, Any] | None = None
    """How `texture` is repeated and filtered. Model files define this for their own textures. Default: ``{"wrapU": "repeat", "wrapV":
    "repeat", "magFilter": "linear", "minFilter": "linear", "mipmapFilter": "linear"}``.
    """
    material: Material | Mapping[str, Any] | None = None
    """The material: its diffuse and ambient colors, and the alpha below which nothing is drawn. Default: ``{"ambient": "#4d4d4d"}``."""
    is_double_sided: bool | None = None
    """Whether back faces of triangles are drawn. If this is not set, the materials in a model file determine it; other meshes show both
    faces.
    """
    smoothing_angle: float | None = None
    """Adjacent triangles are shaded as one smooth surface if the angle between them, in degrees, is below this value; at 0, each
    triangle is flat. Normals in the mesh or file take precedence. 0 to 180. Default: ``0``.
    """
    alpha: float | None = None
    """Opacity. A translucent model shows only its nearest surface. 0 to 1. Default: ``1``."""
    lights: Sequence[DirectionalLight | Mapping[str, Any]] | None = None
    """The lights that illuminate the model. Without lights, the model's colors are drawn unchanged. Default: ``[]``."""


@element
class LocalModel(ModelProperties):
    """A 3D model at a place, with a mesh in meters whose axes point east, north and up.

    :param lat: Degrees north, -90 to 90; with `lng`, in place of `coordinates`.
    :param lng: Degrees east; with `lat`, in place of `coordinates`.
    """

    _type = "localModel"
    _other_names = {"coordinates": ["lat", "lng"]}

    coordinates: Position | None = None
    """The coordinates at which the origin of the mesh is placed."""
    mesh: Mesh | Mapping[str, Any] | None = None
    """A mesh in meters, in which x points east, y north, and z up."""
    _: KW_ONLY
    model: str | os.PathLike[str] | None = None
    """An OBJ, glTF 2.0 or GLB file, instead of `mesh`."""
    scale: float | None = None
    """The scale factor of the mesh. Above 0, at most 1,000,000,000. Default: ``1``."""
    pitch: float | None = None
    """Rotation in degrees about the east axis, by the right-hand rule. It is applied after `roll`. Default: ``0``."""
    roll: float | None = None
    """Rotation in degrees about the north axis, by the right-hand rule. It is applied first. Default: ``0``."""
    yaw: float | None = None
    """Rotation in degrees about the up axis, by the right-hand rule. It is applied last. Default: ``0``."""
    is_autoscaled: bool | None = None
    """Whether one unit of the mesh is one pt at every zoom, instead of one meter. Default: ``False``."""
    if TYPE_CHECKING:
        lat: InitVar[float | None] = None
        """Degrees north, -90 to 90; with `lng`, in place of `coordinates`."""
        lng: InitVar[float | None] = None
        """Degrees east; with `lat`, in place of `coordinates`."""


@element
class GeoModel(ModelProperties):
    """A 3D model whose vertices are coordinates on the map."""

    _type = "geoModel"

    mesh: GeoMesh | Mapping[str, Any]
    """A mesh whose vertices consist of a longitude, a latitude, and meters above the ground."""


@element
class ViewOverlay(OverlayProperties):
    """Content that stands at a place on the map, in the plane of the screen."""

    _type = "viewOverlay"

    coordinates: Position
    """The position at which the center of the content is placed."""
    content: Content
    """The content to show."""
    _: KW_ONLY
    offset: Sequence[float] | None = None
    """Offset on the screen in pt, to the right and down. -10,000 to 10,000. Default: ``[0, 0]``."""
    z_index: int | None = None
    """Drawing order among view overlays with the same `global_z_index`; higher values lie above lower ones. Default: ``0``."""
    global_z_index: int | None = None
    """Drawing order among all overlays in the foreground layer, compared before `z_index`. Default: ``300000``."""
    is_hidden: bool | None = None
    """Whether the overlay is hidden. Default: ``False``."""
    is_selectable: bool | None = None
    """Whether the overlay can be picked and selected by taps. Default: ``False``."""
    consumes_taps: bool | None = None
    """The result of the overlay's tap handler. `true` consumes the tap, so nothing else happens; `false` passes the tap on to the map.
    An overlay with a handler can be tapped even if it is not selectable. By default, there is no handler.
    """
    is_fitted: bool | None = None
    """Whether a camera that is fitted to all overlays includes this overlay. Default: ``True``."""


@element
class EdgeInsets(Element):
    """The space at each of the four edges."""

    _: KW_ONLY
    top: float | None = None
    """The space at the top in pt. 0 to 1,000. Default: ``0``."""
    left: float | None = None
    """The space at the left in pt. 0 to 1,000. Default: ``0``."""
    bottom: float | None = None
    """The space at the bottom in pt. 0 to 1,000. Default: ``0``."""
    right: float | None = None
    """The space at the right in pt. 0 to 1,000. Default: ``0``."""


@element
class BoxProperties(Element):
    """The properties of labels and stacks."""

    _: KW_ONLY
    background_color: Color | None = None
    """The background color. Default: ``"transparent"``."""
    border_color: Color | None = None
    """Color of the border. Default: ``"black"``."""
    border_width: float | None = None
    """Width of the border in pt, measured inward from the edges. 0 to 100. Default: ``0``."""
    corner_radius: float | None = None
    """Radius of the corners in pt. 0 to 1,000. Default: ``0``."""
    insets: EdgeInsets | Mapping[str, Any] | None = None
    """The space in pt between the edges and the content. Default: ``{"top": 0, "left": 0, "bottom": 0, "right": 0}``."""
    width: Literal["auto"] | float | None = None
    """Width in pt including insets; `auto` or 0 adapts it to the content. 0 to 10,000. Default: ``"auto"``."""
    height: Literal["auto"] | float | None = None
    """Height in pt including insets; `auto` or 0 adapts it to the content. 0 to 10,000. Default: ``"auto"``."""


@element
class Label(BoxProperties):
    """Text with a background and a border."""

    _wrapper = "label"

    text: str
    """The text; `\\n` begins a new line."""
    _: KW_ONLY
    text_color: Color | None = None
    """Color of the text. Default: ``"black"``."""
    text_size: float | None = None
    """Size of the text in pt. 1 to 512. Default: ``12``."""
    font_weight: Literal["regular", "bold"] | None = None
    """Weight of the text. Default: ``"regular"``."""
    font: str | None = None
    """The font family to try before Noto."""
    text_alignment: Literal["natural", "left", "center", "right"] | None = None
    """The horizontal alignment of lines. `natural` aligns them at the right if the first letter belongs to a script that runs from right
    to left, and otherwise at the left. Default: ``"natural"``.
    """
    max_width: float | None = None
    """Width in pt at which lines wrap if `width` is `auto`; 0 means no wrapping. 0 to 1,000. Default: ``0``."""
    max_lines: int | None = None
    """The maximum number of lines; longer text ends in an ellipsis. 0 means no limit. 0 to 100. Default: ``0``."""


@element
class ImageContent(Element):
    """An image as content."""

    image: str
    """The image, specified in the same way as a marker's icon."""
    _: KW_ONLY
    width: Literal["auto"] | float | None = None
    """Width in pt; `auto` or 0 uses the image's width. 0 to 10,000. Default: ``"auto"``."""
    height: Literal["auto"] | float | None = None
    """Height in pt; `auto` or 0 uses the image's height. 0 to 10,000. Default: ``"auto"``."""


@element
class SVGContent(Element):
    """An SVG document as content."""

    svg: str
    """The SVG document itself, `<svg …>…</svg>`, or an SVG file."""
    _: KW_ONLY
    width: Literal["auto"] | float | None = None
    """Width in pt; `auto` or 0 uses the document's width. 0 to 10,000. Default: ``"auto"``."""
    height: Literal["auto"] | float | None = None
    """Height in pt; `auto` or 0 uses the document's height. 0 to 10,000. Default: ``"auto"``."""


@element
class Stack(BoxProperties):
    """Content in a row, in a column, or over one another."""

    stack: Sequence[Content]
    """The pieces of content, in order; at most 100."""
    _: KW_ONLY
    axis: Literal["horizontal", "vertical", "depth"] | None = None
    """The direction in which the pieces of content are arranged. With `depth`, they lie on top of one another, and the first is at the
    bottom. Default: ``"vertical"``.
    """
    spacing: float | None = None
    """The space in pt between neighboring pieces of content. It has no effect with `depth`. 0 to 1,000. Default: ``0``."""
    alignment: Literal["start", "center", "end"] | None = None
    """The alignment of the pieces of content perpendicular to the axis. With `depth`, it applies horizontally and vertically.
    Horizontally, `start` is the left; for labels with natural alignment and right-to-left text, it is the right. Default: ``"start"``.
    """


@element
class BoxTemplateProperties(Element):
    """The properties of labels and stacks, as values or templates."""

    _: KW_ONLY
    background_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    border_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    border_width: float | str | NumberScale | Mapping[str, Any] | None = None
    corner_radius: float | str | NumberScale | Mapping[str, Any] | None = None
    insets: EdgeInsets | Mapping[str, Any] | None = None
    width: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None
    height: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None


@element
class LabelTemplate(BoxTemplateProperties):
    """A `Label` whose values may be templates."""

    _wrapper = "label"

    text: str
    _: KW_ONLY
    text_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    text_size: float | str | NumberScale | Mapping[str, Any] | None = None
    font_weight: Literal["regular", "bold"] | str | None = None
    font: str | None = None
    text_alignment: Literal["natural", "left", "center", "right"] | str | None = None
    max_width: float | str | NumberScale | Mapping[str, Any] | None = None
    max_lines: int | str | NumberScale | Mapping[str, Any] | None = None


@element
class ImageContentTemplate(Element):
    """`ImageContent` whose values may be templates."""

    image: str
    _: KW_ONLY
    width: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None
    height: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None


@element
class SVGContentTemplate(Element):
    """`SVGContent` whose values may be templates."""

    svg: str
    _: KW_ONLY
    width: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None
    height: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None


@element
class StackTemplate(BoxTemplateProperties):
    """A `Stack` whose values may be templates."""

    stack: Sequence[ContentTemplate]
    _: KW_ONLY
    axis: Literal["horizontal", "vertical", "depth"] | str | None = None
    spacing: float | str | NumberScale | Mapping[str, Any] | None = None
    alignment: Literal["start", "center", "end"] | str | None = None


@element
class InfoWindow(Element):
    """An info window at a position.

    :param lat: Degrees north, -90 to 90; with `lng`, in place of `position`.
    :param lng: Degrees east; with `lat`, in place of `position`.
    """

    _other_names = {"position": ["lat", "lng"]}

    position: Position | None = None
    """The position at which the window opens."""
    content: Content | None = None
    """Content that replaces the whole window. Its bottom center is at the position."""
    _: KW_ONLY
    contents: Content | None = None
    """The content inside the default frame."""
    if TYPE_CHECKING:
        lat: InitVar[float | None] = None
        """Degrees north, -90 to 90; with `lng`, in place of `position`."""
        lng: InitVar[float | None] = None
        """Degrees east; with `lat`, in place of `position`."""


@element
class GeoJSON(Element):
    """The features of a GeoJSON file, as markers, polylines and polygons."""

    _type = "geojson"

    source: Source
    """A file of features: GeoJSON, GPX, or a table."""
    _: KW_ONLY
    use_altitude: bool | None = None
    """Whether the altitudes in the file, in meters, are used: the third number of a position, `ele` in GPX, or the altitude column of a
    table. Default: ``False``.
    """
    marker: MarkerTemplate | Mapping[str, Any] | None = None
    """Properties of the markers drawn for points, as constants or templates."""
    polyline: PolylineTemplate | Mapping[str, Any] | None = None
    """Properties of the polylines drawn for lines, as constants or templates."""
    polygon: PolygonTemplate | Mapping[str, Any] | None = None
    """Properties of the polygon overlays drawn for polygons, as constants or templates."""


@element
class StyledRange(Element):
    """A style for clusters, by the number of their markers."""

    density_range: Sequence[int | None]
    style: ClusterStyle | Mapping[str, Any] | ImageClusterStyle | Mapping[str, Any]


@element
class ClusterStyle(Element):
    """A disc with a ring and text."""

    _: KW_ONLY
    text: str | None = None
    """The text in the middle. `{count}` is replaced by the number of markers, and `{sum:NAME}`, `{min:NAME}` and `{max:NAME}` by the
    sum, minimum and maximum of a property. Default: ``"{count}"``.
    """
    text_color: Color | None = None
    """Color of the text. Default: ``"white"``."""
    text_size: float | None = None
    """Size of the text in pt. Text that is too large is drawn smaller. It is not drawn if it would be smaller than 1 pt. 1 to 512.
    Default: ``13``.
    """
    fill_color: Color | None = None
    """Color of the disc. Default: ``"#1f6fd6"``."""
    stroke_color: Color | None = None
    """Color of the ring. Default: ``"white"``."""
    stroke_width: float | None = None
    """Width of the ring in pt, included in `size`. 0 to 100. Default: ``3``."""
    size: float | None = None
    """Diameter in pt, at least 1. With 0, the number of markers determines the diameter: 32 pt for fewer than 10, 40 pt from 10, 48 pt
    from 100, and 56 pt from 1,000. 0 to 1,000. Default: ``0``.
    """
    icon_perspective_enabled: bool | None = None
    """Whether the cluster and its text are drawn larger near the camera and smaller far away. Default: ``False``."""
    is_hide_collided_symbols: bool | None = None
    """Whether the cluster hides base-map symbols that it overlaps. Default: ``False``."""
    is_hide_collided_markers: bool | None = None
    """Whether the cluster hides everything that overlaps it and comes later in the collision order: clusters, icons and captions.
    Default: ``False``.
    """
    is_hide_collided_captions: bool | None = None
    """Whether the cluster hides captions of markers that come later in the collision order and overlap it. Default: ``False``."""


@element
class ImageClusterStyle(Element):
    """An image with text."""

    image: str
    """The image that replaces the disc, specified in the same way as a marker's icon."""
    _: KW_ONLY
    text: str | None = None
    """The text in the middle. `{count}` is replaced by the number of markers, and `{sum:NAME}`, `{min:NAME}` and `{max:NAME}` by the
    sum, minimum and maximum of a property.
    """
    text_color: Color | None = None
    """Color of the text. Default: ``"white"``."""
    text_size: float | None = None
    """Size of the text in pt. Text that is too large is drawn smaller. It is not drawn if it would be smaller than 1 pt. 1 to 512.
    Default: ``13``.
    """
    text_radius: float | None = None
    """Radius in pt of the circle into which the text is fitted. The circle is centered on the image; 0 means half of the image's shorter
    side. 0 to 500. Default: ``0``.
    """
    icon_perspective_enabled: bool | None = None
    """Whether the cluster and its text are drawn larger near the camera and smaller far away. Default: ``False``."""
    is_hide_collided_symbols: bool | None = None
    """Whether the cluster hides base-map symbols that it overlaps. Default: ``False``."""
    is_hide_collided_markers: bool | None = None
    """Whether the cluster hides everything that overlaps it and comes later in the collision order: clusters, icons and captions.
    Default: ``False``.
    """
    is_hide_collided_captions: bool | None = None
    """Whether the cluster hides captions of markers that come later in the collision order and overlap it. Default: ``False``."""


@element
class OverlayTemplateProperties(Element):
    """The properties of all overlays that are made from features, as values or templates."""

    _: KW_ONLY
    z_index: int | str | NumberScale | Mapping[str, Any] | None = None
    global_z_index: int | str | NumberScale | Mapping[str, Any] | None = None
    altitude: float | str | NumberScale | Mapping[str, Any] | None = None
    is_visible: bool | str | None = None
    is_hidden: bool | str | None = None
    min_zoom: float | str | NumberScale | Mapping[str, Any] | None = None
    max_zoom: float | str | NumberScale | Mapping[str, Any] | None = None
    hidden_zooms: Sequence[int] | str | None = None
    is_fitted: bool | str | None = None
    consumes_taps: bool | str | None = None
    tag: int | str | NumberScale | Mapping[str, Any] | None = None
    map_layer_type: Literal["background", "area", "road", "transitStop", "poi", "foreground"] | str | None = None


@element
class MarkerTemplate(OverlayTemplateProperties):
    """The properties of a `Marker` for points; text in braces stands for a property of the feature."""

    _: KW_ONLY
    icon_image: str | None = None
    width: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None
    height: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None
    anchor: Sequence[float] | str | None = None
    anchor_offset: Sequence[float] | str | None = None
    icon_tint_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    angle: float | str | NumberScale | Mapping[str, Any] | None = None
    alpha: float | str | NumberScale | Mapping[str, Any] | None = None
    occluded_alpha: float | str | NumberScale | Mapping[str, Any] | None = None
    is_flat: bool | str | None = None
    icon_perspective_enabled: bool | str | None = None
    title: str | None = None
    snippet: str | None = None
    info_window_anchor: Sequence[float] | str | None = None
    info_window: ContentTemplate | str | None = None
    info_contents: ContentTemplate | str | None = None
    tracks_info_window_changes: bool | str | None = None
    icon_view: ContentTemplate | str | None = None
    tracks_view_changes: bool | str | None = None
    is_draggable: bool | str | None = None
    caption_text: str | None = None
    sub_caption_text: str | None = None
    caption_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    caption_halo_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    caption_halo_width: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_halo_blur: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_text_size: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_requested_width: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_letter_spacing: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_offset: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_padding: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_align: Literal["center", "left", "right", "top", "bottom", "topLeft", "topRight", "bottomRight", "bottomLeft"] | str | None = None
    caption_aligns: Literal["center", "left", "right", "top", "bottom", "topLeft", "topRight", "bottomRight", "bottomLeft"] | Sequence[Literal["center", "left", "right", "top", "bottom", "topLeft", "topRight", "bottomRight", "bottomLeft"]] | str | None = None
    caption_min_zoom: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_max_zoom: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_perspective_enabled: bool | str | None = None
    caption_font_weight: Literal["regular", "bold"] | str | None = None
    caption_font: str | None = None
    sub_caption_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    sub_caption_halo_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    sub_caption_text_size: float | str | NumberScale | Mapping[str, Any] | None = None
    sub_caption_requested_width: float | str | NumberScale | Mapping[str, Any] | None = None
    sub_caption_min_zoom: float | str | NumberScale | Mapping[str, Any] | None = None
    sub_caption_max_zoom: float | str | NumberScale | Mapping[str, Any] | None = None
    is_hide_collided_symbols: bool | str | None = None
    is_hide_collided_markers: bool | str | None = None
    is_hide_collided_captions: bool | str | None = None
    is_force_show_icon: bool | str | None = None
    is_force_show_caption: bool | str | None = None
    is_caption_required: bool | str | None = None


@element
class PolylineTemplate(OverlayTemplateProperties):
    """The properties of a `Polyline` for lines; text in braces stands for a property of the feature."""

    _: KW_ONLY
    width: float | str | NumberScale | Mapping[str, Any] | None = None
    color: Color | ColorScale | Mapping[str, Any] | str | None = None
    gradient: Sequence[Sequence[float | Color]] | str | None = None
    cap_type: Literal["butt", "round", "square"] | str | None = None
    join_type: Literal["miter", "round", "bevel"] | str | None = None
    miter_limit: float | str | NumberScale | Mapping[str, Any] | None = None
    pattern: Sequence[float] | str | None = None
    outline_width: float | str | NumberScale | Mapping[str, Any] | None = None
    outline_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    outline_group: str | None = None
    start_arrow: Literal["none", "open", "filled"] | str | None = None
    end_arrow: Literal["none", "open", "filled"] | str | None = None
    arrow_size: float | str | NumberScale | Mapping[str, Any] | None = None
    is_geodesic: bool | str | None = None
    is_perspective_enabled: bool | str | None = None
    line_image: str | None = None
    line_image_size: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None
    line_image_spacing: float | str | NumberScale | Mapping[str, Any] | None = None
    line_image_offset: float | str | NumberScale | Mapping[str, Any] | None = None
    line_text: str | None = None
    line_text_size: float | str | NumberScale | Mapping[str, Any] | None = None
    line_text_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    line_text_halo_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    line_text_halo_width: float | str | NumberScale | Mapping[str, Any] | None = None
    line_text_font_weight: Literal["regular", "bold"] | str | None = None
    line_text_font: str | None = None
    line_text_letter_spacing: float | str | NumberScale | Mapping[str, Any] | None = None
    line_text_padding: float | str | NumberScale | Mapping[str, Any] | None = None
    line_text_min_zoom: float | str | NumberScale | Mapping[str, Any] | None = None
    line_text_max_zoom: float | str | NumberScale | Mapping[str, Any] | None = None
    line_text_spacing: float | str | NumberScale | Mapping[str, Any] | None = None
    line_text_offset: float | str | NumberScale | Mapping[str, Any] | None = None
    line_text_max_angle: float | str | NumberScale | Mapping[str, Any] | None = None


@element
class PolygonTemplate(OverlayTemplateProperties):
    """The properties of a `Polygon` for areas; text in braces stands for a property of the feature."""

    _: KW_ONLY
    fill_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    outline_width: float | str | NumberScale | Mapping[str, Any] | None = None
    outline_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    is_perspective_enabled: bool | str | None = None


@element
class RoleColors(Element):
    """Colors of areas and lines of vector tiles, by role."""

    _: KW_ONLY
    land: Color | None = None
    """The color of `land`."""
    water: Color | None = None
    """The color of `water`."""
    wood: Color | None = None
    """The color of `wood`."""
    grass: Color | None = None
    """The color of `grass`."""
    sand: Color | None = None
    """The color of `sand`."""
    ice: Color | None = None
    """The color of `ice`."""
    rock: Color | None = None
    """The color of `rock`."""
    farmland: Color | None = None
    """The color of `farmland`."""
    residential: Color | None = None
    """The color of `residential`."""
    industrial: Color | None = None
    """The color of `industrial`."""
    park: Color | None = None
    """The color of `park`."""
    building: Color | None = None
    """The color of `building`."""
    runway: Color | None = None
    """The color of `runway`."""
    motorway: Color | None = None
    """The color of `motorway`."""
    trunk: Color | None = None
    """The color of `trunk`."""
    primary: Color | None = None
    """The color of `primary`."""
    secondary: Color | None = None
    """The color of `secondary`."""
    minor: Color | None = None
    """The color of `minor`."""
    service: Color | None = None
    """The color of `service`."""
    path: Color | None = None
    """The color of `path`."""
    rail: Color | None = None
    """The color of `rail`."""
    ferry: Color | None = None
    """The color of `ferry`."""
    country_boundary: Color | None = None
    """The color of `country_boundary`."""
    region_boundary: Color | None = None
    """The color of `region_boundary`."""
    country_label: Color | None = None
    """The color of `country_label`."""
    region_label: Color | None = None
    """The color of `region_label`."""
    city_label: Color | None = None
    """The color of `city_label`."""
    town_label: Color | None = None
    """The color of `town_label`."""
    village_label: Color | None = None
    """The color of `village_label`."""
    suburb_label: Color | None = None
    """The color of `suburb_label`."""
    water_label: Color | None = None
    """The color of `water_label`."""
    road_label: Color | None = None
    """The color of `road_label`."""
    peak_label: Color | None = None
    """The color of `peak_label`."""
    poi_label: Color | None = None
    """The color of `poi_label`."""


@element
class BaseMapLayer(Element):
    """Tiles of a base map."""

    source: Source
    """A PMTiles or MBTiles file, or a folder of tiles named `z/x/y.png` (or `.jpg`, `.webp`, `.mvt`, `.pbf`)."""
    _: KW_ONLY
    opacity: float | None = None
    """Opacity of the layer. 0 to 1. Default: ``1``."""
    min_zoom: float | None = None
    """The lowest camera zoom at which the layer is drawn, inclusive. 0 to 24. Default: ``0``."""
    max_zoom: float | None = None
    """The highest camera zoom at which the layer is drawn, inclusive. 0 to 24. Default: ``24``."""
    is_visible: bool | None = None
    """Whether the layer is drawn. Default: ``True``."""
    theme: Literal["light", "dark", "gray"] | None = None
    """Vector tiles: the theme of the layer's colors and widths. Default: the scene's `theme`, or `light` without one."""
    role_colors: RoleColors | Mapping[str, Any] | None = None
    """Vector tiles: colors that replace those of the theme. Default: ``{}``."""
    buildings: Literal["flat", "extruded", "none"] | None = None
    """Vector tiles: whether buildings are drawn as areas, as blocks with their heights (from zoom 15), or not at all. Default:
    ``"flat"``.
    """
    labels: bool | None = None
    """Vector tiles: whether the names of places, waters, peaks and roads are drawn. Default: ``True``."""
    pois: bool | None = None
    """Vector tiles: whether points of interest are drawn. Default: ``True``."""
    language: str | Sequence[str] | None = None
    """Vector tiles: the language of names as a BCP 47 tag, or `local` (the default) for local names. With two languages, such as `["ko",
    "local"]`, the name in the second language is added on a second line if it differs.
    """


@element
class Symbol(Element):
    """A label or a point of interest of the base map.

    :param lat: Degrees north, -90 to 90; with `lng`, in place of `position`.
    :param lng: Degrees east; with `lat`, in place of `position`.
    """

    _other_names = {"position": ["lat", "lng"]}

    position: Position | None = None
    """The position of the icon's center or, without an icon, of the text's center."""
    _: KW_ONLY
    id: str | None = None
    """A name that is unique in the scene; by default, `symbol-` followed by the symbol's index in the list."""
    caption_text: str | None = None
    """The text, drawn beneath the icon or, without an icon, centered on the position; `\\n` begins a new line."""
    caption_color: Color | None = None
    """Color of the text. Default: ``"black"``."""
    caption_halo_color: Color | None = None
    """Color of the text's outline. Default: ``"white"``."""
    caption_halo_width: float | None = None
    """Width in pt of the text's outline; 0 means no outline. 0 to 8. Default: ``1``."""
    caption_halo_blur: float | None = None
    """Distance in pt over which the text's outline fades on each side of its outer edge; 0 means a sharp edge. 0 to 4. Default: ``0``."""
    caption_text_size: float | None = None
    """Size of the text in pt. 1 to 512. Default: ``12``."""
    caption_requested_width: float | None = None
    """Width in pt at which the text wraps between words; 0 means no wrapping. 0 to 10,000. Default: ``0``."""
    caption_letter_spacing: float | None = None
    """Space in em that is added between the letters of the text. In joined scripts such as Arabic, it is added only between words. -0.25
    to 2. Default: ``0``.
    """
    caption_padding: float | None = None
    """Space in pt that is kept free around the text. 0 to 100. Default: ``0``."""
    caption_font_weight: Literal["regular", "bold"] | None = None
    """Weight of the text. Default: ``"regular"``."""
    icon_image: str | None = None
    """The icon, specified in the same way as a marker's icon."""
    width: Literal["auto"] | float | None = None
    """Width of the icon in pt; `auto` or 0 uses the image's width. 0 to 10,000. Default: ``"auto"``."""
    height: Literal["auto"] | float | None = None
    """Height of the icon in pt; `auto` or 0 uses the image's height. 0 to 10,000. Default: ``"auto"``."""
    kind: str | None = None
    """The type that picking reports: `pointOfInterest`, `transitStop`, `trafficEvent` or a custom name. Default: ``"pointOfInterest"``."""
    category: str | None = None
    """The category that picking reports."""
    phone: str | None = None
    """The telephone number that picking reports."""
    rank: float | None = None
    """The priority among overlapping symbols. Only the symbol with the lowest rank is drawn; among equal ranks, only the first symbol.
    Default: ``0``.
    """
    min_zoom: float | None = None
    """The lowest zoom at which the symbol is drawn, inclusive. 0 to 24. Default: ``0``."""
    max_zoom: float | None = None
    """The highest zoom at which the symbol is drawn, inclusive. 0 to 24. Default: ``24``."""
    if TYPE_CHECKING:
        lat: InitVar[float | None] = None
        """Degrees north, -90 to 90; with `lng`, in place of `position`."""
        lng: InitVar[float | None] = None
        """Degrees east; with `lat`, in place of `position`."""


@element
class SymbolSource(Element):
    """Symbols from the points of a GeoJSON file."""

    source: Source
    """A file of features: GeoJSON, GPX, or a table."""
    _: KW_ONLY
    symbol: SymbolTemplate | Mapping[str, Any] | None = None
    """Properties of the symbols, as constants or templates. By default, the text is the property `name`, and the rank is the property
    `rank`.
    """


@element
class SymbolTemplate(Element):
    """The properties of a `Symbol` for points; text in braces stands for a property of the feature."""

    _: KW_ONLY
    caption_text: str | None = None
    caption_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    caption_halo_color: Color | str | ColorScale | Mapping[str, Any] | None = None
    caption_halo_width: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_halo_blur: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_text_size: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_requested_width: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_letter_spacing: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_padding: float | str | NumberScale | Mapping[str, Any] | None = None
    caption_font_weight: Literal["regular", "bold"] | str | None = None
    icon_image: str | None = None
    width: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None
    height: Literal["auto"] | float | str | NumberScale | Mapping[str, Any] | None = None
    kind: str | None = None
    category: str | None = None
    phone: str | None = None
    rank: float | str | NumberScale | Mapping[str, Any] | None = None
    min_zoom: float | str | NumberScale | Mapping[str, Any] | None = None
    max_zoom: float | str | NumberScale | Mapping[str, Any] | None = None


@element
class Camera(Element):
    """A camera at a place.

    :param lat: Degrees north, -90 to 90; with `lng`, in place of `center`.
    :param lng: Degrees east; with `lat`, in place of `center`.
    """

    _other_names = {"center": ["lat", "lng"]}

    center: Position | None = None
    """The coordinates at the center of the picture."""
    _: KW_ONLY
    zoom: float | None = None
    """The zoom level; the world is 512 · 2^zoom pt wide. 0 to 24. Default: ``0``."""
    bearing: float | None = None
    """The compass direction at the top of the picture, in degrees clockwise from north. Default: ``0``."""
    tilt: float | None = None
    """The angle in degrees between the viewing direction and straight down. 0 to 80. Default: ``0``."""
    content_inset: EdgeInsets | Mapping[str, Any] | None = None
    """The margins of the picture that other content covers. The center moves to the middle of the remaining area. Default: ``{"top": 0,
    "left": 0, "bottom": 0, "right": 0}``.
    """
    if TYPE_CHECKING:
        lat: InitVar[float | None] = None
        """Degrees north, -90 to 90; with `lng`, in place of `center`."""
        lng: InitVar[float | None] = None
        """Degrees east; with `lat`, in place of `center`."""


@element
class Fit(Element):
    """A camera that shows all or some overlays.

    :param bounds: ``(west, south, east, north)`` in degrees, in place of `fit`.
    :param points: Positions, in place of `fit`.
    """

    _other_names = {"fit": ["bounds", "points"]}

    fit: Literal["overlays"] | Sequence[str] | Mapping[str, Any] | None = None
    """The overlays or the extent to show: `"overlays"` for all visible overlays with `is_fitted`; a list of ids; `{"bounds": [west,
    south, east, north]}`; or `{"points": […]}`.
    """
    _: KW_ONLY
    padding: float | None = None
    """The space in pt that is kept free along every edge of the picture; by default 32 or, in a small picture, a quarter of its shorter
    side. 0 or more.
    """
    max_zoom: float | None = None
    """The highest zoom of the fitted camera. 0 to 24. Default: ``17``."""
    include_info_window: bool | None = None
    """Whether the whole info window must also fit into the area inside the padding. Default: ``True``."""
    center: Position | None = None
    """The coordinates at the center of the picture, which replace the fitted center."""
    zoom: float | None = None
    """The zoom, which replaces the fitted zoom; if there is also a `center`, nothing is fitted. 0 to 24."""
    bearing: float | None = None
    """The compass direction at the top of the picture, in degrees clockwise from north. Default: ``0``."""
    tilt: float | None = None
    """The angle in degrees between the viewing direction and straight down. 0 to 80. Default: ``0``."""
    content_inset: EdgeInsets | Mapping[str, Any] | None = None
    """The margins of the picture that other content covers. The overlays are fitted into the remaining area. Default: ``{"top": 0,
    "left": 0, "bottom": 0, "right": 0}``.
    """
    if TYPE_CHECKING:
        bounds: InitVar[Bounds | None] = None
        """``(west, south, east, north)`` in degrees, in place of `fit`."""
        points: InitVar[Sequence[Position] | None] = None
        """Positions, in place of `fit`."""


@element
class MapElementProperties(Element):
    """The properties of all map elements."""

    _: KW_ONLY
    place: Literal["topLeft", "top", "topRight", "left", "right", "bottomLeft", "bottom", "bottomRight"] | None = None
    """The edge or corner of the picture where the element is placed. If elements share a place, the first is next to the edge, and the
    others follow inward. Default: ``"top"`` for Title; ``"bottomRight"`` for Legend, ImageElement; ``"bottomLeft"`` for ScaleBar,
    TextElement; ``"topRight"`` for NorthArrow, Inset.
    """
    margins: EdgeInsets | Mapping[str, Any] | None = None
    """The space in pt that is kept free around the element. Between two elements, it is the larger of their margins. Default: ``{"top":
    10, "left": 10, "bottom": 10, "right": 10}``.
    """
    is_visible: bool | None = None
    """Whether the element is drawn. Default: ``True``."""
    background_color: Color | None = None
    """Color of the panel behind the element. By default, titles, legends, scale bars and north arrows have the theme's panel color, and
    other elements have no panel.
    """
    border_color: Color | None = None
    """Color of the panel's border; by default, the theme's hairline color."""
    border_width: float | None = None
    """Width of the panel's border in pt. By default, insets and panels in the theme's panel color have a hairline, and other panels have
    no border. 0 to 100.
    """
    corner_radius: float | None = None
    """Radius of the panel's corners in pt. The default is 4, except for a north arrow, whose panel is a circle. Insets have square
    corners. 0 to 1,000.
    """
    insets: EdgeInsets | Mapping[str, Any] | None = None
    """The space in pt between the edges of the panel and the content. Default: ``{"top": 6, "left": 12, "bottom": 6, "right": 12}`` for
    Title; ``{"top": 8, "left": 10, "bottom": 8, "right": 10}`` for Legend; ``{"top": 2, "left": 6, "bottom": 5, "right": 6}`` for
    ScaleBar; ``{"top": 0, "left": 0, "bottom": 0, "right": 0}`` for NorthArrow, ImageElement, TextElement, Inset.
    """


@element
class Title(MapElementProperties):
    """A title with an optional subtitle."""

    _type = "title"

    text: str
    """The title; `\\n` begins a new line."""
    _: KW_ONLY
    subtitle: str | None = None
    """Smaller text beneath the title."""
    text_size: float | None = None
    """Size of the title in pt. 1 to 512. Default: ``18``."""
    subtitle_size: float | None = None
    """Size of the subtitle in pt. 1 to 512. Default: ``12``."""
    text_color: Color | None = None
    """Color of the text; by default, the theme's text color for the title and its secondary text color for the subtitle."""
    font_weight: Literal["regular", "bold"] | None = None
    """Weight of the title. Default: ``"bold"``."""
    font: str | None = None
    """The font family to try before Noto."""


@element
class Legend(MapElementProperties):
    """The legend of a scale."""

    _type = "legend"

    _: KW_ONLY
    overlay: str | None = None
    """The overlay with the scale: the id of a line or a cluster layer, `geojson-` followed by the index of a geojson overlay, or
    `symbols`. By default, the first overlay with a scale.
    """
    template: str | None = None
    """The template with the scale: `marker`, `polyline`, `polygon` or `symbol`; for a line, its type. Default: the first one."""
    property: str | None = None
    """The property that the scale determines, such as `fill_color`. By default, the first one that a legend can show."""
    title: str | None = None
    """The title. By default, it is the property name in the scale's `by`; an empty title is not drawn."""
    format: Literal["compact", "plain", "percent", "date"] | None = None
    """How numbers are written: `compact` (1.2k, 34M), `plain` (12 345), `percent` (0.25 is 25%) or `date` (seconds or milliseconds since
    1970). Values that are dates in the data are written as dates by default. Default: ``"compact"``.
    """
    decimals: int | None = None
    """The number of decimals. By default, as many as the numbers need. 0 to 10."""
    unit: str | None = None
    """The unit, written after numbers."""
    missing_label: str | None = None
    """The label of missing values. Default: ``"no data"``."""
    others_label: str | None = None
    """The label of names that are not among the categories. Default: ``"other"``."""
    columns: int | None = None
    """The number of columns. 0 makes as many columns as the height of the list requires. 0 to 20. Default: ``0``."""
    is_reversed: bool | None = None
    """Whether the order is reversed: the highest class first, the lowest value of a bar at the top. Default: ``False``."""
    is_nested: bool | None = None
    """Whether icons of several sizes are drawn one inside another instead of in a list. The icons then share their bottom edge, and a
    line leads from the top of each icon to its label. Default: ``False``.
    """


@element
class ScaleBar(MapElementProperties):
    """A bar that shows the scale of the map with a round length."""

    _type = "scaleBar"

    _: KW_ONLY
    units: Literal["metric", "imperial"] | None = None
    """The units of the length. Default: ``"metric"``."""
    max_width: float | None = None
    """The maximum length of the bar in pt. 20 to 900. Default: ``120``."""
    color: Color | None = None
    """Color of the bar and its text; by default, the theme's text color."""


@element
class NorthArrow(MapElementProperties):
    """An arrow that points north."""

    _type = "northArrow"

    _: KW_ONLY
    size: float | None = None
    """The width and the height in pt. 16 to 400. Default: ``40``."""
    color: Color | None = None
    """Color of the arrow; by default, the theme's text color."""


@element
class ImageElement(MapElementProperties):
    """An image at an edge of the picture, such as a logo."""

    _type = "image"

    image: str
    """The image, specified in the same way as a marker's icon."""
    _: KW_ONLY
    width: Literal["auto"] | float | None = None
    """Width in pt; `auto` or 0 uses the image's width. 0 to 10,000. Default: ``"auto"``."""
    height: Literal["auto"] | float | None = None
    """Height in pt; `auto` or 0 uses the image's height. 0 to 10,000. Default: ``"auto"``."""
    opacity: float | None = None
    """Opacity of the image and its panel. 0 to 1. Default: ``1``."""


@element
class TextElement(MapElementProperties):
    """Any content at an edge of the picture."""

    _type = "text"

    content: Content
    """The content to show."""


@element
class Size(Element):
    """The size of a picture in pt."""

    width: float
    """Width in pt."""
    height: float
    """Height in pt."""


@element
class Inset(MapElementProperties):
    """A second map inside the picture."""

    _type = "inset"

    _: KW_ONLY
    extent: Literal["inset", "map", "none"] | None = None
    """The map in which the area of the other map is outlined: `inset` shows the main map's area in the inset, `map` shows the inset's
    area in the main map, and `none` shows neither. Default: ``"inset"``.
    """
    extent_color: Color | None = None
    """Color of the outline of the covered area; by default, the theme's accent color."""
    size: Size | Mapping[str, Any] | None = None
    """The size of the inset in pt, without its border. Default: ``{"width": 160, "height": 120}``."""
    background: Color | None = None
    """The background color of the inset. Default: ``"transparent"``."""
    sky: Color | Sequence[Color] | None = None
    """The sky of the inset, as in a scene."""
    basemap: str | BaseMapLayer | Mapping[str, Any] | Sequence[str | BaseMapLayer | Mapping[str, Any]] | None = None
    """The base map of the inset, as in a scene."""
    camera: Camera | Mapping[str, Any] | Fit | Mapping[str, Any] | None = None
    """The camera of the inset. By default, it is fitted to the overlays of the inset. An inset without overlays then shows the
    surroundings of the main map: the same center, five zoom levels lower.
    """
    symbols: SymbolSource | Mapping[str, Any] | Sequence[Symbol | Mapping[str, Any]] | None = None
    """The symbols of the inset, as in a scene."""
    overlays: Sequence[Overlay] | None = None
    """The overlays of the inset. Their ids are independent of the ids in the scene."""
    elements: Sequence[MapElement] | None = None
    """The elements of the inset, which may not contain insets."""


@element
class ColorScale(Element):
    """A scale that turns values of the data into colors: one of `steps`, `classes`, `categories`, `ramp`, `linear`, `log` and `sqrt`."""

    by: str
    """The name of the property that provides the values."""
    steps: Sequence[ScaleValue] | None = None
    """Numbers that separate classes, in ascending order. A class includes its upper bound."""
    _: KW_ONLY
    classes: ScaleClasses | Mapping[str, Any] | None = None
    """Classes that are computed from the data."""
    categories: Mapping[str, Color] | Sequence[str | float | bool] | None = None
    """Colors by category, or a list of categories."""
    ramp: Sequence[Sequence[ScaleValue | Color]] | None = None
    """A list of pairs, each with a value and the color for it, in ascending order of the values."""
    linear: Sequence[Color] | ColorScheme | None = None
    """Colors that are spread evenly over the `domain`."""
    log: Sequence[Color] | ColorScheme | None = None
    """Like `linear`, but on a logarithmic axis."""
    sqrt: Sequence[Color] | ColorScheme | None = None
    """Like `linear`, but on a square-root scale."""
    colors: Sequence[Color] | ColorScheme | None = None
    """Colors for the classes or for the listed categories, as a list or as the name of a color scheme."""
    others: Color | None = None
    """The color for names that are not among the categories."""
    domain: Sequence[ScaleValue] | None = None
    """The lowest and the highest value of `linear`, `log` or `sqrt`."""
    missing: Color | None = None
    """The color where the value is missing."""
    legend: bool | Mapping[str, Any] | None = None
    """Whether the map has a legend for the scale, or the properties of that legend."""
    alpha: float | None = None
    """The factor by which the opacity of all colors is multiplied. 0 to 1."""


@element
class NumberScale(Element):
    """A scale that turns values of the data into numbers: one of `steps`, `classes`, `categories`, `ramp`, `linear`, `log` and `sqrt`."""

    by: str
    """The name of the property that provides the values."""
    steps: Sequence[ScaleValue] | None = None
    """Numbers that separate classes, in ascending order. A class includes its upper bound."""
    _: KW_ONLY
    classes: ScaleClasses | Mapping[str, Any] | None = None
    """Classes that are computed from the data."""
    categories: Mapping[str, float] | Sequence[str | float | bool] | None = None
    """Numbers by category, or a list of categories."""
    ramp: Sequence[Sequence[ScaleValue | float]] | None = None
    """A list of pairs, each with a value and the number for it, in ascending order of the values."""
    linear: Sequence[float] | None = None
    """Numbers that are spread evenly over the `domain`."""
    log: Sequence[float] | None = None
    """Like `linear`, but on a logarithmic axis."""
    sqrt: Sequence[float] | None = None
    """Like `linear`, but on a square-root scale."""
    numbers: Sequence[float] | None = None
    """Numbers for the classes or for the listed categories."""
    others: float | None = None
    """The number for names that are not among the categories."""
    domain: Sequence[ScaleValue] | None = None
    """The lowest and the highest value of `linear`, `log` or `sqrt`."""
    missing: float | None = None
    """The number where the value is missing."""
    legend: bool | Mapping[str, Any] | None = None
    """Whether the map has a legend for the scale, or the properties of that legend."""


@element
class ScaleClasses(Element):
    """Classes that the data determine, by one of three methods."""

    quantiles: int | None = None
    """The number of classes, each with about the same number of values. 1 to 32."""
    _: KW_ONLY
    equal: int | None = None
    """The number of classes of equal width. 1 to 32."""
    natural: int | None = None
    """The number of classes to make with natural breaks (Fisher–Jenks). 1 to 32."""


@element
class EncodedPolyline(Element):
    """A line in Google's encoded polyline format."""

    polyline: str
    _: KW_ONLY
    precision: Literal[5, 6] | None = None
    """Default: ``5``."""


@element
class Image(Element):
    """An image file and its pixels per pt."""

    path: str | os.PathLike[str]
    _: KW_ONLY
    scale: float | None = None
    """0.1 to 16."""


@element
class Mesh(Element):
    """The triangles of a model, in meters."""

    vertices: Sequence[Sequence[float]]
    triangles: Sequence[Sequence[int]]
    _: KW_ONLY
    texture_coordinates: Sequence[Sequence[float]] | None = None
    normals: Sequence[Sequence[float]] | None = None
    colors: Sequence[Color] | None = None


@element
class GeoMesh(Element):
    """The triangles of a model whose vertices are positions."""

    vertices: Sequence[Sequence[float]]
    triangles: Sequence[Sequence[int]]
    _: KW_ONLY
    texture_coordinates: Sequence[Sequence[float]] | None = None
    normals: Sequence[Sequence[float]] | None = None
    colors: Sequence[Color] | None = None


@element
class SceneFields(Element):
    """Everything in a scene file."""

    _: KW_ONLY
    size: Size | Mapping[str, Any] | None = None
    """The size of the picture in pt. Default: ``{"width": 512, "height": 512}``."""
    pixel_ratio: float | None = None
    """Device pixels per pt. 0.5 to 8. Default: ``1``."""
    language: str | None = None
    """The language of captions as a BCP 47 tag. It selects the glyphs for characters that Chinese, Japanese and Korean share. Default:
    ``"ko"``.
    """
    background: Color | None = None
    """The background color. By default, it is the color of the theme's land or, without a theme, transparent."""
    sky: Color | Sequence[Color] | None = None
    """The color above the horizon and beyond the edges of the ground, or two colors: `[horizon, zenith]`. By default, it is the color of
    the theme's sky or, without a theme, the background color.
    """
    basemap: str | BaseMapLayer | Mapping[str, Any] | Sequence[str | BaseMapLayer | Mapping[str, Any]] | None = None
    """Raster or vector tiles beneath all overlays: a source, a layer, or a list of layers from bottom to top."""
    theme: Literal["light", "dark", "gray"] | None = None
    """The theme, which provides the defaults for everything that the scene does not set. A layer of the base map with its own `theme`
    keeps that theme.
    """
    attribution: bool | None = None
    """Whether the credits of the base map's sources are shown at the lower right. Default: ``True``."""
    captions_avoid_edges: bool | None = None
    """Whether a caption that would be cut off by the picture's edge is moved to another of its alignments. If none of them fits, the
    caption is not drawn. Default: ``False``.
    """
    captions_avoid_elements: bool | None = None
    """Whether a caption that an element would cover is moved to another of its alignments. If none of them fits, the caption is not
    drawn. Default: ``False``.
    """
    model_samples: Literal[1, 4] | None = None
    """The number of samples per pixel at the edges of models; 1 disables antialiasing there. Default: ``4``."""
    camera: Camera | Mapping[str, Any] | Fit | Mapping[str, Any] | None = None
    """The camera. By default, it is fitted to the overlays."""
    elements: Sequence[MapElement] | None = None
    """Elements at the edges of the picture that explain the map, such as titles, legends and scale bars; at most 100."""
    selected_marker: str | None = None
    """The id of the marker whose info window is open."""
    info_window: InfoWindow | Mapping[str, Any] | None = None
    """An info window at a `position` instead of at a marker: `content` replaces the whole window; `contents` is drawn inside the default
    frame.
    """
    images: Mapping[str, str | Image | Mapping[str, Any]] | None = None
    """Images and the names by which overlays refer to them. Each image is a path, a `data:` URI, or `{"path": …, "scale": …}`."""
    symbols: SymbolSource | Mapping[str, Any] | Sequence[Symbol | Mapping[str, Any]] | None = None
    """Labels and points of interest of the base map: a list, or a file of features with a template for the points."""
    overlays: Sequence[Overlay] | None = None
    """The overlays. If z indexes are equal, later overlays lie above earlier ones."""
    events: Sequence[Event] | None = None
    """The events that `waymark replay` sends: `{"tap": [x, y]}`, `{"longPress": [x, y]}` and `{"drag": [[x, y], …]}`, in pt from the
    upper left corner.
    """


#: Whatever lies on the map.
Overlay = Union[OverlayProperties, GeoJSON, Mapping[str, Any]]
#: What is drawn in an info window, an icon view or a view overlay.
Content = Union[Label, ImageContent, SVGContent, Stack, Mapping[str, Any]]
#: What explains the map at the edges of the picture.
MapElement = Union[Title, Legend, ScaleBar, NorthArrow, ImageElement, TextElement, Inset, Mapping[str, Any]]
#: Content whose values may be templates.
ContentTemplate = Union[LabelTemplate, ImageContentTemplate, SVGContentTemplate, StackTemplate, Mapping[str, Any]]

#: The keys of a camera or a fit.
CAMERA_KEYS = ("center", "zoom", "bearing", "tilt", "contentInset", "fit", "padding", "maxZoom", "includeInfoWindow")

__all__ = [
    "BaseMapLayer",
    "Camera",
    "Circle",
    "ClusterLayer",
    "ClusterStyle",
    "ColorScale",
    "Container",
    "DirectionalLight",
    "EdgeInsets",
    "EncodedPolyline",
    "Fit",
    "GeoJSON",
    "GeoMesh",
    "GeoModel",
    "GroundOverlay",
    "Image",
    "ImageClusterStyle",
    "ImageContent",
    "ImageContentTemplate",
    "ImageElement",
    "InfoWindow",
    "Inset",
    "Label",
    "LabelTemplate",
    "Legend",
    "LocalModel",
    "Marker",
    "MarkerTemplate",
    "Material",
    "Mesh",
    "NorthArrow",
    "NumberScale",
    "Polygon",
    "PolygonTemplate",
    "Polyline",
    "PolylineTemplate",
    "RoleColors",
    "Route",
    "SVGContent",
    "SVGContentTemplate",
    "ScaleBar",
    "ScaleClasses",
    "Size",
    "Stack",
    "StackTemplate",
    "StyledRange",
    "Symbol",
    "SymbolSource",
    "SymbolTemplate",
    "TextElement",
    "TextureSampler",
    "Title",
    "ViewOverlay",
    "Bounds",
    "Color",
    "ColorScheme",
    "Content",
    "Event",
    "Line",
    "MapElement",
    "Overlay",
    "Position",
    "Rings",
    "ScaleValue",
    "Source",
]
