"""The data of the workloads, generated from the same seeds as the peers' own, so that their scripts are not needed."""
import json
import math
import os
import random
import struct
import zlib

from map_style import style
from vector_tiles import write_city

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000, "1m": 1_000_000}
MESHES = {  # triangles; the -culled cases leave out back faces. The texture is filtered plainly, or by mipmaps, and at last with four samples per pixel
    f"w5-{size}{culled}{terms}": count for terms in ("", "-mipmaps", "-samples4") for size, count in (("100k", 100_000), ("1m", 1_000_000))
    for culled in ("", "-culled")}
PICKS = [f"pick-{size}" for size in SIZES if size != "1k"]
CLUSTERS = {  # points; the cases that end in -file read them from GeoJSON and draw a picture
    "w6-100k": 100_000, "w6-1m": 1_000_000, "w6-1m-file": 1_000_000, "w6-10m": 10_000_000}
BASE_MAPS = {  # zoom, tilt, bearing, and whether the camera moves to places without known tiles
    "w8": (11, 0, 0, False), "w8-between": (11.4, 0, 0, False), "w8-tilted": (11, 60, 30, False), "w8-cold": (11, 0, 0, True),
    "w8-tilted-cold": (11, 60, 30, True)}
VECTOR_MAPS = {  # zoom and tilt; the cases that end in -cold are whole programs
    name + end: (zoom, tilt) for end in ("", "-cold") for name, zoom, tilt in (("w9", 14.5, 0), ("w9-near", 16, 0), ("w9-tilted", 16, 60))}
VECTOR_MAPS |= {"w9-labels": (14.5, 0), "w9-extruded": (16, 60)}  # with names, and with buildings as blocks
GROWTH = {  # kinds of objects, and three numbers of them
    f"growth-{kind}-{size}": (kind, count) for kind, sizes in {
        "markers": ("10k", "100k", "1m"), "captions": ("1k", "10k", "100k"), "circles": ("1k", "10k", "100k"), "lines": ("1k", "10k", "100k"),
        "models": ("100", "1k", "10k"), "clusters": ("10k", "100k", "1m")}.items()
    for size in sizes for count in [int(size.replace("k", "000").replace("m", "000000"))]}
SHAPES = {"line-100k": "line", "line-names": "names", "areas": "areas", "circles-1k": "circles"}  # and their names in the benchmark

# As in the peers' workload.py, so that the data is the same.
SEED, LON, LAT, ZOOM, SIDE = 20261121, 126.9780, 37.5665, 11.0, 1024
LAND_ZOOM, CITY_ZOOM = 5.0, 14.5
CAPTION = "Seoul City Hall 서울특별시청"
FONT = "NanumGothic"  # which has Latin and Hangul, for everyone
LATIN = "Cafe Hotel Park Tower Museum Library Bakery Market Station School Temple Bridge".split()
HANGUL = "카페 호텔 공원 타워 박물관 도서관 빵집 시장 역 학교 사찰 다리".split()
ICON_RGB = [(228, 26, 28), (55, 126, 184), (77, 175, 74), (152, 78, 163), (255, 127, 0), (255, 217, 47), (166, 86, 40), (247, 129, 191)]


def markers(numpy, count):
    """Longitudes, latitudes and icon numbers."""
    rng = numpy.random.default_rng(SEED + 2)
    pixels = rng.random((count, 2)) * SIDE
    icon = rng.integers(0, 8, count, dtype=numpy.uint8)
    x, y, world = world_point(pixels[:, 0], pixels[:, 1])
    return x / world * 360 - 180, numpy.degrees(2 * numpy.arctan(numpy.exp(numpy.pi * (1 - 2 * y / world))) - numpy.pi / 2), icon


