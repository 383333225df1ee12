#!/usr/bin/env python3
"""Writes src/waymark_maps/overlays.py, the classes of what a scene holds, from docs/scene.schema.json.

    python/generate.py            writes it
    python/generate.py --check    fails if the file is not up to date

Names, types, ranges, defaults and texts are therefore those of the property tables in Swift, from which the schema is generated.
"""

import json
import pathlib
import re
import sys
import textwrap
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = HERE.parent / "docs" / "scene.schema.json"
OUTPUT = HERE / "src" / "waymark_maps" / "overlays.py"


# The names of classes; any other definition or nested object keeps its own name.
CLASSES = {
    "geojson": "GeoJSON",
    "labelContent": "Label",
    "imageContent": "ImageContent",
    "svgContent": "SVGContent",
    "stackContent": "Stack",
    "labelContentTemplate": "LabelTemplate",
    "imageContentTemplate": "ImageContentTemplate",
    "svgContentTemplate": "SVGContentTemplate",
    "stackContentTemplate": "StackTemplate",
    "basicClusterStyle": "ClusterStyle",
    "contentInset": "EdgeInsets",
    "insets": "EdgeInsets",
    "margins": "EdgeInsets",
    "titleElement": "Title",
    "legendElement": "Legend",
    "scaleBarElement": "ScaleBar",
    "northArrowElement": "NorthArrow",
    "insetElement": "Inset",
    "lights": "DirectionalLight",
}
SUMMARIES = {
    "marker": "An icon with captions at one place on the map.",
    "polyline": "A line through points, or several lines drawn as one.",
    "polygon": "An area with holes, or several areas drawn as one.",
    "circle": "Everything within a radius around a place.",
    "groundOverlay": "An image that lies on the ground.",
    "baseMapLayer": "Tiles of a base map.",
    "roleColors": "Colors of areas and lines of vector tiles, by role.",
    "colorScale": "A scale that turns values of the data into colors: one of `steps`, `classes`, `categories`, `ramp`, `linear`, `log` and `sqrt`.",
    "numberScale": "A scale that turns values of the data into numbers: one of `steps`, `classes`, `categories`, `ramp`, `linear`, `log` and `sqrt`.",
    "scaleClasses": "Classes that the data determine, by one of three methods.",
    "scene": "Everything in a scene file.",
    "route": "A line, part of which has been traveled.",
    "container": "Overlays that are shown, hidden and ordered together.",
    "clusterLayer": "Markers that are combined into clusters where they are close together.",
    "localModel": "A 3D model at a place, with a mesh in meters whose axes point east, north and up.",
    "geoModel": "A 3D model whose vertices are coordinates on the map.",
    "viewOverlay": "Content that stands at a place on the map, in the plane of the screen.",
    "geojson": "The features of a GeoJSON file, as markers, polylines and polygons.",
    "labelContent": "Text with a background and a border.",
    "imageContent": "An image as content.",
    "svgContent": "An SVG document as content.",
    "stackContent": "Content in a row, in a column, or over one another.",
    "infoWindow": "An info window at a position.",
    "titleElement": "A title with an optional subtitle.",
    "legendElement": "The legend of a scale.",
    "scaleBarElement": "A bar that shows the scale of the map with a round length.",
    "northArrowElement": "An arrow that points north.",
    "imageElement": "An image at an edge of the picture, such as a logo.",
    "textElement": "Any content at an edge of the picture.",
    "insetElement": "A second map inside the picture.",
    "styledRange": "A style for clusters, by the number of their markers.",
    "basicClusterStyle": "A disc with a ring and text.",
    "imageClusterStyle": "An image with text.",
    "markerTemplate": "The properties of a `Marker` for points; text in braces stands for a property of the feature.",
    "polylineTemplate": "The properties of a `Polyline` for lines; text in braces stands for a property of the feature.",
    "polygonTemplate": "The properties of a `Polygon` for areas; text in braces stands for a property of the feature.",
    "labelContentTemplate": "A `Label` whose values may be templates.",
    "imageContentTemplate": "`ImageContent` whose values may be templates.",
    "svgContentTemplate": "`SVGContent` whose values may be templates.",
    "stackContentTemplate": "A `Stack` whose values may be templates.",
    "symbol": "A label or a point of interest of the base map.",
    "symbolSource": "Symbols from the points of a GeoJSON file.",
    "symbolTemplate": "The properties of a `Symbol` for points; text in braces stands for a property of the feature.",
    "camera": "A camera at a place.",
    "fit": "A camera that shows all or some overlays.",
    "image": "An image file and its pixels per pt.",
    "mesh": "The triangles of a model, in meters.",
    "geoMesh": "The triangles of a model whose vertices are positions.",
    "encodedPolyline": "A line in Google's encoded polyline format.",
    "size": "The size of a picture in pt.",
    "textureSampler": "How a texture is sampled.",
    "material": "Colors of a model's surface.",
    "lights": "A light that shines in one direction.",
    "contentInset": "The space at each of the four edges.",
    "insets": "The space at each of the four edges.",
}
# Attributes that may be given without their names, besides required ones.
POSITIONAL = {"circle": ["radius"]}
# Attributes that may be given by other names: a required position by its numbers, and the extent of a fit.
PLACE = {
    "lat": ("float", "Degrees north, -90 to 90; with `lng`, in place of `{}`."),
    "lng": ("float", "Degrees east; with `lat`, in place of `{}`."),
}
EXTENT = {
    "bounds": ("Bounds", "``(west, south, east, north)`` in degrees, in place of `{}`."),
    "points": ("Sequence[Position]", "Positions, in place of `{}`."),
}
# Definitions that are separate types here, not classes.
ALIASES = {
    "scaleLegend": "bool | Mapping[str, Any]",
    "overlay": "Overlay",
    "content": "Content",
    "contentTemplate": "ContentTemplate",
    "element": "MapElement",
    "event": "Event",
    "color": "Color",
    "colorScheme": "ColorScheme",
    "scaleValue": "ScaleValue",
    "position": "Position",
    "bounds": "Bounds",
    "line": "Line",
    "rings": "Rings",
    "template": "str",
    "clusterMarker": "Marker",
}
HEADER = '''"""What a scene holds: overlays, cameras, content, styles.

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
'''


