"""The programs measured besides the peers: Waymark's own benchmark and program, and the limit of this machine's rasterizer."""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from workloads import (
    BASE_MAPS, CLUSTERS, FONT, GROWTH, LAT, LON, MESHES, PICKS, ROOT, SHAPES, SIDE, VECTOR_MAPS, ZOOM, city_archive, city_layer, city_scene,
    cluster_file, growth_scene, is_culled, land_folder, lines_file, mesh_file, mesh_terms, shape_file, size_of, tile_folder)

# The cases that run the program.
PROGRAM_CASES = {"cities", "w1-cold", "w3", "w3-land", "w6-1m-file", "w9-cards", "pool", "lines-10k", *GROWTH, *(case for case in VECTOR_MAPS if case.endswith("-cold"))}
LIMIT_ROWS = {"w2": ("quads", "expanded nearest"), "w5": ("mesh", "lit textured mesh")}


def say(words):
    print(words, file=sys.stderr, flush=True)


def output_of(command, **options):
    """The output of a command; the last line of its error output becomes an error."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1])
    return done.stdout


# A program's peak counts from the fork on, when it still has the memory of the process that forked; so a small one starts it.
COST_OF = """
import json, os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(json.dumps([(time.perf_counter() - start) * 1e3, usage.ru_maxrss / 1024]))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def cost_of(command, **options):
    """Milliseconds from the start of a program to its end, and the peak memory in MiB of the largest of its processes."""
    return json.loads(output_of([sys.executable, "-c", COST_OF, *command], **options))


def cold_cost_of(command, **options):
    """The medians of nine runs, after one that warms the disk and shader caches."""
    walls, peaks = zip(*[cost_of(command, **options) for _ in range(10)][1:])
    return {"ms": statistics.median(walls), "peak_rss_mib": statistics.median(peaks)}


