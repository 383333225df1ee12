"""A style for MapLibre with the layers, colors and widths of one of Waymark's themes, without labels.

    map_style.py ARCHIVE --zoom Z [--theme light] [--buildings flat|extruded|none] > style.json

The style is read from the tables of the theme and of the schema OpenMapTiles in the sources, so that there is no second copy of them. Widths are
those at one zoom, since MapLibre interpolates differently. Outlines of buildings are MapLibre's hairlines, which cost it least.
"""
import argparse
import json
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
THEMES = os.path.join(ROOT, "Sources", "Layout", "Tiles", "Themes")
SCHEMA = os.path.join(ROOT, "Sources", "VectorTiles", "MapSchema+OpenMapTiles.swift")
RULES = os.path.join(ROOT, "Sources", "VectorTiles", "MapSchema.swift")
WIDTHS = os.path.join(THEMES, "ThemeTable.swift")

TOKEN = re.compile(r'\s*(?://[^\n]*\n\s*)*("[^"\\]*"|0x[0-9A-Fa-f]+|-?\d+(?:\.\d+)?|\.?\w+|[\[\]():,+])')


class Call:
    """A call such as `.area(.park, 0xD3E7C6, from: 13)`, or a member such as `.park`, which has no arguments."""

    def __init__(self, name, arguments):
        self.name, self.arguments = name, arguments

    def get(self, key, default=None):
        return self.arguments.get(key, default)


class Reader:
    """Reads literals of Swift: numbers, texts, arrays, dictionaries, members and calls."""

    def __init__(self, path, text, place):
        self.path, self.text, self.place = path, text, place

    def fail(self, problem):
        line = self.text.count("\n", 0, self.place) + 1
        raise ValueError(f"{self.path}:{line}: {problem}; map_style.py reads only simple tables")

    def peek(self):
        found = TOKEN.match(self.text, self.place)
        if not found:
            self.fail("cannot read this value")
        return found[1]

    def take(self, expected=None):
        token = self.peek()
        if expected and token != expected:
            self.fail(f"{expected} is missing")
        self.place = TOKEN.match(self.text, self.place).end()
        return token

    def items(self, end):
        """Pairs of a key and a value, up to a bracket; the key of a value without one is its number."""
        result = {}
        while self.peek() != end:
            key, value = len(result), None
            if re.fullmatch(r"[a-zA-Z]\w*", self.peek()):
                here, word = self.place, self.take()
                if self.peek() == ":":
                    key = word
                else:
                    self.place = here
            if key == len(result):
                value = self.value()
                if self.peek() == ":":
                    key = value.name if isinstance(value, Call) else value
            if self.peek() == ":":
                self.take()
                value = self.value()
            result[key] = value
            if self.peek() != end:
                self.take(",")
        self.take(end)
        return result

    def value(self):
        token = self.take()
        if token == "[":
            items = self.items("]")
            return list(items.values()) if list(items) == list(range(len(items))) else items
        if token.startswith('"'):
            text = token[1:-1]
            while self.peek() == "+":
                self.take()
                text += self.take()[1:-1]
            return text
        if token[0].isdigit() or token[0] == "-":
            return int(token, 16) if token.startswith("0x") else float(token)
        if not re.fullmatch(r"\.?[a-zA-Z]\w*", token):
            self.fail(f"cannot read {token}")
        arguments = {}
        if self.text[self.place] == "(":
            self.take("(")
            arguments = self.items(")")
        return Call(token.lstrip("."), arguments)


def values(path, start):
    """The values that come after each match of a pattern in a file."""
    with open(path) as file:
        text = file.read()
    found = [(match, Reader(path, text, match.end()).value()) for match in re.finditer(start, text)]
    if not found:
        raise ValueError(f"{path}: nothing matches {start}")
    return found


def zoom_widths():
    return {match[1]: value for match, value in values(WIDTHS, r"static let (\w+): Self = (?=\[)")}


def width_at(stops, zoom):
    """As `ZoomWidths.width(atZoom:)`; None below the first zoom."""
    stops = sorted(stops.items())
    if zoom < stops[0][0]:
        return None
    for (low, narrow), (high, wide) in zip(stops, stops[1:]):
        if zoom < high:
            return narrow * (wide / narrow) ** ((zoom - low) / (high - low))
    return stops[-1][1]


