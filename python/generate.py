#!/usr/bin/env python3
"""Writes src/waymark_maps/overlays.py, the classes of what a scene holds, from docs/scene.schema.json.

    python/generate.py            writes it
    python/generate.py --check    fails if it is not what would be written

So names, types, ranges, defaults and words are those of the property tables in Swift, from which the schema comes.
"""

import json
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = HERE.parent / "docs" / "scene.schema.json"
OUTPUT = HERE / "src" / "waymark_maps" / "overlays.py"

# The names of classes; any other definition or nested object is called by its own name.
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
    "lights": "DirectionalLight",
}
SUMMARIES = {
    "marker": "An icon with captions at one place on the map.",
    "polyline": "A line through points, or several lines drawn as one.",
    "polygon": "An area with holes, or several areas drawn as one.",
    "circle": "Everything within a radius around a place.",
    "route": "A line of which a part is passed.",
    "container": "Overlays that are shown, hidden and ordered together.",
    "clusterLayer": "Markers of which near ones become one disc with their number.",
    "localModel": "A 3D model at a place, in meters east, north and up of it.",
    "geoModel": "A 3D model whose vertices are coordinates on the map.",
    "viewOverlay": "Content that stands at a place on the map, in the plane of the screen.",
    "geojson": "The features of a GeoJSON file, as markers, polylines and polygons.",
    "labelContent": "A text with a background and a border.",
    "imageContent": "An image as content.",
    "svgContent": "An SVG document as content.",
    "stackContent": "Content in a row or a column.",
    "infoWindow": "An info window at a position.",
    "styledRange": "A style for clusters with so many markers.",
    "basicClusterStyle": "A disc with a ring and a text.",
    "imageClusterStyle": "An image with a text.",
    "markerTemplate": "The properties of markers for points; a text in braces stands for a property of the feature.",
    "polylineTemplate": "The properties of polylines for lines; a text in braces stands for a property of the feature.",
    "polygonTemplate": "The properties of polygons for areas; a text in braces stands for a property of the feature.",
    "labelContentTemplate": "A label whose values may be templates.",
    "imageContentTemplate": "Image content whose values may be templates.",
    "svgContentTemplate": "SVG content whose values may be templates.",
    "stackContentTemplate": "A stack whose values may be templates.",
    "symbol": "A label or a point of interest of the base map.",
    "symbolSource": "Symbols from the points of a GeoJSON file.",
    "symbolTemplate": "The properties of symbols for points.",
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
    "contentInset": "Lengths at the four edges.",
    "insets": "Lengths at the four edges.",
}
# Attributes that may stand without their names, besides those that are required.
POSITIONAL = {"circle": ["radius"]}
# Definitions that are types of their own here, not classes.
ALIASES = {
    "overlay": "Overlay",
    "content": "Content",
    "contentTemplate": "ContentTemplate",
    "event": "Event",
    "color": "Color",
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

import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Any, ClassVar, Literal, Union

from .encoding import Element, element

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
#: What ``waymark replay`` does on the picture, as in a scene file.
Event = Mapping[str, Any]
#: A file, or GeoJSON itself: a dict, a GeoDataFrame, anything with `__geo_interface__`.
Source = Any
'''


def snake(key):
    """The attribute for a key: a low line before every capital, `globalZIndex` → `global_z_index`."""
    return re.sub(r"[A-Z]", lambda match: "_" + match.group().lower(), key)


class Generator:
    def __init__(self, schema):
        self.schema = schema
        self.definitions = schema["$defs"]
        self.classes = {}  # name → text, in order
        self.made = {}  # name → the schema it was made from

    def name(self, key):
        return CLASSES.get(key) or key[0].upper() + key[1:]

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
        return {"number": "float", "integer": "int", "boolean": "bool", "string": "str"}[kinds[0]]

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
        wrapper = None
        properties = schema["properties"]
        if list(properties) == ["label"]:
            # A label's properties are one level below.
            wrapper, schema = "label", properties["label"]
            properties = schema["properties"]
        self.made[name] = list(properties)
        kind = properties.get("type", {}).get("const")
        own = {
            property: value
            for property, value in properties.items()
            if property not in ("type", "waymark") and value.get("type") != "null"
        }
        first = [property for property in schema.get("required", []) if property in own]
        for choice in schema.get("oneOf", [])[:1]:
            first += [property for property in choice.get("required", []) if property not in first]
        first += POSITIONAL.get(key, [])
        required = schema.get("required", [])
        lines, positional = [], []
        for property in [*first, *(property for property in own if property not in first)]:
            field = self.field(property, own[property], name, property in required)
            (positional if property in first else lines).append(field)
        summary = SUMMARIES.get(key, f"The `{key}` of a scene.")
        text = ["@element", f"class {name}(Element):", f'    """{summary}"""', ""]
        if kind:
            text += [f'    _type: ClassVar[str | None] = "{kind}"']
        if wrapper:
            text += [f'    _wrapper: ClassVar[str | None] = "{wrapper}"']
        text += ["    _keys: ClassVar[tuple[tuple[str, str], ...]] = ("]
        ordered = [property for property in properties if property in own]
        text += [f'        ("{snake(property)}", "{property}"),' for property in ordered]
        text += ["    )", ""]
        text += positional
        if lines:
            text += ["    _: KW_ONLY", *lines]
        self.classes[name] = "\n".join(text).rstrip() + "\n"

    def field(self, key, schema, parent, is_required):
        kind = self.type_of(schema, key, parent)
        words = schema.get("description", "").replace("\\", "\\\\")
        if bounds := self.bounds(schema):
            words += f" {bounds}."
        if "default" in schema and not is_required:
            words += f" Default: ``{json.dumps(schema['default'], ensure_ascii=False)}``."
        line = f"    {snake(key)}: {kind}" + ("" if is_required else " | None = None")
        if not words:
            return line
        wrapped = textwrap.wrap(words.strip(), 112, initial_indent='    """', subsequent_indent="    ")
        if len(wrapped) == 1:
            return f'{line}\n{wrapped[0]}"""'
        return line + "\n" + "\n".join(wrapped) + '\n    """'

    @staticmethod
    def bounds(schema):
        for part in [schema, *schema.get("anyOf", []), *(inner for part in schema.get("anyOf", []) for inner in part.get("anyOf", []))]:
            part = part.get("items", part) if "minimum" not in part else part
            low, high = part.get("minimum"), part.get("maximum")
            above = part.get("exclusiveMinimum")
            if above is not None:
                return f"Above {above:,}" + (f", at most {high:,}" if high is not None else "")
            if low is not None and high is not None:
                return f"{low:,} to {high:,}"
            if low is not None:
                return f"{low:,} or more"
        return None

    def text(self):
        for key, schema in self.definitions.items():
            if key in ALIASES or "properties" not in schema:
                continue
            self.define(self.name(key), key, schema)
        self.define("SceneFields", "scene", {**self.schema, "required": []})
        overlays = [self.name(part["$ref"].rsplit("/", 1)[1]) for part in self.definitions["overlay"]["oneOf"]]
        contents = [self.name(part["$ref"].rsplit("/", 1)[1]) for part in self.definitions["content"]["oneOf"]]
        templates = [self.name(part["$ref"].rsplit("/", 1)[1]) for part in self.definitions["contentTemplate"]["oneOf"]]
        parts = [HEADER]
        parts += [f"\n\n{text}" for text in self.classes.values()]
        parts += ["\n\n#: Whatever lies on the map.\n", f"Overlay = Union[{', '.join(overlays)}, Mapping[str, Any]]\n"]
        parts += ["#: What is drawn in an info window, an icon view or a view overlay.\n"]
        parts += [f"Content = Union[{', '.join(contents)}, Mapping[str, Any]]\n"]
        parts += ["#: Content whose values may be templates.\n", f"ContentTemplate = Union[{', '.join(templates)}, Mapping[str, Any]]\n"]
        camera = list(dict.fromkeys([*self.definitions["camera"]["properties"], *self.definitions["fit"]["properties"]]))
        parts += ["\n#: The keys of a camera or a fit.\n", f"CAMERA_KEYS = {tuple(camera)!r}\n".replace("'", '"')]
        names = sorted(name for name in self.classes if name != "SceneFields")
        exported = [*names, "Bounds", "Color", "Content", "Event", "Line", "Overlay", "Position", "Rings", "Source"]
        listed = "".join(f'    "{name}",\n' for name in exported)
        parts += [f"\n__all__ = [\n{listed}]\n"]
        return "".join(parts)


def main():
    text = Generator(json.loads(SCHEMA.read_text(encoding="utf-8"))).text()
    if sys.argv[1:] == ["--check"]:
        if not OUTPUT.exists() or OUTPUT.read_text(encoding="utf-8") != text:
            sys.exit("python/src/waymark_maps/overlays.py is not what the schema gives; run python/generate.py")
    elif not sys.argv[1:]:
        OUTPUT.write_text(text, encoding="utf-8")
    else:
        sys.exit("usage: python/generate.py [--check]")


if __name__ == "__main__":
    main()