def world_point(x, y, lng=LON, lat=LAT, zoom=ZOOM):
    """A point of a picture centered on a position, in pixels of the world, and the width of the world."""
    world, sine = 512 * 2**zoom, math.sin(math.radians(lat))
    center_x, center_y = (lng + 180) / 360 * world, (0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * world
    return center_x - SIDE / 2 + x, center_y - SIDE / 2 + y, world


def cluster_points(numpy, count):
    """Longitudes and latitudes, four fifths of them in 300 towns."""
    rng, crowd = numpy.random.default_rng(SEED + 6), int(count * 0.8)
    towns = numpy.stack([rng.uniform(-170, 170, 300), rng.uniform(-60, 70, 300)], 1)
    towns[0] = (LON, LAT)
    near = towns[rng.integers(0, 300, crowd)] + rng.normal(0, 0.3, (crowd, 2))
    far = numpy.stack([rng.uniform(-179, 179, count - crowd), rng.uniform(-70, 75, count - crowd)], 1)
    return numpy.concatenate([near, far])


def cluster_file(case, folder):
    return os.path.join(folder, f"w6-{CLUSTERS[case]}.bin")


def cluster_geojson(case, folder):
    return os.path.join(folder, f"w6-{CLUSTERS[case]}.geojson")


def text(rng):
    words = LATIN if rng.random() < 0.5 else HANGUL
    return f"{rng.choice(words)} {rng.randrange(1, 1000)}"


def captions(count=10_000):
    """The longitude, latitude and text of each caption."""
    rng = random.Random(SEED + 4)
    for x, y, said in [(rng.uniform(0, SIDE), rng.uniform(0, SIDE), text(rng)) for _ in range(count)]:
        yield *lng_lat(x, y), said


def lng_lat(x, y, side=SIDE, lng=LON, lat=LAT, zoom=ZOOM):
    """The longitude and latitude of a point of a square picture centered on a position."""
    x, y, world = world_point(x + (SIDE - side) / 2, y + (SIDE - side) / 2, lng, lat, zoom)
    return [x / world * 360 - 180, math.degrees(2 * math.atan(math.exp(math.pi * (1 - 2 * y / world))) - math.pi / 2)]


def card():
    """The scene file of W1: a circle of 64 corners, a line of 500 points, an icon and its caption."""
    rng, side, points, x, y = random.Random(SEED), 512, [], 60, 400
    angle = rng.uniform(0, 6.283)
    for _ in range(500):
        points.append(lng_lat(x, y, side))
        angle += rng.gauss(0, 0.35)
        x, y = x + 4 * math.cos(angle), y + 4 * math.sin(angle)
        if not 20 < x < side - 20 or not 20 < y < side - 20:
            angle += math.pi / 2
            x, y = min(max(x, 20), side - 20), min(max(y, 20), side - 20)
    turns = [corner * math.tau / 64 for corner in range(65)]
    ring = [lng_lat(300 + 90 * math.cos(turn), 200 + 90 * math.sin(turn), side) for turn in turns]
    circle = {"type": "polygon", "rings": [ring], "fillColor": "#3388ff4d", "outlineWidth": 2, "outlineColor": "#3388ff", "zIndex": 0}
    line = {
        "type": "polyline", "points": points, "width": 4, "color": "#dd2222", "capType": "round", "joinType": "round", "zIndex": 1}
    marker = {
        "type": "marker", "position": [LON, LAT], "iconImage": "icon32.png", "anchor": [0.5, 0.5], "captionText": CAPTION,
        "captionTextSize": 16, "captionColor": "#222222", "captionOffset": 2, "captionRequestedWidth": 160, "captionFont": FONT,
        "zIndex": 2}
    return {
        "waymark": 1, "size": {"width": side, "height": side}, "camera": {"center": [LON, LAT], "zoom": ZOOM},
        "overlays": [circle, line, marker]}


def batch(count=200, zoom=ZOOM, reach=(2, 2)):
    """The base scene of W3, and its jobs: each a different view with a line of 200 points and 20 icons with captions.

    `reach`: the maximum distance of the centers from the usual one, in degrees of longitude and latitude.
    """
    rng, side = random.Random(SEED + 3), 512
    base = {
        "waymark": 1, "size": {"width": side, "height": side},
        "images": {f"icon{number}": f"icon24_{number}.png" for number in range(8)}}
    jobs = []
    for number in range(count):
        lng, lat = LON + rng.uniform(-reach[0], reach[0]), LAT + rng.uniform(-reach[1], reach[1])
        steps, x, y = [], rng.uniform(50, 450), rng.uniform(50, 450)
        angle = rng.uniform(0, 6.283)
        for _ in range(200):
            steps.append((x, y))
            angle += rng.gauss(0, 0.35)
            x, y = x + 5 * math.cos(angle), y + 5 * math.sin(angle)
            if not 20 < x < side - 20 or not 20 < y < side - 20:
                angle += math.pi / 2
                x, y = min(max(x, 20), side - 20), min(max(y, 20), side - 20)
        places = [(rng.uniform(30, 482), rng.uniform(30, 482)) for _ in range(20)]
        texts = [text(rng) for _ in range(20)]
        icons = [rng.randrange(8) for _ in range(20)]
        # A picture's point is as far from its center in the world as it would be around the usual center.
        here = lambda x, y: lng_lat(x, y, side, lng, lat, zoom)
        line = {
            "type": "polyline", "points": [here(*step) for step in steps], "width": 4, "color": "#dd2222", "capType": "round",
            "joinType": "round"}
        markers = [
            {"type": "marker", "position": here(*place), "iconImage": f"icon{icon}", "anchor": [0.5, 0.5], "captionText": caption,
             "captionTextSize": 13, "captionColor": "#222222", "captionOffset": 2, "captionFont": FONT}
            for place, caption, icon in zip(places, texts, icons)]
        jobs.append({"id": f"{number:03}", "camera": {"center": [lng, lat], "zoom": zoom}, "add": [line, *markers]})
    return base, jobs


def land_batch():
    """W3 over a map of the land: cards all over Asia, at a zoom of its tiles. The base scene names the folder of tiles next to it."""
    base, jobs = batch(zoom=LAND_ZOOM, reach=(50, 30))
    return dict(base, basemap="land", attribution=False), jobs


def land_folder(data):
    """The tiles of `Examples/tiles/plain.json`, 512 pixels on a side."""
    return os.path.join(data, "land")


def city_batch():
    """W3 over a map of a city of vector tiles: cards all over it. The base scene names the archive next to it."""
    base, jobs = batch(zoom=CITY_ZOOM, reach=(0.12, 0.1))
    return dict(base, basemap=city_layer(), attribution=False), jobs


def city_archive(data):
    """256 addresses around the usual center with the same tile of Helsinki."""
    return os.path.join(data, "city.mbtiles")


def city_layer(case=""):
    """The base map in scenes next to the archive."""
    return {
        "source": "city.mbtiles", "labels": case == "w9-labels", "pois": False,
        "buildings": "extruded" if case == "w9-extruded" else "flat"}


def city_glyphs(data):
    """The folder of the letters of the city's names, for MapLibre."""
    return os.path.join(data, "city-glyphs")


def city_scene(case, data):
    return os.path.join(data, f"{case}.json")


def city_style(case, data):
    """MapLibre's style for a case."""
    return os.path.join(data, f"{case}-style.json")


def write_city_maps(folder, cases):
    """The archive of W9, and for each case a scene and the same for MapLibre."""
    write_city(os.path.join(ROOT, "Examples", "helsinki", "helsinki.mbtiles"), city_archive(folder), (LON, LAT))
    for case in cases:
        zoom, tilt = VECTOR_MAPS.get(case, (CITY_ZOOM, 0))
        with open(city_style(case, folder), "w") as file:
            layer = city_layer(case)
            glyphs = f"file://{os.path.abspath(city_glyphs(folder))}/{{fontstack}}/{{range}}.pbf" if layer["labels"] else None
            json.dump(style(city_archive(folder), zoom, buildings=layer["buildings"], glyphs=glyphs), file)
        if case in VECTOR_MAPS:
            with open(city_scene(case, folder), "w") as file:
                json.dump({
                    "waymark": 1, "size": {"width": SIDE, "height": SIDE}, "attribution": False, "basemap": city_layer(case),
                    "camera": {"center": [LON, LAT], "zoom": zoom, "tilt": tilt}}, file)
        else:
            base, jobs = city_batch()
            with open(os.path.join(folder, f"{case}.json"), "w") as file:
                json.dump(base, file)
            write_jobs(os.path.join(folder, case), jobs)


def spaghetti(count=10_000):
    """Lines of ten points across the picture as GeoJSON."""
    rng = random.Random(SEED)
    return {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"stroke": "#c03030", "stroke-width": 2}, "geometry": {"type": "LineString", "coordinates": [
            lng_lat(rng.random() * SIDE, rng.random() * SIDE) for _ in range(10)]}} for _ in range(count)]}


