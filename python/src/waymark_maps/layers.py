"""The overlays and legends of a plot: templates with scales for points, lines and areas."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .classes import classes, limit_of, numbers_of
from .encoding import brief, is_finite
from .errors import UsageError
from .legends import legend_keys, shown
from .overlays import ColorScale, GeoJSON, NumberScale, Overlay
from .palettes import Palette, category_colors, css_color, is_color, opacity, opaque
from .rows import Rows, text_of, values_of, written
from .scales import distinct, has_dates, has_order, lacks_numbers, normed, opacities, order, with_colors
from .settings import check_mapping


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


class ColumnColors(NamedTuple):
    """The arguments that determine the colors for the values of a column."""

    scheme: Any
    k: int
    cmap: Any
    vmin: Any
    vmax: Any
    norm: Any
    is_categorical: bool
    categories: Sequence[Any] | None
    classification_kwds: Mapping[str, Any] | None
    missing_kwds: Mapping[str, Any] | None


class Layer:
    """The overlays that draw the rows of a plot."""

    def __init__(self, rows: Rows, theme: str, alpha: float | None, edge: Any) -> None:
        self._rows = rows
        self._theme = theme
        self._alpha = None if alpha == 1 else alpha
        self._edge = None if edge is None else css_color("edgecolor", edge)
        # Each is a constant, a template or a scale; None for the default.
        self._fill: Any = None
        #: The opacity of the color of each row, by which a disc's is multiplied; a template if they differ.
        self._row_opacity: Any = 1.0
        #: Whether the color of missing values is used.
        self._has_gaps = True
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
            self._fill = self._row_colors(values_of("color", color))

    def _row_colors(self, listed: list[Any]) -> str:
        """A template with a color for each row."""
        colors = [None if value is None else css_color(f"color[{row}]", value) for row, value in enumerate(listed)]
        different = {color: css_color("color", color, self._alpha) for color in colors if color is not None}
        found = {color: opacity(color) for color in different}
        if len({*found.values()}) == 1:
            self._row_opacity = next(iter(found.values()))
        elif "marker" in self._rows.templates and found:
            factor = 1.0 if self._alpha is None else self._alpha
            name = self._rows.add("opacity", [factor if color is None else found[color] * factor for color in colors])
            self._row_opacity = f"{{{name}}}"
        name, _ = self._rows.use("color", [None if color is None else different[color] for color in colors])
        return f"{{{name}}}"

    def set_scale(self, column: Any, given: ColumnColors) -> None:
        """Colors the rows by the values of a column."""
        name, values = self._rows.use("column", column)
        missing = self._missing_color(given.missing_kwds)
        listed = given.categories if given.categories is not None else self._rows.categories_of(column)
        if given.scheme is None and (given.is_categorical or listed is not None or values is not None and not has_order(values)):
            if given.norm is not None:
                raise UsageError(f'norm: the values of "{name}" are categories, not numbers')
            names = written(list(listed)) if listed is not None else distinct(values)
            if not names and given.categories is not None:
                raise UsageError("categories: the list is empty")
            members = self._category_members(names, given, missing)
            if given.categories is not None and values is not None:
                known = {*map(text_of, names)}
                values = [value if value is not None and text_of(value) in known else None for value in values]
        else:
            members = self._number_members(name, values, given)
        self._set_gaps(values, missing)
        self._fill = {"by": name, "missing": missing, **members} if members else missing

    def _category_members(self, names: list[Any], given: ColumnColors, missing: str) -> dict[str, Any]:
        """The members of a scale for categories; empty if there are none."""
        if not names:
            return {}
        is_strong = self._theme != "dark" and "polygon" not in self._rows.templates
        members = {"categories": names, "colors": category_colors(given.cmap, names, is_strong=is_strong)}
        return members if given.categories is None else {**members, "others": missing}

    def _number_members(self, name: str, values: list[Any] | None, given: ColumnColors) -> dict[str, Any]:
        """The members of a scale for numbers or dates."""
        low, high = limit_of("vmin", given.vmin), limit_of("vmax", given.vmax)
        palette = Palette("viridis" if given.cmap is None else given.cmap)
        if given.scheme is None:
            return normed(given.norm, palette, values, low, high)
        if given.norm is not None:
            raise UsageError("norm and scheme are mutually exclusive")
        if lacks_numbers(values, "scheme"):
            raise UsageError(f'scheme: "{name}" has no numbers')
        members, count = classes(given.scheme, given.k, given.classification_kwds, values, low, high)
        return {**members, "colors": palette.classes(count)}

    def _missing_color(self, missing: Mapping[str, Any] | None) -> str:
        """The color of rows without a value."""
        check_mapping("missing_kwds", missing)
        missing = missing or {}
        if unknown := [key for key in missing if key not in ("color", "facecolor", "label")]:
            raise UsageError(f"missing_kwds: {brief(unknown[0])} is neither color nor label")
        color = missing.get("color", missing.get("facecolor", THEMES[self._theme].missing))
        return css_color("missing_kwds", "none" if color is None else color)

    def _set_gaps(self, values: list[Any] | None, missing: str) -> None:
        """Leaves out rows without a value if their color is "none"."""
        if values is not None and missing == "transparent":
            self._rows.leave_out(values)
        self._has_gaps = values is None or None in values and missing not in ("transparent", THEMES[self._theme].missing)

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
        if has_dates(values):
            raise UsageError(f'{argument}: "{name}" has dates, not numbers')
        if not self._rows.names(value):
            largest = max(numbers_of(values, argument), default=0.0)
            # The sizes themselves.
            form = {"linear": [0, largest], "domain": [0, largest]} if largest > 0 else {"ramp": [[0, 0]]}
        elif lacks_numbers(values, argument):
            raise UsageError(f'{argument}: "{name}" has no numbers')
        return {"by": name, **form, "missing": 0}

    def _scale(self, argument: str, scale: Any) -> dict[str, Any]:
        """A scale for a scene. Its values come from a column."""
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
            found.append(GeoJSON(source, marker={**kept, **self._caption(self.label), "iconImage": "space", "zIndex": order(self._diameter, [1001, 2000])}))
        if self._rows.has_areas:
            places, label, size = self._rows.area_labels(self.label)
            found.append(GeoJSON(places, marker={**self._caption(label), "iconImage": "none", "captionAligns": ["center"], "zIndex": order({"by": size}, [0, 1000])}))
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
        alpha: Any = 1.0 if self._alpha is None else self._alpha
        if not is_constant:
            marker["iconTintColor"], own = self._tint()
            alpha = own if isinstance(own, str) else own * alpha
        if alpha != 1:
            marker["alpha"] = alpha
        if isinstance(self._diameter, dict):
            marker["zIndex"] = order(self._diameter, [1000, 0])
        elif self.label is not None:
            marker |= self._caption(self.label)
        return marker

    def _tint(self) -> tuple[Any, Any]:
        """The tint of discs, and the opacity of its colors, which becomes the opacity of the discs because a tint has none."""
        if isinstance(self._fill, str):
            return self._fill, self._row_opacity
        tint = with_colors(self._fill, opaque)
        factor = tint.pop("alpha") if is_finite(tint.get("alpha")) else 1.0
        found = opacities({key: value for key, value in self._fill.items() if self._has_gaps or key not in ("missing", "others")})
        if len(found) == 1:
            return tint, found.pop() * factor
        if self._rows.is_table:
            self._rows.notes.append("the opacities of the colors of points are ignored, because they differ; only alpha applies to points")
        return tint, factor

    def _caption(self, label: str) -> dict[str, Any]:
        return {"captionText": f"{{{label}}}", "captionTextSize": TEXT, "captionAligns": ["right", "left", "top", "bottom"], "isHideCollidedCaptions": True}

    def _translucent(self, fill: Any) -> Any:
        """The color of a shape with the opacity ``alpha``. Markers have a separate property for opacity."""
        if self._alpha is None or isinstance(fill, str) and fill.startswith("{"):
            return fill
        return {**fill, "alpha": self._alpha} if isinstance(fill, dict) else css_color("color", fill, self._alpha)

    @property
    def _has_separate_rims(self) -> bool:
        """Whether the outlines of discs are separate images, because a tint would change their color."""
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
        keys = legend_keys(options or {})
        templates = self._rows.templates if self._rows.is_table else [None]
        found: list[dict[str, Any]] = []
        if not templates:
            return found
        if isinstance(self._fill, dict):
            label = (missing or {}).get("label")
            property = {"polygon": "fillColor", "polyline": "color", "marker": "iconTintColor"}.get(templates[0] or "")
            found.append({**shown(templates[0], property), "place": corners[0], **({} if label is None else {"missingLabel": str(label)}), **keys})
        others = {"place": corners[len(found)], **{key: value for key, value in keys.items() if key != "title"}}
        for template, size in (("marker", self._diameter), ("polyline", self._width)):
            if isinstance(size, dict) and template in templates:
                nested = {"isNested": True} if template == "marker" else {}
                found.append({**shown(template, "width"), **nested, **others})
        return found


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
