"""The overlays and legends of a plot: templates with scales for points, lines and areas."""

from __future__ import annotations

import base64
import datetime
import decimal
import difflib
import numbers
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .classes import classes, numbers_of
from .encoding import brief, is_finite
from .errors import UsageError
from .overlays import ColorScale, GeoJSON, Legend, NumberScale, Overlay
from .palettes import Palette, category_colors, css_color, is_color
from .rows import Rows, different, values_of, written
from .settings import check_mapping, check_number


class ThemeColors(NamedTuple):
    """The colors that a plot takes from a theme."""

    #: The color of everything without another color, and the background behind areas, as in the program's themes.
    accent: str
    ground: str
    #: The colors of the outlines of areas and of discs.
    edge: str
    rim: str
    missing: str


THEMES = {
    "light": ThemeColors("#1f6fd6", "#e1e8eb", "#ffffff", "#ffffff", "#c3c8ce"),
    "dark": ThemeColors("#6aa9f7", "#191d22", "#191d22", "transparent", "#4a515b"),
    "gray": ThemeColors("#2f5fd0", "#e4e4e4", "#ffffff", "#ffffff", "#c4c4c4"),
}
#: The diameters in pt of discs of a constant size, and of the largest disc for a column.
DISC, LARGEST_DISC = 6.0, 40.0
#: The widths in pt of outlines of areas and discs, of lines of a constant width, and of the widest line for a column.
OUTLINE, WIDTH, WIDEST_LINE = 0.5, 2.0, 8.0
#: The size of texts in pt.
TEXT = 11
#: The places of legends by matplotlib's names.
PLACES = {
    "upper right": "topRight", "upper left": "topLeft", "lower left": "bottomLeft", "lower right": "bottomRight", "right": "right",
    "center left": "left", "center right": "right", "lower center": "bottom", "upper center": "top", "best": "bottomRight",
}  # fmt: skip
#: The keys of legends by matplotlib's names.
LEGEND_KEYS = {"loc": "place", "fmt": "decimals", "ncol": "columns", "ncols": "columns", "label": "title"}


