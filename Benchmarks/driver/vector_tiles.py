"""Archives of vector tiles for the base map cases: one real tile, repeated so that every picture is full of city.

    vector_tiles.py ARCHIVE OUTPUT [--side N] [--center LNG,LAT]

Takes the largest tile of the last zoom of an MBTiles file and writes an MBTiles file with N x N addresses around a place that all have this tile.
Data ends somewhere in the middle of the tile of a small extract; so the rectangle with data is repeated until it fills the tile. Around that lies a
margin with what the neighbors contain, as in any tile.
"""
import argparse
import gzip
import math
import os
import sqlite3
import struct

EXTENT, MARGIN = 4096, 64
POINT, LINE, POLYGON = 1, 2, 3


def varint(data, place):
    number = shift = 0
    while True:
        byte = data[place]
        place += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, place
        shift += 7


def fields(data):
    """The fields of a Protocol Buffers message: each a number and its content, a number or bytes."""
    place = 0
    while place < len(data):
        key, place = varint(data, place)
        kind = key & 7
        if kind == 0:
            content, place = varint(data, place)
        else:
            if kind == 2:
                size, place = varint(data, place)
            else:
                size = {1: 8, 5: 4}[kind]
            content, place = data[place:place + size], place + size
        yield key >> 3, content


def packed(data):
    numbers, place = [], 0
    while place < len(data):
        number, place = varint(data, place)
        numbers.append(number)
    return numbers


def varints(numbers):
    out = bytearray()
    for number in numbers:
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return bytes(out)


def field(number, content):
    """A field with bytes, or with a number."""
    if isinstance(content, int):
        return varints([number << 3, content])
    return varints([number << 3 | 2, len(content)]) + content


class Feature:
    """A feature with its parts: lists of points. The rings of polygons are not closed."""

    def __init__(self, kind, tags, parts):
        self.kind, self.tags, self.parts = kind, tags, parts

    @staticmethod
    def decoded(data):
        kind, tags, commands = 0, b"", []
        for number, content in fields(data):
            if number == 2:
                tags = content
            elif number == 3:
                kind = content
            elif number == 4:
                commands = packed(content)
        parts, x, y, place = [], 0, 0, 0
        while place < len(commands):
            command, count = commands[place] & 7, commands[place] >> 3
            place += 1
            if command == 7:
                continue
            for _ in range(count):
                dx, dy = commands[place:place + 2]
                x, y, place = x + ((dx >> 1) ^ -(dx & 1)), y + ((dy >> 1) ^ -(dy & 1)), place + 2
                if command == 1:
                    parts.append([])
                parts[-1].append((x, y))
        return Feature(kind, tags, parts)

    def encoded(self):
        commands, last = [], (0, 0)

        def moves(points):
            nonlocal last
            for point in points:
                for to, origin in zip(point, last):
                    commands.append((to - origin) << 1 ^ (to - origin) >> 63)
                last = point

        if self.kind == POINT:
            commands.append(len(self.parts) << 3 | 1)
            moves(part[0] for part in self.parts)
        else:
            for part in self.parts:
                commands.append(9)
                moves(part[:1])
                commands.append((len(part) - 1) << 3 | 2)
                moves(part[1:])
                if self.kind == POLYGON:
                    commands.append(15)
        return field(2, self.tags) + field(3, self.kind) + field(4, varints(commands))

    def clipped(self, box, shift):
        """The part inside a box, moved; None if the feature is outside."""
        low_x, low_y, high_x, high_y = box
        if self.kind == POINT:
            parts = [part for part in self.parts if low_x <= part[0][0] < high_x and low_y <= part[0][1] < high_y]
        else:
            clip = clipped_ring if self.kind == POLYGON else clipped_line
            parts = self.parts
            for axis, bound, sign in ((0, low_x, 1), (0, high_x, -1), (1, low_y, 1), (1, high_y, -1)):
                parts = [piece for part in parts for piece in clip(part, axis, bound, sign)]
            parts = [without_repetitions(part, self.kind) for part in parts]
            parts = [part for part in parts if len(part) >= self.kind and (self.kind == LINE or area(part))]
        parts = [[(x + shift[0], y + shift[1]) for x, y in part] for part in parts]
        return Feature(self.kind, self.tags, parts) if parts else None


