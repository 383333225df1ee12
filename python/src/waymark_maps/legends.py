"""Makes the legends of a plot from arguments of matplotlib's legends."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

from .encoding import brief
from .errors import UsageError
from .overlays import Legend

#: The places of legends by matplotlib's names.
PLACES = {
    "upper right": "topRight", "upper left": "topLeft", "lower left": "bottomLeft", "lower right": "bottomRight", "right": "right",
    "center left": "left", "center right": "right", "lower center": "bottom", "upper center": "top", "best": "bottomRight",
}  # fmt: skip
#: The keys of legends by matplotlib's names.
LEGEND_KEYS = {"loc": "place", "fmt": "decimals", "ncol": "columns", "ncols": "columns", "label": "title"}
#: The attributes of legends that are not suggested: those with other names in matplotlib, and those by which `plot` names the scale.
UNLISTED = ("title", "place", "columns", "overlay", "template", "property")
#: What replaces arguments of GeoPandas and matplotlib that a legend does not have.
HINTS = {
    "labels": "labels are made from the values: categories are labeled with their names, and numbers are formatted with fmt, decimals and unit",
    "interval": "each class is always labeled with its bounds",
    "orientation": "color bars are always vertical; ncols sets the number of columns of a list",
    "frameon": 'use background_color and border_width; "transparent" and 0 remove the panel',
    "fontsize": "the size of the text is fixed; pixel_ratio enlarges the whole picture",
    "colorbar": "the legend of numbers is a color bar by default; with scheme or categorical=True, it is a list",
}


def shown(template: str | None, property: str | None) -> dict[str, Any]:
    """The legend of a scale. For a file, it shows the first scale."""
    return {"type": "legend"} if template is None else {"type": "legend", "overlay": "geojson-0", "template": template, "property": property}


def legend_key(name: str) -> str:
    """The key of a scene's legend for an argument of matplotlib or an attribute of a legend.

    :raises UsageError: there is no matching key.
    """
    key = LEGEND_KEYS.get(name, re.sub("_([a-z])", lambda match: match[1].upper(), str(name)))
    if key not in dict(Legend._keys).values():
        if name in HINTS:
            raise UsageError(f"legend_kwds: {name}: {HINTS[name]}")
        known = ["title", "loc", "ncols", "fmt", *(attribute for attribute, _ in Legend._keys if attribute not in UNLISTED)]
        similar = difflib.get_close_matches(str(name), known, 1)
        raise UsageError(f"legend_kwds: {brief(name)} is not " + (f'known; did you mean "{similar[0]}"?' if similar else f"one of {', '.join(known)}"))
    return key


def legend_keys(options: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a scene's legend for arguments of matplotlib and attributes of a legend."""
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