class Layer:
    """The overlays that draw the rows of a plot."""

    def __init__(self, rows: Rows, theme: str, alpha: float | None, edge: Any) -> None:
        self._rows = rows
        self._theme = theme
        self._alpha = None if alpha == 1 else alpha
        self._edge = None if edge is None else css_color("edgecolor", edge)
        # Each is a constant, a template or a scale; None for the default.
        self._fill: Any = None
        self._diameter: Any = DISC
        self._width: Any = None
        #: The property with the texts.
        self.label: str | None = None
        #: The images of the scene.
        self.images: dict[str, str] = {}

    # Colors and sizes

    def set_color(self, color: Any) -> None:
        if isinstance(color, (ColorScale, Mapping)):
            self._fill = self._scale("color", color)
        elif is_color(color):
            self._fill = css_color("color", color)
        else:
            listed = enumerate(values_of("color", color))
            colors = [None if value is None else css_color(f"color[{row}]", value, self._alpha) for row, value in listed]
            name, _ = self._rows.use("color", colors)
            self._fill = f"{{{name}}}"

    def set_scale(
        self, column: Any, scheme: Any, k: int, cmap: Any, low: float | None, high: float | None, is_categorical: bool,
        categories: Sequence[Any] | None, options: Mapping[str, Any] | None, missing: Mapping[str, Any] | None,
    ) -> None:  # fmt: skip
        """Colors by the values of a column."""
        name, values = self._rows.use("column", column)
        scale: dict[str, Any] = {"by": name, "missing": self._missing(missing, values)}
        listed = categories if categories is not None else self._rows.categories_of(column)
        if scheme is None and (is_categorical or listed is not None or values is not None and not _has_order(values)):
            names = written(list(listed)) if listed is not None else _distinct(values)
            if not names and categories is not None:
                raise UsageError("categories: the list is empty")
            if not names:
                self._fill = scale["missing"]
                return
            is_strong = self._theme != "dark" and "polygon" not in self._rows.templates
            scale |= {"categories": names, "colors": category_colors(cmap, names, is_strong=is_strong)}
            if categories is not None:
                scale["others"] = scale["missing"]
        elif scheme is not None:
            if _lacks_numbers(values, "scheme"):
                raise UsageError(f'scheme: "{name}" has no numbers')
            members, count = classes(scheme, k, options, values, low, high)
            scale |= members | {"colors": Palette("viridis" if cmap is None else cmap).classes(count)}
        else:
            scale |= _smooth(Palette("viridis" if cmap is None else cmap), values, low, high)
        self._fill = scale

    def _missing(self, missing: Mapping[str, Any] | None, values: list[Any] | None) -> str:
        """The color of rows without a value. With the color "none", they are left out."""
        check_mapping("missing_kwds", missing)
        missing = missing or {}
        if unknown := [key for key in missing if key not in ("color", "facecolor", "label")]:
            raise UsageError(f"missing_kwds: {brief(unknown[0])} is neither color nor label")
        color = missing.get("color", missing.get("facecolor", THEMES[self._theme].missing))
        found = css_color("missing_kwds", "none" if color is None else color)
        if found == "transparent" and values is not None:
            self._rows.leave_out(values)
        return found

    def set_sizes(self, diameter: Any, width: Any) -> None:
        """
        :param diameter: the diameter of discs in pt.
        :param width: the width of lines and outlines in pt.
        """
        templates = self._rows.templates
        if diameter is not None:
            if templates and "marker" not in templates and not is_finite(diameter):
                raise UsageError("markersize: values determine the sizes of points, but the data has no points")
            self._diameter = self._size("markersize", diameter, {"sqrt": [0, LARGEST_DISC]})
        if width is not None:
            if templates and "polyline" not in templates and not is_finite(width):
                raise UsageError("linewidth: values determine the widths of lines, but the data has no lines; the outlines of areas and points all have the same width")
            self._width = self._size("linewidth", width, {"linear": [1, WIDEST_LINE]})

    def _size(self, argument: str, value: Any, form: Mapping[str, Any]) -> Any:
        if is_finite(value):
            if value < 0:
                raise UsageError(f"{argument}: {value:g} is below 0")
            return value
        if isinstance(value, (NumberScale, Mapping)):
            return self._scale(argument, value)
        name, values = self._rows.use(argument, value)
        if not self._rows.names(value):
            largest = max(numbers_of(values, argument), default=0.0)
            # The sizes themselves.
            form = {"ramp": [[0, 0], [largest, largest]] if largest > 0 else [[0, 0]]}
        elif _lacks_numbers(values, argument):
            raise UsageError(f'{argument}: "{name}" has no numbers')
        return {"by": name, **form, "missing": 0}

    def _scale(self, argument: str, scale: Any) -> dict[str, Any]:
        """A scale of a scene, whose values are a column."""
        members: dict[str, Any] = scale.members() if isinstance(scale, (ColorScale, NumberScale)) else dict(scale)
        if "by" not in members:
            raise UsageError(f'{argument}: the scale needs "by", the name of a column')
        members["by"], _ = self._rows.use(argument, members["by"])
        return members

    # Overlays

    def overlays(self) -> list[Overlay]:
        templates = self._rows.templates
        drawn = {name: getattr(self, f"_{name}")() for name in templates}
        source = self._rows.source()
        found: list[Overlay] = [GeoJSON(source, **drawn)]
        marker = drawn.get("marker")
        if marker is not None and self._has_separate_rims and any(self._disc_sizes):
            self.images["rim"] = _disc("none", self._edge or "", *self._disc_sizes)
            rim = {key: value for key, value in marker.items() if key not in ("iconTintColor", "captionText")}
            found.append(GeoJSON(source, marker={**rim, "iconImage": "rim"}))
        if self.label is None:
            return found
        if marker is not None and isinstance(self._diameter, dict):
            # Small discs lie over large discs, but the texts of large discs are placed first.
            self.images["space"] = _disc("none", "none", 1, 0)
            kept = {key: marker[key] for key in ("anchor", "width", "height")}
            found.append(GeoJSON(source, marker={**kept, **self._caption(self.label), "iconImage": "space", "zIndex": _order(self._diameter, [1001, 2000])}))
        if self._rows.has_areas:
            places, label, size = self._rows.area_labels(self.label)
            order = {"by": size, "sqrt": [0, 1000]}
            found.append(GeoJSON(places, marker={**self._caption(label), "iconImage": "none", "captionAligns": ["center"], "zIndex": order}))
        return found

    def _polygon(self) -> dict[str, Any]:
        if self._fill is None and self._alpha is None and self._edge is None and self._width is None:
            return {}  # The theme's.
        width = self._width if is_finite(self._width) else OUTLINE
        edge = css_color("edgecolor", self._edge or THEMES[self._theme].edge, self._alpha)
        outline = {"outlineColor": edge, "outlineWidth": 0 if edge == "transparent" else width}
        return {"fillColor": self._translucent(self._fill or THEMES[self._theme].accent), **outline}

    def _polyline(self) -> dict[str, Any]:
        label = {} if self.label is None else {"lineText": f"{{{self.label}}}", "lineTextSize": TEXT}
        if self._fill is None and self._alpha is None and self._width is None:
            return label
        color = self._translucent(self._fill or THEMES[self._theme].accent)
        return {"color": color, "width": WIDTH if self._width is None else self._width, "outlineWidth": 0, **label}

    def _marker(self) -> dict[str, Any]:
        is_constant = self._fill is None or isinstance(self._fill, str) and not self._fill.startswith("{")
        edge = self._edge or THEMES[self._theme].rim
        # A tint is added to the colors of an image: black becomes the tint, and white remains white.
        colors = ((self._fill or THEMES[self._theme].accent) if is_constant else "#000", "none" if self._has_separate_rims else edge)
        # Discs without a size are invisible, but the camera and the texts need them.
        self.images["disc"] = _disc(*colors, *self._disc_sizes) if any(self._disc_sizes) else _disc("none", "none", 1, 0)
        size: Any = self._diameter if isinstance(self._diameter, dict) else sum(self._disc_sizes) or 1
        marker: dict[str, Any] = {"iconImage": "disc", "anchor": [0.5, 0.5], "width": size, "height": size}
        if not is_constant:
            marker["iconTintColor"] = self._fill
        if self._alpha is not None:
            marker["alpha"] = self._alpha
        if isinstance(self._diameter, dict):
            marker["zIndex"] = _order(self._diameter, [1000, 0])
        elif self.label is not None:
            marker |= self._caption(self.label)
        return marker

    def _caption(self, label: str) -> dict[str, Any]:
        return {"captionText": f"{{{label}}}", "captionTextSize": TEXT, "captionAligns": ["right", "left", "top", "bottom"], "isHideCollidedCaptions": True}

    def _translucent(self, fill: Any) -> Any:
        """The color of a shape, with the opacity. Markers have a separate property for opacity."""
        if self._alpha is None or isinstance(fill, str) and fill.startswith("{"):
            return fill
        return {**fill, "alpha": self._alpha} if isinstance(fill, dict) else css_color("color", fill, self._alpha)

    @property
    def _has_separate_rims(self) -> bool:
        """Whether the outlines of discs are other images, because a tint would change their color."""
        is_tinted = isinstance(self._fill, dict) or isinstance(self._fill, str) and self._fill.startswith("{")
        return is_tinted and self._edge not in (None, "transparent", "white", "#fff", "#ffffff")

    @property
    def _disc_sizes(self) -> tuple[float, float]:
        """The diameter of the largest disc, and the width of its outline, which is centered on its edge."""
        width = self._width if is_finite(self._width) else OUTLINE
        if (self._edge or THEMES[self._theme].rim) == "transparent":
            width = 0
        if not isinstance(self._diameter, dict):
            return self._diameter, width
        width = min(width, LARGEST_DISC / 2)
        return LARGEST_DISC - width, width

    # Legends

    def legends(self, options: Mapping[str, Any] | None, missing: Mapping[str, Any] | None, corners: Sequence[str]) -> list[dict[str, Any]]:
        """The legends of the scales.

        :param corners: the corners of the picture, the best ones first.
        """
        check_mapping("legend_kwds", options)
        keys = _legend_keys(options or {})
        templates = self._rows.templates if self._rows.is_table else [None]
        found: list[dict[str, Any]] = []
        if not templates:
            return found
        if isinstance(self._fill, dict):
            label = (missing or {}).get("label")
            property = {"polygon": "fillColor", "polyline": "color", "marker": "iconTintColor"}.get(templates[0] or "")
            found.append({**_shown(templates[0], property), "place": corners[0], **({} if label is None else {"missingLabel": str(label)}), **keys})
        others = {"place": corners[len(found)], **{key: value for key, value in keys.items() if key != "title"}}
        for template, size in (("marker", self._diameter), ("polyline", self._width)):
            if isinstance(size, dict) and template in templates:
                nested = {"isNested": True} if template == "marker" else {}
                found.append({**_shown(template, "width"), **nested, **others})
        return found