def theme_table(theme):
    """The land's color, the areas, and the groups of lines."""
    path = os.path.join(THEMES, f"ThemeTable+{theme.capitalize()}.swift")
    land, = (value.get("hex") for _, value in values(path, r"\bland:\s*(?=\.init)"))
    (_, areas), (_, lines) = values(path, r"\bareas:\s*(?=\[)")[0], values(path, r"(?m)^ +lines:\s*(?=\[)")[0]
    return land, areas, lines


def constant(path, name):
    return values(path, rf"static let {name} = ")[0][1]


class Schema:
    """The filters of the features of each role, from the table of the schema."""

    def __init__(self):
        self.layers = [value for _, value in values(SCHEMA, r"(?=\bSchemaLayer\()")]
        # Tables that several layers share, by name.
        self.tables = {match[1]: value for match, value in values(SCHEMA, r"static let (\w+) = (?=RoleTable\()")}
        rule, = (value for _, value in values(RULES, r"static let maritime = "))
        self.maritime = rule.get("key")
        with open(RULES) as file:
            self.tunnel_roles = re.findall(r"\.(\w+)", re.search(r"HidingRule\(key: key, text: text, roles: \[([^\]]*)\]", file.read())[1])

    def filters(self, role, kind):
        """The layers that have a role, each with a filter. `kind` is areas or lines."""
        for layer in self.layers:
            table = layer.get(kind)
            if table is None:
                continue
            table = self.tables.get(table.name, table)
            keys = str(layer.get(1, "class")).split()
            condition = self.condition(table, role, keys)
            if condition is None:
                continue
            shape = ["==", "$type", "Polygon" if kind == "areas" else "LineString"]
            yield layer.get(0), ["all", shape, *condition, *self.visible(layer.get("hiddenBy"), role)]

    def condition(self, table, role, keys):
        """The conditions for a role; None if no class has it. Like RoleReader: the first key whose class the table has counts."""
        ignored = str(table.get("ignored", "")).split()
        if table.name == "all":
            if table.get(0).name != role:
                return None
            return [["!in", keys[0], *ignored]] if ignored else []
        classes = {name: words.split() for name, words in (table.get(0) or {}).items()}
        names = [int(word) if word.isdecimal() else word for word in classes.get(role, [])]
        otherwise = table.get("otherwise")
        if otherwise is not None and otherwise.name == role:
            raise ValueError("map_style.py does not read tables with another role for all other classes")
        if not names:
            return None
        known = [word for words in classes.values() for word in words] + ignored
        choices = []
        for index, key in enumerate(keys):
            choices.append(["all", *(["!in", before, *known] for before in keys[:index]), ["in", key, *names]])
        return [choices[0][1] if len(choices) == 1 else ["any", *choices]]

    def visible(self, rule, role):
        if rule is None:
            return []
        if rule.name == "maritime":
            return [["!in", self.maritime, True, 1]]
        if rule.name != "tunnel":
            raise ValueError(f"map_style.py does not know the rule {rule.name}")
        return [["!=", rule.get(0), rule.get(1)]] if role in self.tunnel_roles else []


def css(number):
    return number if isinstance(number, str) else f"#{int(number):06x}"


# The names at zoom 14.5, from the most important to the least: the layer, the key with the classes, and the size in pt. Sizes as in Waymark's table
# of labels, which is more than this script can read.
NAMES = [
    ("place", ("class", "city"), 19), ("place", ("class", "town"), 16.2), ("water_name", None, 12.7), ("place", ("class", "village", "hamlet"), 13.5),
    ("place", ("class", "suburb", "quarter", "neighbourhood"), 10.8), ("waterway", None, 11.3),
    ("transportation_name", ("class", "motorway", "trunk", "primary"), 10.9), ("transportation_name", ("class", "secondary", "tertiary"), 10.2)]
NAME_FONT = "Nanum"


def name_layers():
    """The layers of names. The name placed last is the most important in MapLibre, whose layers are placed from the top down."""
    for number, (layer, classes, size) in enumerate(reversed(NAMES)):
        is_line = layer in ("waterway", "transportation_name")
        shape = ["==", "$type", "LineString" if is_line else "Point"]
        yield {
            "id": f"name {number}", "type": "symbol", "source": "map", "source-layer": layer,
            "filter": ["all", shape, ["in", *classes]] if classes else shape,
            "layout": {
                "text-field": ["coalesce", ["get", "name"], ["get", "name:latin"]], "text-font": [NAME_FONT], "text-size": size, "text-padding": 4,
                **({"symbol-placement": "line", "symbol-spacing": 350} if is_line else {"text-max-width": 8})},
            "paint": {"text-color": "#333333", "text-halo-color": "#ffffff", "text-halo-width": 1.5}}