def growth_scene(case, folder):
    return os.path.join(folder, f"{case}.json")


def write_growth(case, folder):
    """A scene of many objects of one kind, spread over a picture of 1024 x 1024."""
    kind, count = GROWTH[case]
    rng = random.Random(SEED)
    place = lambda: lng_lat(rng.random() * SIDE, rng.random() * SIDE)
    point = lambda **properties: {"type": "Feature", "properties": properties, "geometry": {"type": "Point", "coordinates": place()}}
    scene = {"waymark": 1, "size": {"width": SIDE, "height": SIDE}, "camera": {"center": [LON, LAT], "zoom": ZOOM}}
    if kind == "models":
        # Pyramids of six triangles.
        mesh = {"vertices": [[-5, -5, 0], [5, -5, 0], [5, 5, 0], [-5, 5, 0], [0, 0, 12]],
                "triangles": [[0, 2, 1], [0, 3, 2], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]}
        scene["overlays"] = [
            {"type": "localModel", "coordinates": place(), "isAutoscaled": True, "mesh": mesh, "lights": [{"direction": [1, 1, -2]}]}
            for _ in range(count)]
        scene["camera"]["tilt"] = 45
    elif kind == "circles":
        scene["overlays"] = [
            {"type": "circle", "center": place(), "radius": rng.uniform(50, 500), "fillColor": "#3388ff80", "outlineWidth": 1, "outlineColor": "#203040"}
            for _ in range(count)]
    elif kind == "lines":
        scene["overlays"] = [{"type": "geojson", "source": os.path.join(folder, f"{case}.geojson")}]
        near = lambda x, y: lng_lat(x + rng.uniform(-40, 40), y + rng.uniform(-40, 40))
        features = []
        for _ in range(count):
            x, y = rng.random() * SIDE, rng.random() * SIDE
            features.append({"type": "Feature", "properties": {"stroke-width": 2}, "geometry": {
                "type": "LineString", "coordinates": [near(x, y) for _ in range(10)]}})
        write_features(scene["overlays"][0]["source"], features)
    else:
        source = os.path.join(folder, f"{case}.geojson")
        style = {"marker": {"captionText": "{name}"}} if kind == "captions" else {}
        scene["overlays"] = [{"type": "clusterLayer" if kind == "clusters" else "geojson", "source": source, **style}]
        write_features(source, (point(**({"name": text(rng)} if kind == "captions" else {})) for _ in range(count)))
    with open(growth_scene(case, folder), "w") as file:
        json.dump(scene, file)