class Base(NamedTuple):
    """A class with the properties that several definitions have in common."""

    summary: str
    definitions: list[str]
    base: str = "Element"


def bases(definitions):
    """The bases by their names. A definition inherits from the last of them that lists it."""
    overlays = [kind for kind in kinds(definitions["overlay"]) if "id" in definitions[kind]["properties"]]
    placed = [kind for kind in overlays if "altitude" in definitions[kind]["properties"]]
    return {
        "OverlayProperties": Base("The properties of all overlays.", overlays),
        "PlacedProperties": Base("The properties of overlays that have an altitude.", placed, "OverlayProperties"),
        "LineProperties": Base("The properties of polylines and routes.", ["polyline", "route"], "PlacedProperties"),
        "ModelProperties": Base("The properties of models.", ["localModel", "geoModel"], "PlacedProperties"),
        "MapElementProperties": Base("The properties of all map elements.", kinds(definitions["element"])),
        "BoxProperties": Base("The properties of labels and stacks.", ["labelContent", "stackContent"]),
        "OverlayTemplateProperties": Base("The properties of all overlays that are made from features, as values or templates.", ["markerTemplate", "polylineTemplate", "polygonTemplate"]),
        "BoxTemplateProperties": Base("The properties of labels and stacks, as values or templates.", ["labelContentTemplate", "stackContentTemplate"]),
    }


def kinds(schema):
    """The alternatives of a definition."""
    return [part["$ref"].rsplit("/", 1)[1] for part in schema["oneOf"]]


def snake(key):
    """The attribute for a key: an underscore before every capital, `globalZIndex` → `global_z_index`."""
    return re.sub(r"[A-Z]", lambda match: "_" + match.group().lower(), key)


def camel(attribute):
    """The key for an attribute, as the package finds it."""
    return re.sub(r"_([a-z])", lambda match: match.group(1).upper(), attribute)


def unwrapped(schema):
    """The key that holds all others, and the schema below it: a label's properties are one level below."""
    return ("label", schema["properties"]["label"]) if list(schema["properties"]) == ["label"] else (None, schema)