def area(ring):
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, ring[1:] + ring[:1]))


def without_repetitions(part, kind):
    points = [point for index, point in enumerate(part) if index == 0 or point != part[index - 1]]
    while kind == POLYGON and len(points) > 1 and points[0] == points[-1]:
        points.pop()
    return points


def crossing(a, b, axis, bound):
    share = (bound - a[axis]) / (b[axis] - a[axis])
    other = round(a[1 - axis] + share * (b[1 - axis] - a[1 - axis]))
    return (bound, other) if axis == 0 else (other, bound)


def clipped_ring(ring, axis, bound, sign):
    """Sutherland and Hodgman's algorithm for one side of a box. A ring that falls into pieces stays one ring."""
    kept = []
    for a, b in zip(ring[-1:] + ring[:-1], ring):
        is_in = [(point[axis] - bound) * sign >= 0 for point in (a, b)]
        if is_in[0] != is_in[1]:
            kept.append(crossing(a, b, axis, bound))
        if is_in[1]:
            kept.append(b)
    return [kept] if len(kept) > 2 else []


def clipped_line(line, axis, bound, sign):
    pieces, piece = [], []
    for index, point in enumerate(line):
        is_in = (point[axis] - bound) * sign >= 0
        if index and is_in != bool(piece):
            cut = crossing(line[index - 1], point, axis, bound)
            if is_in:
                piece = [cut]
            else:
                pieces.append(piece + [cut])
                piece = []
        if is_in:
            piece.append(point)
    return [each for each in pieces + [piece] if len(each) > 1]


class Layer:
    """A layer of a tile, with its keys and values unchanged."""

    def __init__(self, data):
        self.features, self.tables, self.name = [], b"", ""
        for number, content in fields(data):
            if number == 1:
                self.name = content.decode()
            elif number == 2:
                self.features.append(Feature.decoded(content))
            elif number in (3, 4):
                self.tables += field(number, content)
            elif number == 5 and content != EXTENT:
                raise ValueError(f"the layer {self.name} has the extent {content}, not {EXTENT}")

    def encoded(self, features):
        return field(15, 2) + field(1, self.name.encode()) + b"".join(field(2, each.encoded()) for each in features) + self.tables + field(5, EXTENT)


def filled_box(layers):
    """The box around the streets and buildings of a tile, within the tile."""
    points = [
        point for layer in layers if layer.name in ("transportation", "building") for each in layer.features for part in each.parts
        for point in part]
    low, high = ([bound(point[axis] for point in points) for axis in (0, 1)] for bound in (min, max))
    return [max(0, low[0]), max(0, low[1]), min(EXTENT, high[0]), min(EXTENT, high[1])]


def cells(low, high, size):
    """The pieces of the axis of a tile with its margin: the part of the rectangle that is repeated there, and its shift.

    The tile is repeated, too: its margin has what lies at its opposite side."""
    for tile in (-EXTENT, 0, EXTENT):
        for start in range(tile, tile + EXTENT, size):
            first, end = max(start, -MARGIN), min(start + size, tile + EXTENT, EXTENT + MARGIN)
            if first < end:
                yield low + first - start, low + end - start, start - low


def repeated(tile):
    """A tile that has data everywhere, from one with data in a part of it."""
    layers = [Layer(content) for number, content in fields(tile) if number == 3]
    low_x, low_y, high_x, high_y = filled_box(layers)
    if high_x - low_x < EXTENT / 4 or high_y - low_y < EXTENT / 4:
        raise ValueError("the tile has data in less than a quarter of its width or height")
    columns = list(cells(low_x, high_x, high_x - low_x))
    rows = list(cells(low_y, high_y, high_y - low_y))
    out = b""
    for layer in layers:
        pieces = [
            each.clipped((column[0], row[0], column[1], row[1]), (column[2], row[2]))
            for each in layer.features for row in rows for column in columns]
        out += field(3, layer.encoded([piece for piece in pieces if piece]))
    return out