def _shown(template: str | None, property: str | None) -> dict[str, Any]:
    """A legend of a scale. For a file, the legend shows the first scale."""
    return {"type": "legend"} if template is None else {"type": "legend", "overlay": "geojson-0", "template": template, "property": property}


def legend_key(name: str) -> str:
    """The key of a legend for an argument of matplotlib. Other arguments are returned unchanged.

    :raises UsageError: a legend has no such key.
    """
    key = LEGEND_KEYS.get(name, re.sub("_([a-z])", lambda match: match[1].upper(), str(name)))
    if key not in dict(Legend._keys).values():
        known = ["title", "loc", "ncols", "fmt", *(attribute for attribute, _ in Legend._keys if attribute not in ("title", "place", "columns"))]
        similar = difflib.get_close_matches(str(name), known, 1)
        raise UsageError(f"legend_kwds: {brief(name)} is not " + (f'known; did you mean "{similar[0]}"?' if similar else f"one of {', '.join(known)}"))
    return key


def _legend_keys(options: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a legend for arguments of matplotlib. Other arguments are kept unchanged."""
    keys: dict[str, Any] = {}
    for name, value in options.items():
        key = legend_key(name)
        if name == "loc":
            if value not in [*PLACES]:
                raise UsageError(f"legend_kwds: loc: {brief(value)} is not one of {', '.join(PLACES)}")
            keys["place"] = PLACES[value]
        elif name == "fmt":
            match = re.fullmatch(r"\{:,?\.(\d+)([f%])\}", str(value))
            if match is None:
                raise UsageError(f'legend_kwds: fmt: {brief(value)} is not a format such as "{{:.1f}}"')
            keys |= {"format": "percent" if match[2] == "%" else "plain", "decimals": int(match[1])}
        else:
            keys[key] = value
    return keys


# Scales


def _has_order(values: list[Any]) -> bool:
    """Whether all values are numbers, or all are dates."""
    known = [value for value in values if value is not None]
    dates = sum(isinstance(value, datetime.date) for value in known)
    return dates == len(known) if dates else all(isinstance(value, numbers.Real | decimal.Decimal) and not isinstance(value, bool) for value in known)


def _lacks_numbers(values: list[Any] | None, argument: str) -> bool:
    """Whether there are values, but no numbers among them."""
    return values is not None and any(value is not None for value in values) and not numbers_of(values, argument)


def _distinct(values: list[Any] | None) -> list[Any]:
    """The different values in ascending order, as in GeoPandas."""
    if values is None:
        raise UsageError("categories: if the data is a file, the list of categories is required")
    found = different(values)
    try:
        found.sort()
    except TypeError:
        found.sort(key=str)
    return written(found)


def _smooth(palette: Palette, values: list[Any] | None, low: float | None, high: float | None) -> dict[str, Any]:
    """The members of a scale without classes."""
    for name, end in (("vmin", low), ("vmax", high)):
        if end is not None:
            check_number(name, end)
    bands = palette.bands
    if low is None and high is None and bands is None:
        return {"linear": palette.smooth}
    known = [] if low is not None and high is not None else numbers_of(values, "vmin" if low is not None else "vmax" if high is not None else "cmap")
    first, last = min(known, default=0.0) if low is None else low, max(known, default=1.0) if high is None else high
    if first > last:
        raise UsageError(f"vmin: {first:g} is above vmax, {last:g}")
    if bands is None:
        return {"linear": palette.smooth, "domain": [first, last]}
    colors, count = bands
    if count == 1 or first == last:
        return {"classes": {"equal": 1}, "colors": colors[:1] if isinstance(colors, list) else colors}
    return {"steps": [first + (last - first) * step / count for step in range(1, count)], "colors": colors}


def _order(size: Mapping[str, Any], ends: list[int]) -> dict[str, Any]:
    """A scale of z indexes by the sizes of discs.

    :param ends: the z indexes of the smallest and the largest disc.
    """
    stops = size.get("ramp")
    if stops is None:
        return {"by": size["by"], "sqrt": ends}
    return {"by": size["by"], "ramp": [[stop[0], end] for stop, end in zip((stops[0], stops[-1]), ends)]}


def _disc(fill: str, edge: str, diameter: float, width: float) -> str:
    """The SVG of a disc.

    :param width: the width of the outline, which is centered on the edge.
    """
    side = 24
    unit = side / (diameter + width)

    def paint(name: str, color: str) -> str:
        if color == "transparent":
            color = "none"
        has_alpha = re.fullmatch("#[0-9a-fA-F]{8}", color) is not None
        opacity = f' {name}-opacity="{int(color[7:], 16) / 255:.4g}"' if has_alpha else ""
        return f'{name}="{color[:7] if has_alpha else color}"{opacity}'

    outline = f' {paint("stroke", edge)} stroke-width="{width * unit:.4g}"' if width > 0 else ""
    circle = f'<circle cx="12" cy="12" r="{diameter * unit / 2:.4g}" {paint("fill", fill)}{outline}/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}" viewBox="0 0 {side} {side}">{circle}</svg>'
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