class Waymark:
    """The release build of the benchmark and of the program, of one checkout."""

    def __init__(self, data, cases, cities, root=ROOT):
        self.data, self.cities, self.root = data, cities, root
        self.bench = self.build("Benchmarks", "waymark-bench")
        self.program = self.release() if PROGRAM_CASES & set(cases) else None
        self.c_card = self.compile_card() if "card-c" in cases else None
        if "w3-land" in cases and not os.path.exists(land_folder(data)):
            scene = os.path.join(ROOT, "Examples", "tiles", "plain.json")
            output_of([self.program, "tiles", scene, "-o", land_folder(data), "--zooms", "0-5"])

    def build(self, package, product, *options):
        if not shutil.which("swift"):
            sys.exit("error: swift is not installed; install Swift 6.1 or later from swift.org")
        command = ["swift", "build", "-c", "release", "--package-path", os.path.join(self.root, package), *options]
        if subprocess.run([*command, "--product", product], stdout=sys.stderr).returncode != 0:
            sys.exit(f"error: {product} of {self.root} does not build; tools/setup installs the packages that it needs")
        return os.path.join(output_of([*command, "--show-bin-path"]).strip(), product)

    def compile_card(self):
        """The card of W1 through the C interface."""
        library = os.path.dirname(self.build(".", "WaymarkC"))
        program = os.path.join(self.data, "card-c")
        header = os.path.join(self.root, "Sources", "C", "Interface", "include")
        output_of(["cc", "-O2", "-Wall", "-Wextra", "-I", header, os.path.join(ROOT, "Benchmarks", "c", "card.c"), "-L", library, "-lWaymarkC",
                   f"-Wl,-rpath,{library}", "-o", program])
        return program

    def release(self):
        """The release program; for older checkouts without tools/release, the program with Swift's runtime linked in."""
        tool = os.path.join(self.root, "tools", "release")
        if not os.path.exists(tool):
            return self.build(".", "waymark", "--static-swift-stdlib")
        if subprocess.run([tool], stdout=sys.stderr).returncode != 0:
            sys.exit(f"error: the release program of {self.root} does not build")
        return os.path.join(self.root, "out", "release", "waymark")

    def run(self, case, budget):
        if case == "cities":
            return self.run_cities()
        if case == "w1-cold":
            return self.run_cold()
        if case == "w1":
            figures = json.loads(output_of([self.bench, "card", os.path.join(self.data, "w1.json")]))
            return dict(figures, ms=figures["moved_png_ms"]["median"])
        if case == "card-window":
            figures = json.loads(output_of([self.bench, "window", os.path.join(self.data, "w1.json")]))
            return dict(figures, ms=figures["window_ms"]["median"])
        if case == "card-c":
            return self.run_c_card()
        if case == "lines-10k":
            # On one core, like the peer.
            command = ["taskset", "-c", "0", self.program, "render", lines_file(self.data), "-o", os.path.join(self.data, "lines-10k.png")]
            milliseconds, peak = cost_of([*command, "--size", f"{SIDE}x{SIDE}", "--center", f"{LAT},{LON}", "--zoom", str(ZOOM)])
            return {"ms": milliseconds, "peak_rss_mib": peak}
        if case in GROWTH:
            milliseconds, peak = cost_of([self.program, "render", growth_scene(case, self.data), "-o", os.path.join(self.data, f"{case}.png")])
            return {"ms": milliseconds, "peak_rss_mib": peak, "us_per_object": milliseconds * 1e3 / GROWTH[case][1]}
        if case in PICKS:
            points = os.path.join(self.data, f"{size_of(case)}.bin")
            figures = json.loads(output_of([self.bench, "pick", os.path.join(self.data, "icons.rgba"), points]))
            return dict(figures, ms=figures["pick_ms"]["median"])
        if case in ("w3", "w3-land", "w9-cards"):
            return self.run_batch(case)
        if case == "pool":
            return self.run_pool()
        if case in CLUSTERS and case.endswith("-file"):
            return self.run_cluster_file(os.path.join(self.data, f"{case}.json"))
        if case in CLUSTERS:
            figures = json.loads(output_of([self.bench, "clusters", cluster_file(case, self.data)]))
            return dict(figures, ms=figures["build_ms"]["median"])
        if case in MESHES:
            texture = os.path.join(self.data, "checks.rgba")
            has_mipmaps, samples = mesh_terms(case)
            command = [self.bench, "mesh", mesh_file(case, self.data), texture, "--budget", str(budget), "--samples", str(samples)]
            command += ["--culled", "1" if is_culled(case) else "0", "--mipmaps", "1" if has_mipmaps else "0"]
            figures = json.loads(output_of(command))
            return dict(figures, ms=figures["turned_ms"]["median"])
        if case.startswith("w4"):
            order = "source" if case == "w4-source" else "screen"
            labels = os.path.join(self.data, "captions.tsv")
            figures = json.loads(output_of(
                [self.bench, "captions", labels, "--order", order, "--font", FONT, "--budget", str(budget)]))
            return dict(figures, ms=figures["moved"]["frame_ms"]["median"])
        if case in BASE_MAPS:
            zoom, tilt, bearing, is_cold = BASE_MAPS[case]
            command = [self.bench, "basemap", tile_folder(self.data), "--zoom", str(zoom), "--tilt", str(tilt), "--bearing", str(bearing),
                       "--cold", "1" if is_cold else "0", "--budget", str(budget)]
            figures = json.loads(output_of(command))
            return dict(figures, ms=figures["frame_ms"]["median"])
        if case in VECTOR_MAPS and case.endswith("-cold"):
            return cold_cost_of([self.program, "render", city_scene(case, self.data), "-o", os.path.join(self.data, f"{case}.png")])
        if case in VECTOR_MAPS:
            zoom, tilt = VECTOR_MAPS[case]
            command = [self.bench, "basemap", city_archive(self.data), "--zoom", str(zoom), "--tilt", str(tilt), "--budget", str(budget)]
            layer = city_layer(case)
            command += ["--labels", "1" if layer["labels"] else "0", "--buildings", layer["buildings"]]
            figures = json.loads(output_of(command))
            return dict(figures, ms=figures["frame_ms"]["median"])
        if case in SHAPES:
            command = [self.bench, "shapes", SHAPES[case], shape_file(case, self.data), "--budget", str(budget)]
            figures = json.loads(output_of(command))
            return dict(figures, ms=figures["frame_ms"]["median"])
        view = ["--tilt", "60", "--bearing", "30"] if case.startswith("w7") else []
        points = os.path.join(self.data, f"{size_of(case)}.bin")
        command = [self.bench, "markers", os.path.join(self.data, "icons.rgba"), points, "--budget", str(budget), *view]
        figures = json.loads(output_of(command))
        return dict(figures, ms=figures["moved"]["frame_ms"]["median"])

    def run_cold(self):
        """The median of nine runs, after one that warms the disk and shader caches."""
        picture = os.path.join(self.data, "w1.png")
        walls = []
        for _ in range(10):
            start = time.perf_counter()
            output_of([self.program, "render", os.path.join(self.data, "w1.json"), "-o", picture])
            walls.append((time.perf_counter() - start) * 1e3)
        return {"ms": statistics.median(walls[1:])}

    def run_batch(self, case):
        """The time from the start of the program to the end of all its workers, and the speed of the warm workers."""
        figures, wall, sizes = self.batch(case, f"{case}.jsonl")
        first, _, early = self.batch(case, f"{case}-first.jsonl")
        # The peers' definition: without the start and the first five cards of each process. The rate of workers that always have a job.
        busy = [sum(stage["sum"] for stage in each["stages"].values()) / 1e3 for each in (figures, first)]
        warm = (len(sizes) - len(early)) * figures["workers"] / (busy[0] - busy[1])
        return dict(figures, ms=wall * 1e3, img_per_s=len(sizes) / wall, warm_img_per_s=warm, mean_png_bytes=statistics.mean(sizes))

    def run_c_card(self):
        """The card through the C interface, compared with the bare renderer that ran just before and after."""
        scene = os.path.join(self.data, "w1.json")
        bare = [json.loads(output_of([self.bench, "card", scene]))]
        ours = [json.loads(output_of([self.c_card, scene])) for _ in range(2)]
        bare.append(json.loads(output_of([self.bench, "card", scene])))
        figures = {}
        for name in ("pixels_ms", "png_ms"):
            figures[name] = statistics.mean(each[name] for each in ours)
            figures[f"bare_{name}"] = statistics.mean(each[name]["median"] for each in bare)
            figures[f"{name[:-3]}_speed"] = figures[f"bare_{name}"] / figures[name]
        return dict(figures, ms=figures["pixels_ms"])

    def run_pool(self):
        """A pool, compared with the bare renderer, and with a batch of the same cards that ran just before and after."""
        command = [self.bench, "pool", *(os.path.join(self.data, name) for name in ("w1.json", "w3.json", "pool.jsonl"))]
        rates = [self.steady_batch()]
        # The pool's processes are the program that draws the batch.
        figures = json.loads(output_of(command, env=dict(os.environ, WAYMARK_HELPER=self.program)))
        rates.append(self.steady_batch())
        batch = statistics.mean(rates)
        figures.update(
            batch_img_per_s=batch, processes_to_batch=figures["processes_img_per_s"] / batch,
            threads_to_batch=figures["threads_img_per_s"] / batch)
        bare = figures["bare_ms"]["median"]
        figures.update({f"{name}_to_bare": figures[f"{name}_ms"]["median"] / bare for name in ("frames", "threads", "processes")})
        return dict(figures, ms=1e3 / figures["processes_img_per_s"])

    def steady_batch(self):
        """The pictures per second of a batch, without its start and the first five cards of each process."""
        _, wall, sizes = self.batch("w3", "w3-thrice.jsonl")
        _, start, first = self.batch("w3", "w3-first.jsonl")
        return (len(sizes) - len(first)) / (wall - start)

    def batch(self, scene, jobs):
        """The summary of a batch, its duration, and the sizes of its pictures."""
        with tempfile.TemporaryDirectory(prefix="waymark-bench-w3-") as folder:
            start = time.perf_counter()
            summary = output_of(
                [self.program, "batch", os.path.join(self.data, jobs), "--scene", os.path.join(self.data, f"{scene}.json"), "-o", folder])
            wall = time.perf_counter() - start
            sizes = [entry.stat().st_size for entry in os.scandir(folder) if entry.name.endswith(".png")]
        with open(os.path.join(self.data, jobs)) as lines:
            wanted = sum(1 for _ in lines)
        if len(sizes) != wanted:
            raise RuntimeError(f"{len(sizes)} pictures of {wanted}")
        return json.loads(summary), wall, sizes

    def run_cluster_file(self, scene):
        """From the file to a picture inside a process, as in the peer; also a complete `inspect`, and a complete batch of one picture."""
        figures = json.loads(output_of([self.bench, "file", scene, "-o", os.path.join(self.data, "w6.png")]))
        jobs = os.path.join(self.data, "w6.jsonl")
        with open(jobs, "w") as file:
            file.write('{"id": "w6"}\n')
        for name, command in (
                ("inspect", ["inspect", scene]), ("batch", ["batch", jobs, "--scene", scene, "-o", os.path.join(self.data, "w6-pictures")])):
            figures[f"{name}_ms"], figures[f"{name}_peak_rss_mib"] = cost_of([self.program, *command])
        return dict(figures, ms=figures["total_ms"])

    def run_cities(self):
        picture = os.path.join(self.data, "cities.png")
        start = time.perf_counter()
        output_of([self.program, "render", self.cities, "-o", picture, "--size", f"{SIDE}x{SIDE}"])
        wall = (time.perf_counter() - start) * 1e3
        stages = json.loads(output_of([self.bench, "file", self.cities, "-o", picture, "--size", f"{SIDE}x{SIDE}"]))
        return dict(stages, ms=wall)


class Limit:
    """The peers' program that draws as many quads as fast as this machine's rasterizer can."""

    def __init__(self, peers, data):
        self.program = os.path.join(data, "limit")
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        source = os.path.join(peers, "limit", "limit.c")
        if not compiler or not os.path.exists(source):
            raise RuntimeError(f"needs a C compiler (apt-get install gcc libegl-dev libgles-dev) and {source}")
        output_of([compiler, "-O3", "-march=native", "-o", self.program, source, "-lEGL", "-lGLESv2", "-lm"])

    def run(self, case):
        """Median milliseconds and mean byte of the row of one size. It measures all sizes up to that one, and is stopped after it."""
        command, name = LIMIT_ROWS[case[:2]]
        name += ", culled" if is_culled(case) else ""
        count = MESHES.get(case) or size_of(case)
        with subprocess.Popen([self.program, command, str(count)], stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                words = line[len(name):].split() if line.startswith(name) else []
                # Meshes have nearly the requested number of triangles.
                if words and words[0].isdecimal() and abs(int(words[0]) - count) < count / 100:
                    process.kill()
                    return {"ms": float(words[words.index("median") + 1]), "mean_byte": float(words[-1])}
        raise RuntimeError(f"the limit's program printed no row {name} {count}")