def properties(schema):
    """The properties that become attributes."""
    return {key: value for key, value in schema["properties"].items() if key not in ("type", "waymark") and value.get("type") != "null"}


def positional(schema):
    """The keys of attributes that may be given by position: the required ones, or the first of alternatives."""
    return [*schema.get("required", []), *(key for choice in schema.get("oneOf", [])[:1] for key in choice.get("required", []))]


def is_same(schema, other, but=("default",)):
    """Whether two properties are equal but for some of their keys."""
    without = [{key: value for key, value in item.items() if key not in but} for item in (schema, other or {})]
    return without[0] == without[1]


def bounds(schema):
    for part in [schema, *schema.get("anyOf", []), *(inner for part in schema.get("anyOf", []) for inner in part.get("anyOf", []))]:
        part = part.get("items", part) if "minimum" not in part else part
        low, high = part.get("minimum"), part.get("maximum")
        above = part.get("exclusiveMinimum")
        if above is not None:
            return f" Above {above:,}" + (f", at most {high:,}." if high is not None else ".")
        if low is not None and high is not None:
            return f" {low:,} to {high:,}."
        if low is not None:
            return f" {low:,} or more."
    return ""


def defaults(schemas):
    """The default of a property, or a default for each of several classes."""
    classes = {}
    for name, schema in schemas.items():
        if "default" in schema:
            classes.setdefault(f"``{in_python(schema['default'])}``", []).append(name)
    values = classes if len(classes) < 2 else [f"{value} for {', '.join(names)}" for value, names in classes.items()]
    return f" Default: {'; '.join(values)}." if values else ""


def in_python(value):
    """A default as it is written in Python, with the double quotes of the other texts."""
    return str(value) if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def keys_of(schema):
    """The keys of all properties in a schema."""
    if isinstance(schema, list):
        return {key for item in schema for key in keys_of(item)}
    if not isinstance(schema, dict):
        return set()
    return {*schema.get("properties", {}), *(key for item in schema.values() for key in keys_of(item))}


