#!/usr/bin/env python3
"""Measures the package against the program, in turn, and prints ratios; above 1, the package is faster.

    python/benchmark.py [card] [table] [plot] [pool] [ray] [actors] [nodes]

card    512² cards one after another: `waymark_maps.render` against a worker whose messages are made ahead
table   a GeoDataFrame of 34,000 points against its GeoJSON file
plot    `plot` of 177 countries and of 34,000 points, drawn before, against the same scenes with files
pool    500 cards into a folder, start included: `Pool` against `waymark batch`
ray     5,000 cards into a folder: `waymark_maps.ray.render_dataset` on a cluster that runs already against `waymark batch`, start included
actors  the same cards by the tasks of `render_dataset` against the same drawers as actors of Ray's ActorPool, one for each processor
nodes   3,000 cards on two nodes, each on a separate processor with its daemons, against one

It needs WAYMARK_PROGRAM, PYTHONPATH=python/src, for tables GeoPandas, and for the last three Ray. Nothing else should run meanwhile.
"""

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import waymark_maps
from waymark_maps.encoding import encode
from waymark_maps.requests import question_message, single_question
from waymark_maps.sources import SceneData

CARD = waymark_maps.Scene(size=(512, 512), background="#f2efe9", camera=waymark_maps.Camera((126.978, 37.5666), zoom=14))
for number in range(20):
    place = (126.978 + (number % 5 - 2) * 0.008, 37.5666 + (number // 5 - 2) * 0.008)
    CARD.add(waymark_maps.Marker(place, id=f"shop{number}", caption_text=f"Shop {number}", icon_image="builtin:red"))
CARD.add(waymark_maps.Circle((126.978, 37.5666), 600, fill_color="#3388ff30", outline_width=1.5, outline_color="#3388ff"))
CARD.add(waymark_maps.Polyline([(126.96, 37.56), (126.98, 37.57), (126.99, 37.56)], width=4, color="tomato"))


def jobs(count):
    numbers = random.Random(1)
    found = []
    for number in range(count):
        place = (numbers.uniform(126.96, 127), numbers.uniform(37.55, 37.58))
        found.append({"id": f"card{number}", "camera": {"center": place, "zoom": 14}, "change": {"shop0": {"position": place, "captionText": f"Café {number}"}}})
    return found


def timed(act):
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def compare(name, ours, theirs, turns, unit):
    """Runs both in turn, and prints the median of the ratios."""
    ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(turns)]
    ratio = statistics.median(b / a for a, b in pairs)
    a, b = min(a for a, _ in pairs), min(b for _, b in pairs)
    fastest = f"fastest {a * 1000 / unit:.3f} against {b * 1000 / unit:.3f} ms a picture: {b / a:.3f} ×"
    print(f"{name}: {ratio:.3f} ×  ({turns} turns; {fastest})", flush=True)


def card():
    """One of each in every round, in random order, since what comes before changes how long one takes. The fast tenths are compared, which other
    programs on the machine disturb least."""
    scene = CARD.to_dict()
    place, remove = folder()
    CARD.save(f"{place}/card.json")
    asked = single_question("png", None, False, None, False)
    sent = question_message(asked, 1, SceneData(scene), b"{}", os.getcwd())
    with waymark_maps.Renderer() as renderer:
        renderer.render(scene)
        worker = renderer._worker

        def bare():
            worker.send(sent)
            while not worker.attend(60):
                pass

        ways = {
            "bare": bare,
            "of a file": lambda: renderer.render(f"{place}/card.json"),
            "of a dict": lambda: renderer.render(scene),
            "of 22 objects": lambda: renderer.render(CARD),
        }
        times = {name: [] for name in ways}
        order = random.Random(1)
        for _ in range(1500):
            for name, act in order.sample(list(ways.items()), len(ways)):
                times[name].append(timed(act))
    remove()
    fast = {name: sorted(found)[len(found) // 10] for name, found in times.items()}
    for name, seconds in list(fast.items())[1:]:
        print(f"a card of 512², {name}: {fast['bare'] / seconds:.3f} ×  ({seconds * 1000:.3f} against {fast['bare'] * 1000:.3f} ms)", flush=True)


def many_points():
    import geopandas

    count = 34_000
    numbers = random.Random(1)
    places = geopandas.points_from_xy([numbers.uniform(-180, 180) for _ in range(count)], [numbers.uniform(-60, 70) for _ in range(count)])
    names = {"name": [f"Place {number}" for number in range(count)], "population": [numbers.randrange(10**6) for _ in range(count)]}
    return geopandas.GeoDataFrame(names, geometry=places, crs=4326)


def table():
    points = many_points()
    place, remove = folder()
    with open(f"{place}/points.geojson", "w") as file:
        file.write(points.to_json())
    with waymark_maps.Renderer() as renderer:
        compare(
            "a GeoDataFrame of 34,000 points against its file",
            lambda: timed(lambda: renderer.render(points)),
            lambda: timed(lambda: renderer.render(f"{place}/points.geojson")),
            9,
            1,
        )
    remove()


def plot():
    import geopandas

    place, remove = folder()
    countries = geopandas.read_file(os.path.join(os.path.dirname(__file__), "../Examples/countries.geojson"))
    for name, data, options in (("177 countries", countries, {}), ("34,000 points", many_points(), {"markersize": 3})):
        path = f"{place}/{len(data)}.geojson"
        with open(path, "w") as file:
            file.write(data.to_json())
        # With its extent, so that both have the same size and camera.
        options |= {"scheme": "quantiles", "cmap": "YlGnBu", "size": (800, 500), "bounds": (-180, -58, 180, 80)}
        compare(
            f"plot of {name} against a file",
            lambda: timed(lambda: waymark_maps.plot(data, "population", **options)),
            lambda: timed(lambda: waymark_maps.plot(path, "population", **options)),
            9,
            1,
        )
    remove()


def folder():
    path = tempfile.mkdtemp(prefix="waymark-")
    return path, lambda: shutil.rmtree(path)


def batch(path):
    def run():
        place, remove = folder()
        command = [waymark_maps.program(), "batch", path, "-o", place, "--scene", f"{os.path.dirname(path)}/base.json"]
        seconds = timed(lambda: subprocess.run(command, check=True, capture_output=True))
        remove()
        return seconds

    return run


def job_file(count):
    place, _ = folder()
    with open(f"{place}/jobs.jsonl", "wb") as file:
        file.writelines(encode(job) + b"\n" for job in jobs(count))
    CARD.save(f"{place}/base.json")
    return f"{place}/jobs.jsonl"


def pool():
    count = 500
    made = jobs(count)

    def ours():
        place, remove = folder()

        def draw():
            with waymark_maps.Pool(base=CARD) as workers:
                for picture in workers.map(made):
                    picture.save(f"{place}/{picture.output}")

        seconds = timed(draw)
        remove()
        return seconds

    compare("a pool, 500 cards", ours, batch(job_file(count)), 7, count)


def on_ray():
    import ray

    import waymark_maps.ray

    ray.init(address="local", num_cpus=os.cpu_count(), include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    count = 5000
    made = jobs(count)

    def ours():
        place, remove = folder()
        seconds = timed(lambda: waymark_maps.ray.render_dataset(made, CARD, place))
        remove()
        return seconds

    compare("Ray, 5,000 cards", ours, batch(job_file(count)), 3, count)
    ray.shutdown()


def actors():
    import ray
    import ray.util

    import waymark_maps.ray

    ray.init(address="local", num_cpus=os.cpu_count(), include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    count = 5000
    made = jobs(count)

    def of_tasks():
        place, remove = folder()
        seconds = timed(lambda: waymark_maps.ray.render_dataset(made, CARD, place))
        remove()
        return seconds

    def of_actors():
        place, remove = folder()
        settings = {"scene": CARD, "folder": os.getcwd(), "options": {"format": "png", "device": None}, "output": place}
        settings |= {"storage_options": {}, "patience": 300, "job": None, "existing": waymark_maps.ray._Names(())}

        def draw():
            drawer = ray.remote(num_cpus=1)(waymark_maps.ray._Drawer)
            crew = [drawer.remote(settings, []) for _ in range(os.cpu_count())]
            batches = waymark_maps.ray._batches(made, waymark_maps.ray.LARGEST_BATCH)
            reports = ray.util.ActorPool(crew).map_unordered(lambda actor, batch: actor.draw.remote(batch), batches)
            assert sum(report["done"] for report in reports) == count
            ray.get([actor.close.remote() for actor in crew])
            for actor in crew:
                ray.kill(actor)

        seconds = timed(draw)
        remove()
        return seconds

    compare("tasks against actors of Ray, 5,000 cards", of_tasks, of_actors, 3, count)
    ray.shutdown()


def nodes():
    import ray
    from ray.cluster_utils import Cluster

    import waymark_maps.ray

    count = 3000
    made = jobs(count)
    all_processors = sorted(os.sched_getaffinity(0))

    def run(number):
        # A node's daemons and processes take over the processors of the process that starts them.
        os.sched_setaffinity(0, all_processors[:1])
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        if number == 2:
            os.sched_setaffinity(0, all_processors[1:2])
            cluster.add_node(num_cpus=1)
        os.sched_setaffinity(0, all_processors if number == 2 else all_processors[:1])
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        cluster.wait_for_nodes()
        try:
            place, remove = folder()
            waymark_maps.ray.render_dataset(made[:200], CARD, place)
            begun = time.perf_counter()
            summary = waymark_maps.ray.render_dataset(made, CARD, place, resume=False)
            seconds = time.perf_counter() - begun
            assert len(summary["nodes"]) == number and summary["done"] == count, json.dumps(summary)
            remove()
        finally:
            ray.shutdown()
            cluster.shutdown()
            os.sched_setaffinity(0, all_processors)
        return seconds

    compare("two nodes against one, 3,000 cards", lambda: run(2), lambda: run(1), 3, count)


if __name__ == "__main__":
    known = {"card": card, "table": table, "plot": plot, "pool": pool, "ray": on_ray, "actors": actors, "nodes": nodes}
    for name in sys.argv[1:] or known:
        known[name]()