def write_features(path, features):
    with open(path, "w") as file:
        file.write('{"type": "FeatureCollection", "features": [')
        file.write(",".join(json.dumps(feature, ensure_ascii=False) for feature in features))
        file.write("]}")


def unproject(numpy, x, y):
    world = 512 * 2**ZOOM
    return x / world * 360 - 180, numpy.degrees(2 * numpy.arctan(numpy.exp(numpy.pi * (1 - 2 * y / world))) - numpy.pi / 2)


def corner():
    """The world pixel at the picture's upper left."""
    world, sine = 512 * 2**ZOOM, math.sin(math.radians(LAT))
    return (LON + 180) / 360 * world - SIDE / 2, (0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * world - SIDE / 2


def walk(numpy, count):
    """Longitudes and latitudes of a line that wanders about the picture in steps of half a pixel."""
    turns = numpy.random.default_rng(SEED + 3).normal(0, 0.2, count)
    points, angle, x, y = numpy.empty((count, 2)), 0.3, SIDE / 2, SIDE / 2
    for i in range(count):
        points[i] = x, y
        angle += turns[i]
        x, y = x + 0.5 * math.cos(angle), y + 0.5 * math.sin(angle)
        if not 20 < x < SIDE - 20 or not 20 < y < SIDE - 20:
            angle += math.pi / 2
            x, y = min(max(x, 20), SIDE - 20), min(max(y, 20), SIDE - 20)
    return unproject(numpy, *(points + corner()).T)


def streets(numpy, count):
    """Longitudes and latitudes of lines of 20 points that bend gently, each about 110 pixels long."""
    rng = numpy.random.default_rng(SEED + 7)
    angles = rng.uniform(0, math.tau, (count, 1)) + rng.normal(0, 0.08, (count, 19)).cumsum(1)
    steps = 6 * numpy.stack([numpy.cos(angles), numpy.sin(angles)], 2)
    pixels = rng.random((count, 1, 2)) * SIDE + numpy.concatenate([numpy.zeros((count, 1, 2)), steps.cumsum(1)], 1)
    return unproject(numpy, *(pixels.reshape(-1, 2) + corner()).T)


def discs(numpy, count):
    """Longitudes, latitudes and radii in meters, which correspond to 4 to 40 pixels."""
    rng = numpy.random.default_rng(SEED + 4)
    lng, lat = unproject(numpy, *(rng.random((count, 2)) * SIDE + corner()).T)
    return lng, lat, rng.uniform(4, 40, count) * 2 * math.pi * 6378137 * numpy.cos(numpy.radians(lat)) / (512 * 2**ZOOM)


def sphere(numpy, triangles):
    """Positions, normals, texture coordinates and triangles of a bumpy sphere of radius 1 about the origin."""
    side = round(math.sqrt(triangles / 2))
    u, v = numpy.meshgrid(numpy.linspace(0, 1, side + 1), numpy.linspace(0, 1, side + 1))

    def at(u, v):
        theta, phi = u * 2 * numpy.pi, v * numpy.pi
        radius = 1 + 0.06 * numpy.sin(14 * theta) * numpy.sin(phi) * numpy.sin(11 * phi)
        return numpy.stack(
            [radius * numpy.sin(phi) * numpy.cos(theta), radius * numpy.cos(phi), radius * numpy.sin(phi) * numpy.sin(theta)], -1)

    position, step = at(u, v), 1e-4
    normal = numpy.cross(at(u + step, v) - at(u - step, v), at(u, v + step) - at(u, v - step))
    normal *= numpy.where((normal * position).sum(-1, keepdims=True) < 0, -1, 1)
    length = numpy.linalg.norm(normal, axis=-1, keepdims=True)
    normal = numpy.where(length > 1e-9, normal / numpy.maximum(length, 1e-9), position)
    first = numpy.arange(side)[None, :] + (side + 1) * numpy.arange(side)[:, None]
    quads = numpy.stack([first, first + 1, first + side + 1, first + 1, first + side + 2, first + side + 1], -1)
    return position.reshape(-1, 3), normal.reshape(-1, 3), numpy.stack([u, v], -1).reshape(-1, 2), quads.reshape(-1, 3)


def checks(numpy, side=512):
    """A texture of squares with some noise, RGBA."""
    y, x = numpy.mgrid[0:side, 0:side]
    grey = ((x // 32 + y // 32) % 2 * 90 + 120)[..., None] * numpy.array([1.0, 0.9, 0.6])
    grey = numpy.clip(grey + numpy.random.default_rng(SEED + 5).integers(-20, 20, (side, side, 1)), 0, 255)
    return numpy.concatenate([grey, numpy.full((side, side, 1), 255)], -1).astype(numpy.uint8)


def icon_rgba(number, size=24):
    """A disc with a white rim and a soft edge, straight RGBA; the mark inside differs by number."""
    out, radius, center = bytearray(), size / 2 - 1, (size - 1) / 2
    for y in range(size):
        for x in range(size):
            dx, dy = x - center, y - center
            distance = math.hypot(dx, dy)
            alpha = max(0.0, min(1.0, radius - distance + 0.5))
            rim = max(0.0, min(1.0, distance - (radius - 2.5)))
            mark = abs(math.sin(math.atan2(dy, dx) * (number % 4 + 1))) < 0.35 and distance < radius * 0.55
            rgb = [255 if mark else c * (1 - rim) + 255 * rim for c in ICON_RGB[number % 8]]
            out += bytes([*(int(v) for v in rgb), int(alpha * 255)])
    return bytes(out)


def png(rgba, size):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    lines = b"".join(b"\0" + rgba[row * size * 4:(row + 1) * size * 4] for row in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def tile_folder(data):
    return os.path.join(data, "tiles")


def write_tiles(numpy, folder):
    """Tiles of zooms 7 to 12 around the center and east and north of it, for the cold cases: 16 pictures of land, water, roads and noise,
    each used many times. Reading and decoding cost as much as if all were different."""
    rng = numpy.random.default_rng(SEED + 8)
    y, x = numpy.mgrid[0:256, 0:256]
    pictures = []
    for number in range(16):
        waves = sum(
            numpy.sin((x * rng.integers(1, 5) + y * rng.integers(1, 5)) * math.tau / 256 + rng.uniform(0, 6)) for _ in range(4))
        land = numpy.where((waves > 0.3)[..., None], numpy.array([170, 211, 223]), numpy.array([242, 239, 233]))
        land = numpy.where((waves < -1.2)[..., None], numpy.array([173, 209, 158]), land)
        for _ in range(6):
            a, b = rng.integers(-2, 3), rng.integers(1, 4)
            road = numpy.abs((a * x + b * y + rng.integers(0, 256)) % 128 - 64) < 3
            land = numpy.where(road[..., None], numpy.array([247, 250, 191]), land)
        shade = rng.integers(-3, 4, (256, 256, 1))
        rgba = numpy.concatenate([numpy.clip(land + shade, 0, 255), numpy.full((256, 256, 1), 255)], 2).astype(numpy.uint8)
        path = os.path.join(folder, f"picture{number}.png")
        with open(path, "wb") as file:
            file.write(png(rgba.tobytes(), 256))
        pictures.append(path)
    for zoom in range(7, 13):
        px, py, world = world_point(SIDE / 2, SIDE / 2)
        column, row = int(px / world * 2**zoom), int(py / world * 2**zoom)
        # 16 steps of 1,100 pixels to the east and 13 to the north, plus the surroundings visible in a tilted view.
        steps = 1100 / 256 / 2**(12 - zoom)
        for tile_x in range(column - 10, column + 11 + int(16 * steps)):
            os.makedirs(os.path.join(folder, str(zoom), str(tile_x)))
            for tile_y in range(row - 10 - int(13 * steps), row + 11):
                if 0 <= tile_y < 2**zoom:
                    os.link(pictures[(tile_x * 7 + tile_y * 3 + zoom) % 16], os.path.join(folder, str(zoom), str(tile_x), f"{tile_y}.png"))


def shape_file(case, data):
    return os.path.join(ROOT, "Examples", "countries.geojson") if case == "areas" else os.path.join(data, f"{case}.bin")


def lines_file(data):
    return os.path.join(data, "lines-10k.geojson")


def mesh_file(case, data):
    return os.path.join(data, f"sphere-{MESHES[case]}.bin")


def is_culled(case):
    """Whether the back faces of a mesh are culled."""
    return "-culled" in case


def mesh_terms(case):
    """Whether a mesh's texture is filtered by mipmaps and along the view, and the samples per pixel."""
    return case.endswith(("-mipmaps", "-samples4")), 4 if case.endswith("-samples4") else 1


def size_of(case):
    return SIZES[case.split("-")[1]]


def write_jobs(name, jobs):
    """All jobs, and in a separate file five for each worker: the first cards, while caches fill and code is compiled."""
    for path, some in ((f"{name}.jsonl", jobs), (f"{name}-first.jsonl", jobs[:5 * len(os.sched_getaffinity(0))])):
        with open(path, "w") as file:
            file.writelines(json.dumps(job, ensure_ascii=False) + "\n" for job in some)


def write_data(numpy, folder, cases):
    with open(os.path.join(folder, "icons.rgba"), "wb") as file:
        file.write(b"".join(icon_rgba(number) for number in range(8)))
    with open(os.path.join(folder, "icon32.png"), "wb") as file:
        file.write(png(icon_rgba(0, 32), 32))
    with open(os.path.join(folder, "w1.json"), "w") as file:
        json.dump(card(), file)
    with open(os.path.join(folder, "captions.tsv"), "w") as file:
        file.writelines(f"{lng!r}\t{lat!r}\t{text}\n" for lng, lat, text in captions())
    if {"w3", "w3-land", "w9-cards", "pool"} & set(cases):
        for number in range(8):
            with open(os.path.join(folder, f"icon24_{number}.png"), "wb") as file:
                file.write(png(icon_rgba(number), 24))
    if "w3-land" in cases:
        base, jobs = land_batch()
        with open(os.path.join(folder, "w3-land.json"), "w") as file:
            json.dump(base, file)
        write_jobs(os.path.join(folder, "w3-land"), jobs)
    city_cases = [case for case in cases if case in VECTOR_MAPS or case == "w9-cards"]
    if city_cases:
        write_city_maps(folder, city_cases)
    if {"w3", "pool"} & set(cases):
        base, jobs = batch()
        with open(os.path.join(folder, "w3.json"), "w") as file:
            json.dump(base, file)
        write_jobs(os.path.join(folder, "w3"), jobs)
        with open(os.path.join(folder, "pool.jsonl"), "w") as file:
            file.writelines(json.dumps({key: value for key, value in job.items() if key != "id"}, ensure_ascii=False) + "\n" for job in jobs)
        # As many times as the pool's benchmark draws them.
        with open(os.path.join(folder, "w3-thrice.jsonl"), "w") as file:
            file.writelines(
                json.dumps(dict(job, id=f"{turn}-{job['id']}"), ensure_ascii=False) + "\n" for turn in range(3) for job in jobs)
    if BASE_MAPS.keys() & set(cases):
        os.makedirs(tile_folder(folder))
        write_tiles(numpy, tile_folder(folder))
    for case in {MESHES[case]: case for case in MESHES if case in cases}.values():
        position, normal, texture, triangles = sphere(numpy, MESHES[case])
        with open(mesh_file(case, folder), "wb") as file:
            file.write(struct.pack("<2q", len(position), len(triangles)))
            file.write(b"".join(column.astype("<f4").tobytes() for column in (position, normal, texture)))
            file.write(triangles.astype("<u4").tobytes())
        with open(os.path.join(folder, "checks.rgba"), "wb") as file:
            file.write(checks(numpy).tobytes())
    for case in CLUSTERS.keys() & set(cases):
        points = cluster_points(numpy, CLUSTERS[case])
        with open(cluster_file(case, folder), "wb") as file:
            file.write(points.astype("<f8").tobytes())
        if case.endswith("-file"):
            # The text that the peers' own script writes.
            with open(cluster_geojson(case, folder), "w") as file:
                file.write('{"type":"FeatureCollection","features":[')
                file.write(",".join(
                    '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[%.6f,%.6f]}}' % (x, y)
                    for x, y in points.tolist()))
                file.write("]}")
            with open(os.path.join(folder, f"{case}.json"), "w") as file:
                json.dump({
                    "waymark": 1, "size": {"width": SIDE, "height": SIDE}, "camera": {"center": [LON, LAT], "zoom": 0},
                    "overlays": [{"type": "clusterLayer", "source": cluster_geojson(case, folder)}]}, file)
    for case in GROWTH.keys() & set(cases):
        write_growth(case, folder)
    if "lines-10k" in cases:
        with open(lines_file(folder), "w") as file:
            json.dump(spaghetti(), file)
    for case, columns in (
            ("line-100k", lambda: walk(numpy, 100_000)), ("line-names", lambda: streets(numpy, 1000)), ("circles-1k", lambda: discs(numpy, 1000))):
        if case in cases:
            with open(shape_file(case, folder), "wb") as file:
                file.write(b"".join(column.astype("<f8").tobytes() for column in columns()))
    for count in {size_of(case) for case in cases if case[:2] in ("w2", "w7") or case in PICKS}:
        lng, lat, icon = markers(numpy, count)
        with open(os.path.join(folder, f"{count}.bin"), "wb") as file:
            file.write(lng.astype("<f8").tobytes() + lat.astype("<f8").tobytes() + icon.tobytes())