class Generator:
    def __init__(self, schema):
        self.schema = schema
        self.keys = keys_of(schema)
        self.definitions = schema["$defs"]
        self.bases = bases(self.definitions)
        self.classes = {}  # name → text, in order
        self.made = {}  # name → the keys of the schema it was made from
        self.inherited = {"Element": {}}  # base → the properties that it passes on

    def name(self, key):
        return CLASSES.get(key) or key[0].upper() + key[1:]

    def described(self, words):
        """A description with Python's names: `z_index` for `zIndex`. Other words, such as the value `transitStop`, stay as they are."""
        return re.sub(r"`(\w+)`", lambda match: f"`{snake(match[1])}`" if match[1] in self.keys else match[0], words)

    # Types

    def type_of(self, schema, key, parent):
        """The annotation for a value; without None."""
        if "$ref" in schema:
            return self.reference(schema["$ref"].rsplit("/", 1)[1])
        for union in ("anyOf", "oneOf"):
            if union in schema:
                kinds = [self.type_of(part, key, parent) for part in schema[union] if part.get("type") != "null"]
                if "Position" in kinds:
                    return "Position"
                return " | ".join(dict.fromkeys(kinds))
        if "const" in schema:
            return f"Literal[{schema['const']!r}]".replace("'", '"')
        if "enum" in schema:
            values = ", ".join(json.dumps(value) for value in schema["enum"] if value is not None)
            return f"Literal[{values}]"
        kinds = schema.get("type")
        kinds = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if kind != "null"]
        if key in ("source", "model", "path") and kinds == ["string"]:
            return "Source" if key == "source" else "str | os.PathLike[str]"
        if kinds == ["object"]:
            if "properties" not in schema:
                return f"Mapping[str, {self.type_of(schema['additionalProperties'], key, parent)}]"
            if list(schema["properties"]) == ["lat", "lng", "altitude"]:
                return "Position"
            if len(schema["properties"]) == 1 and key == "fit":
                return "Mapping[str, Any]"
            return f"{self.nested(schema, key, parent)} | Mapping[str, Any]"
        if kinds == ["array"]:
            if "prefixItems" in schema:
                parts = [self.optional(part, key, parent) for part in schema["prefixItems"]]
                return f"Sequence[{' | '.join(dict.fromkeys(' | '.join(parts).split(' | ')))}]"
            item = self.type_of(schema["items"], key, parent)
            return f"Sequence[{item}]"
        return " | ".join({"number": "float", "integer": "int", "boolean": "bool", "string": "str"}[kind] for kind in kinds)

    def optional(self, schema, key, parent):
        kind = self.type_of(schema, key, parent)
        kinds = schema.get("type")
        return f"{kind} | None" if isinstance(kinds, list) and "null" in kinds else kind

    def reference(self, key):
        if key in ALIASES:
            return ALIASES[key]
        return f"{self.name(key)} | Mapping[str, Any]"

    def nested(self, schema, key, parent):
        name = self.name(key)
        keys = list(schema["properties"])
        if name in self.made and self.made[name] != keys:
            name = parent + name
        if name not in self.made:
            self.define(name, key, schema)
        return name

    # Classes

    def define(self, name, key, schema):
        self.made[name] = list(schema["properties"])
        wrapper, schema = unwrapped(schema)
        base = next((base for base in reversed(self.bases) if key in self.bases[base].definitions), "Element")
        inherited = self.inherit(base)
        own = {key: {name: value} for key, value in properties(schema).items() if not is_same(value, inherited.get(key))}
        constants = {"_type": schema["properties"].get("type", {}).get("const"), "_wrapper": wrapper}
        first = positional(schema) + POSITIONAL.get(key, [])
        self.write(name, base, SUMMARIES.get(key, f"The `{key}` of a scene."), own, first, schema.get("required", []), constants)

    def inherit(self, name):
        """Writes a base and those of its own, if they are not there yet.

        :return: the properties that it passes on, by their keys.
        """
        if name not in self.inherited:
            base = self.bases[name]
            known = self.inherit(base.base)
            schemas = {self.name(key): unwrapped(self.definitions[key])[1] for key in base.definitions}
            members = {name: properties(schema) for name, schema in schemas.items()}
            first = next(iter(members))
            # A class that describes a property in other words declares it again.
            common = {
                key: {name: member[key] for name, member in members.items() if is_same(member[key], value)}
                for key, value in members[first].items()
                if key not in known and all(is_same(value, member.get(key), but=("description", "default")) for member in members.values())
            }
            self.inherited[name] = known | {key: values[first] for key, values in common.items()}
            self.write(name, base.base, base.summary, common, positional(schemas[first]))
        return self.inherited[name]

    def write(self, name, base, summary, fields, first, required=(), constants={}):
        """Writes a class.

        :param fields: for each key the schemas of the classes that have it, which differ in their defaults.
        :param first: the keys of attributes that may be given by position.
        """
        other_names = self.other_names(fields, required)
        constants = {key: json.dumps(value) for key, value in constants.items() if value}
        constants |= {"_other_names": f'{{"{snake(key)}": {json.dumps([*names])}}}' for key, names in other_names.items()}
        # Attributes describe themselves, but these are only arguments of the constructor.
        arguments = [f"    :param {other}: {words.format(snake(key))}" for key, names in other_names.items() for other, (_, words) in names.items()]
        summary = [f'    """{summary}', "", *arguments, '    """'] if arguments else [f'    """{summary}"""']
        text = ["@element", f"class {name}({base}):", *summary, ""]
        if constants:
            text += [*(f"    {constant} = {value}" for constant, value in constants.items()), ""]
        written = {key: self.field(key, schemas, name, key in required and key not in other_names) for key, schemas in fields.items()}
        text += [written.pop(key) for key in first if key in written]
        if written:
            text += ["    _: KW_ONLY", *written.values()]
        for key, names in other_names.items():
            text.append("    if TYPE_CHECKING:")
            for other, (kind, words) in names.items():
                text += [f"        {other}: InitVar[{kind} | None] = None", f'        """{words.format(snake(key))}"""']
        self.classes[name] = "\n".join(text).rstrip() + "\n"

    def other_names(self, fields, required):
        """The other names by which the only required attribute may be given, by its key."""
        required = [key for key in required if key != "type"]
        if len(required) != 1:
            return {}
        (key,) = required
        if key not in fields:
            return {}
        if key == "fit":
            return {key: EXTENT}
        return {key: PLACE} if self.type_of(next(iter(fields[key].values())), key, "") == "Position" else {}

    def field(self, key, schemas, parent, is_required):
        schema = next(iter(schemas.values()))
        attribute = snake(key)
        if camel(attribute) != key:
            sys.exit(f"{key}: an attribute of this name would not have this key")
        line = f"    {attribute}: {self.type_of(schema, key, parent)}" + ("" if is_required else " | None = None")
        words = self.described(schema.get("description", "")).replace("\\", "\\\\") + bounds(schema) + ("" if is_required else defaults(schemas))
        # The class of which it is a template describes the attribute.
        if not words or "Template" in parent:
            return line
        wrapped = textwrap.wrap(words.strip(), 137, initial_indent='    """', subsequent_indent="    ")
        if len(wrapped) == 1:
            return f'{line}\n{wrapped[0]}"""'
        return line + "\n" + "\n".join(wrapped) + '\n    """'

    def union(self, key):
        """The classes of a definition that is one of several; for overlays their base, so that a list of polylines and routes is one of overlays."""
        base, overlays = "OverlayProperties", self.bases["OverlayProperties"].definitions
        return ", ".join(dict.fromkeys(base if kind in overlays else self.name(kind) for kind in kinds(self.definitions[key])))

    def text(self):
        for key, schema in self.definitions.items():
            if key in ALIASES or "properties" not in schema:
                continue
            self.define(self.name(key), key, schema)
        self.define("SceneFields", "scene", {**self.schema, "required": []})
        overlays, contents, templates = (self.union(key) for key in ("overlay", "content", "contentTemplate"))
        parts = [HEADER]
        schemes = "".join(f"    {json.dumps(name)},\n" for name in self.definitions["colorScheme"]["enum"])
        parts += ["#: The name of a color scheme; a leading ``-`` reverses its colors.\n", f"ColorScheme = Literal[\n{schemes}]\n"]
        parts += [f"\n\n{text}" for text in self.classes.values()]
        parts += ["\n\n#: Whatever lies on the map.\n", f"Overlay = Union[{overlays}, Mapping[str, Any]]\n"]
        parts += ["#: What is drawn in an info window, an icon view or a view overlay.\n"]
        parts += [f"Content = Union[{contents}, Mapping[str, Any]]\n"]
        parts += ["#: What explains the map at the edges of the picture.\n"]
        parts += [f"MapElement = Union[{self.union('element')}, Mapping[str, Any]]\n"]
        parts += ["#: Content whose values may be templates.\n", f"ContentTemplate = Union[{templates}, Mapping[str, Any]]\n"]
        camera = list(dict.fromkeys([*self.definitions["camera"]["properties"], *self.definitions["fit"]["properties"]]))
        parts += ["\n#: The keys of a camera or a fit.\n", f"CAMERA_KEYS = {tuple(camera)!r}\n".replace("'", '"')]
        names = sorted(name for name in self.classes if name != "SceneFields" and name not in self.bases)
        exported = [*names, "Bounds", "Color", "ColorScheme", "Content", "Event", "Line", "MapElement", "Overlay", "Position", "Rings", "ScaleValue", "Source"]
        listed = "".join(f'    "{name}",\n' for name in exported)
        parts += [f"\n__all__ = [\n{listed}]\n"]
        return "".join(parts)


def main():
    text = Generator(json.loads(SCHEMA.read_text(encoding="utf-8"))).text()
    if sys.argv[1:] == ["--check"]:
        if not OUTPUT.exists() or OUTPUT.read_text(encoding="utf-8") != text:
            sys.exit("python/src/waymark_maps/overlays.py differs from the schema; run python/generate.py")
    elif not sys.argv[1:]:
        OUTPUT.write_text(text, encoding="utf-8")
    else:
        sys.exit("usage: python/generate.py [--check]")


if __name__ == "__main__":
    main()
