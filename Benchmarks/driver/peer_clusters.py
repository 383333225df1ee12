"""pysupercluster on the points of a file: peer_clusters.py POINTS. Prints one line of JSON."""
import json
import math
import statistics
import sys
import time

import numpy
import pysupercluster

LON, LAT, SIDE = 126.9780, 37.5665, 1024


def box(zoom):
    """The west, south, east and north edges of a view."""
    world, sine = 512 * 2.0**zoom, math.sin(math.radians(LAT))
    x, y = (LON + 180) / 360 * world, (0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * world
    half = min(SIDE / 2, world / 2)

    def place(x, y):
        return x / world * 360 - 180, math.degrees(2 * math.atan(math.exp(math.pi * (1 - 2 * y / world))) - math.pi / 2)

    (west, north), (east, south) = place(max(x - half, 0), max(y - half, 0)), place(min(x + half, world), min(y + half, world))
    return west, south, east, north


def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


points = numpy.fromfile(sys.argv[1], "<f8").reshape(-1, 2)
start = time.perf_counter()
index = pysupercluster.SuperCluster(points, min_zoom=0, max_zoom=16, radius=40, extent=512)
build = (time.perf_counter() - start) * 1e3
views, most = [], 0
for zoom in range(17):
    west, south, east, north = box(zoom)
    times = []
    for _ in range(13):
        start = time.perf_counter()
        found = index.getClusters(top_left=(west, north), bottom_right=(east, south), zoom=zoom)
        times.append((time.perf_counter() - start) * 1e3)
    views.append(statistics.median(times[2:]))
    most = max(most, len(found))
print(json.dumps({
    "build_ms": build, "view_0_ms": views[0], "view_slowest_ms": max(views), "view_mean_ms": statistics.mean(views), "most_found": most,
    "peak_rss_mib": peak()}))
