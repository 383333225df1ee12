"""Prints vector tiles as texts, as the decoder mapbox-vector-tile from PyPI reads them.

    oracle.py texts FILE...       a JSON list: for each file, the text of the tile, or why the decoder refuses it
    oracle.py digests ARCHIVE     a line for each layer of each tile of an MBTiles file: tile, layer, number of features, hash of the text

tools/tile-oracle runs it. TileText.swift makes the same texts with Waymark's decoder.
"""
import gzip
import json
import sqlite3
import struct
import sys

from mapbox_vector_tile.decoder import TileData

KINDS = ["unknown", "points", "lines", "polygons"]


def value_text(value):
    fields = value.ListFields()
    if not fields:
        return "none"
    if len(fields) > 1:
        raise ValueError("a value with two contents")
    field, content = fields[0][0].name, TileData.parse_value(value)
    if field == "float_value":
        return "float " + struct.pack(">f", content).hex()
    if field == "double_value":
        return "double " + struct.pack(">d", content).hex()
    if field == "bool_value":
        return "true" if content else "false"
    if field == "string_value":
        return "text " + content
    return ("unsigned " if field == "uint_value" else "integer ") + str(content)


def points_text(points):
    return " ".join(f"{x},{y}" for x, y in points)


def ring_text(ring, sign):
    # The decoder closes rings.
    if len(ring) > 1 and ring[0] == ring[-1]:
        ring = ring[:-1]
    return sign + points_text(ring)


def closed(commands):
    """The commands of polygons in a form that the decoder reads as intended: all rings are closed, with a count of 1.

    The decoder computes the area of a ring that is not closed without the missing side, and fails at a count of 0."""
    commands = list(commands)
    place = last = 0
    while place < len(commands):
        last = commands[place] & 7
        if commands[place] == 7:
            commands[place] = 15
        place += 1 if last == 7 else 1 + 2 * (commands[place] >> 3)
    return commands + ([15] if commands and last != 7 else [])


def geometry_text(data, feature, extent):
    if feature.type == 0:
        return ""
    commands = closed(feature.geometry) if feature.type == 3 else feature.geometry
    geometry = data.parse_geometry(commands, feature.type, extent, y_coord_down=True, transformer=None)
    kind, coordinates = geometry["type"], geometry["coordinates"]
    if feature.type == 1:
        return points_text([coordinates] if kind == "Point" else coordinates)
    if feature.type == 2:
        lines = [coordinates] if kind == "LineString" else coordinates
        return "; ".join(points_text(line) for line in lines if len(line) > 1)
    polygons = [coordinates] if kind == "Polygon" else coordinates
    return "; ".join(ring_text(ring, "-" if place else "+") for polygon in polygons for place, ring in enumerate(polygon))


def layer_text(data, layer):
    lines = [f"layer {layer.name} version {layer.version} extent {layer.extent}"]
    for feature in layer.features:
        tags = feature.tags
        if len(tags) % 2:
            raise ValueError("a key without a value")
        attributes = [f"{layer.keys[key]} = {value_text(layer.values[value])}" for key, value in zip(tags[::2], tags[1::2])]
        lines.append(f"{feature.id} {KINDS[feature.type]} [{geometry_text(data, feature, layer.extent)}] {{{' | '.join(attributes)}}}")
    return "\n".join(lines) + "\n"


def layers(content):
    data = TileData(content)
    return [(layer, layer_text(data, layer)) for layer in data.tile.layers]


def digest(text):
    result = 0xCBF29CE484222325
    for byte in text.encode():
        result = (result ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{result:016x}"


def main():
    if sys.argv[1] == "digests":
        archive = sqlite3.connect(f"file:{sys.argv[2]}?mode=ro", uri=True)
        rows = archive.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles ORDER BY 1, 2, 3 DESC")
        for zoom, column, row, content in rows:
            for layer, text in layers(gzip.decompress(content)):
                print(f"{zoom}/{column}/{(1 << zoom) - 1 - row} {layer.name} {len(layer.features)} {digest(text)}")
        return
    texts = []
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            content = file.read()
        try:
            texts.append("".join(text for _, text in layers(content)))
        except Exception as error:
            # Whatever the decoder does not like: damaged messages, missing keys, commands beyond the end.
            texts.append(f"refused: {type(error).__name__}: {error}")
    json.dump(texts, sys.stdout)


main()