def write_city(archive, output, center, side=16):
    """Writes an archive of side x side addresses around a place, which all have the largest tile of the last zoom of another archive."""
    with sqlite3.connect(f"file:{archive}?mode=ro", uri=True) as source:
        zoom, data = source.execute("SELECT zoom_level, tile_data FROM tiles ORDER BY zoom_level DESC, length(tile_data) DESC LIMIT 1").fetchone()
        metadata = dict(source.execute("SELECT name, value FROM metadata"))
    tile = gzip.compress(repeated(gzip.decompress(data)), mtime=0)
    width = 2**zoom
    sine = math.sin(math.radians(center[1]))
    column = round((center[0] + 180) / 360 * width) - side // 2
    row = round((0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * width) - side // 2

    def corner(x, y):
        return [x / width * 360 - 180, math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y / width))))]

    bounds = corner(column, row + side) + corner(column + side, row)
    metadata.update(minzoom=str(zoom), maxzoom=str(zoom), bounds=",".join(f"{degree:.6f}" for degree in bounds), name="A city")
    metadata.pop("center", None)
    write_archive(output, metadata, [(zoom, column + x, width - 1 - (row + y), tile) for x in range(side) for y in range(side)])


def write_zoom(archive, output, zoom):
    """Writes an archive with the tiles of one zoom of another one."""
    with sqlite3.connect(f"file:{archive}?mode=ro", uri=True) as source:
        tiles = source.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles WHERE zoom_level = ?", (zoom,)).fetchall()
        metadata = dict(source.execute("SELECT name, value FROM metadata"))
    metadata.update(minzoom=str(zoom), maxzoom=str(zoom))
    metadata.pop("center", None)
    write_archive(output, metadata, tiles)


def layer_texts(archive):
    """For each layer of an MBTiles file, the values of all its attributes as texts, without fractional numbers."""
    texts = {}
    with sqlite3.connect(f"file:{archive}?mode=ro", uri=True) as source:
        for data, in source.execute("SELECT tile_data FROM tiles"):
            for layer in (content for number, content in fields(gzip.decompress(data)) if number == 3):
                parts = list(fields(layer))
                found = texts.setdefault(next(content.decode() for number, content in parts if number == 1), set())
                for value in (dict(fields(content)) for number, content in parts if number == 4):
                    found.update(content.decode() if kind == 1 else str(content) for kind, content in value.items() if kind in (1, 4, 5))
                    # Whole numbers may be written as floating-point ones.
                    for kind, code in ((2, "<f"), (3, "<d")):
                        if kind in value and struct.unpack(code, value[kind])[0].is_integer():
                            found.add(str(int(struct.unpack(code, value[kind])[0])))
    return texts


def write_archive(output, metadata, tiles):
    """Writes an MBTiles file of tiles: zoom, column, row from the south, and data."""
    if os.path.exists(output):
        os.remove(output)
    target = sqlite3.connect(output)
    with target:
        target.execute("CREATE TABLE metadata (name text, value text)")
        target.execute("CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)")
        target.executemany("INSERT INTO metadata VALUES (?, ?)", metadata.items())
        target.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", tiles)
        target.execute("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
    target.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", help="an MBTiles file of vector tiles")
    parser.add_argument("output", help="the new MBTiles file")
    parser.add_argument("--side", type=int, default=16, help="the number of addresses in a row; default 16")
    parser.add_argument("--center", default="126.9780,37.5665", metavar="LNG,LAT", help="default 126.9780,37.5665")
    chosen = parser.parse_args()
    write_city(chosen.archive, chosen.output, [float(part) for part in chosen.center.split(",")], chosen.side)