def style(archive, zoom, theme="light", colors=None, roles=None, buildings="flat", building_lines=False, glyphs=None):
    """A style for one zoom.

    glyphs: the address of the letters of names, which are drawn with it; None without names.

    colors: the colors of roles instead of the theme's. roles: the only roles to draw besides the land; by default all.
    building_lines: whether buildings have lines as wide as in the theme around them, instead of hairlines.
    """
    colors, widths, schema = colors or {}, zoom_widths(), Schema()
    land, areas, groups = theme_table(theme)
    layers = [{"id": "land", "type": "background", "paint": {"background-color": css(colors.get("land", land))}}]

    def add(role, kind, part, drawing):
        for source_layer, condition in schema.filters(role, kind):
            layers.append({
                "id": f"{role} {part} {source_layer}", "source": "map", "source-layer": source_layer, "filter": condition, **drawing})

    def is_drawn(role):
        return roles is None or role in roles

    def stroke(color, width, pattern=()):
        paint = {"line-color": css(color), "line-width": round(width, 6)}
        if pattern:
            paint["line-dasharray"] = list(pattern)
        return {"type": "line", "paint": paint, "layout": {"line-join": "round", "line-cap": "butt" if pattern else "round"}}

    for area in areas:
        role = area.get(0).name
        if zoom < area.get("from", 0) or role == "building" and buildings != "flat":
            continue
        color = css(colors.get(role, area.get(1)))
        has_outline = area.get("outline") is not None and zoom >= constant(WIDTHS, "outlineZoom")
        paint = {"fill-color": color}
        if has_outline and not building_lines:
            paint["fill-outline-color"] = css(area.get("outline"))
        if is_drawn(role):
            add(role, "areas", "area", {"type": "fill", "paint": paint})
            width = area.get("lines") and width_at(widths[area.get("lines").name], zoom)
            if width:
                add(role, "lines", "line", stroke(color, width))
        if has_outline and building_lines and is_drawn(role):
            drawing = stroke(area.get("outline"), constant(WIDTHS, "outlineWidth"))
            drawing["layout"] = {"line-join": "miter", "line-cap": "butt"}
            add(role, "areas", "outline", drawing)
    for group in groups:
        drawn = [line for line in group if width_at(widths[line.get(2).name], zoom) is not None]
        for line in drawn:
            outline = width_at(widths["outline"], zoom)
            if line.get("outline") is not None and outline is not None and is_drawn(line.get(0).name):
                add(line.get(0).name, "lines", "outline", stroke(line.get("outline"), width_at(widths[line.get(2).name], zoom) + 2 * outline))
        for line in drawn:
            role = line.get(0).name
            if is_drawn(role):
                add(role, "lines", "line", stroke(
                    colors.get(role, line.get(1)), width_at(widths[line.get(2).name], zoom), line.get("pattern", ())))
    if buildings == "extruded":
        # Above everything, like models.
        for area in areas:
            if area.get(0).name == "building":
                height, base = (["coalesce", ["get", f"render_{name}"], default] for name, default in (("height", 5), ("min_height", 0)))
                add("building", "areas", "blocks", {"type": "fill-extrusion", "paint": {
                    "fill-extrusion-color": css(colors.get("building", area.get(1))), "fill-extrusion-height": height,
                    "fill-extrusion-base": base}})
    result = {"version": 8, "sources": {"map": {"type": "vector", "url": f"mbtiles://{os.path.abspath(archive)}"}}, "layers": layers}
    if glyphs:
        result["glyphs"] = glyphs
        layers += name_layers()
    return result


def roles(theme="light"):
    """The roles of the areas and of the lines of a theme, from bottom to top."""
    _, areas, groups = theme_table(theme)
    return [area.get(0).name for area in areas], [line.get(0).name for group in groups for line in group]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", help="an MBTiles file in the schema OpenMapTiles")
    parser.add_argument("--zoom", type=float, required=True)
    parser.add_argument("--theme", choices=["light", "dark", "gray"], default="light")
    parser.add_argument("--buildings", choices=["flat", "extruded", "none"], default="flat")
    chosen = parser.parse_args()
    print(json.dumps(style(chosen.archive, chosen.zoom, chosen.theme, buildings=chosen.buildings), indent=1))
