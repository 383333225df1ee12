"""The peers' scripts, run in a separate folder with the Python that has their modules."""
import json
import os
import shutil
import statistics
import time

from programs import cold_cost_of, cost_of, output_of
from workloads import (
    BASE_MAPS, CLUSTERS, GROWTH, LAT, LON, MESHES, SHAPES, VECTOR_MAPS, ZOOM, city_glyphs, city_style, cluster_file, cluster_geojson, is_culled,
    land_folder, lines_file, mesh_terms, shape_file, size_of, tile_folder)

PEERS = {"pysupercluster": "pysupercluster", "pymgl": "pymgl", "mapnik": "mapnik", "skia": "skia", "vtk": "vtk"}  # a peer's name, and its Python module


class Peer:
    """One of the peers' scripts."""

    def __init__(self, name, folder, python, data):
        self.name, self.python, self.data = name, python, data
        # Results and byte code stay out of the peers' folder; byte code is kept, since it affects a cold start.
        self.folder = os.path.join(data, "scripts")
        shutil.copytree(folder, self.folder, ignore=lambda _, names: [n for n in names if not n.endswith(".py")], dirs_exist_ok=True)
        self.environment = dict(
            os.environ, PEERS_DATA=os.path.join(data, "peers"), PEERS_RESULTS=os.path.join(data, "results"),
            PEERS_SAMPLES=os.path.join(data, "samples"))
        if name == "pysupercluster":
            # It builds only with old tools, so it has a separate interpreter, without the modules for the others' data.
            self.python = os.environ.get("PYSUPERCLUSTER_PYTHON", python)
            self.python_lines("import pysupercluster, numpy")
        else:
            self.python_lines(f"import {PEERS[name]}, workload; workload.prepare()")

    def python_lines(self, lines):
        return output_of([self.python, "-c", lines], cwd=self.folder, env=self.environment)

    def can(self, case):
        if self.name == "pysupercluster" or case in CLUSTERS:
            # Ten million points take a peer most of a minute per turn.
            return self.name == ("pymgl" if case.endswith("-file") else "pysupercluster") and case in CLUSTERS and case != "w6-10m"
        if self.name == "vtk" or case in MESHES:
            return self.name == "vtk" and case in MESHES
        if case in BASE_MAPS:
            # mapnik does not support tilt and tiles.
            return self.name == "pymgl" or self.name == "mapnik" and not BASE_MAPS[case][1] and not BASE_MAPS[case][3]
        if case == "w3":
            return True
        if case in VECTOR_MAPS or case in ("w3-land", "w9-cards"):
            return self.name == "pymgl"
        if case == "line-names" or case in GROWTH:
            return False
        if case == "lines-10k":
            return self.name == "mapnik"
        if case in SHAPES or case[:2] in ("w1", "w4"):
            return self.name != "skia"
        return case.startswith("w2") or case.startswith("w7") and self.name == "pymgl"

    def prepare(self, case):
        if case == "w9-labels":
            # All letters of Finnish, Swedish and English names.
            letters = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180), 0x2013, 0x2019)))
            self.python_lines(f"import workload; workload.write_glyphs({city_glyphs(self.data)!r}, [{letters!r}])")
        if case in SHAPES or case in BASE_MAPS or case in VECTOR_MAPS or case == "lines-10k":
            return
        if case in CLUSTERS and self.name == "pymgl":
            # The file that its script looks for.
            os.symlink(cluster_geojson(case, self.data), os.path.join(self.environment["PEERS_DATA"], f"w6_{CLUSTERS[case]}.geojson"))
            return
        maker = {"pymgl": "w2_geojson", "mapnik": "w2_csv"}.get(self.name)
        if maker and case[:2] in ("w2", "w7"):
            self.python_lines(f"import bench_{self.name} as b; b.{maker}({size_of(case)})")

    def run_card(self, lines):
        """pymgl draws single cards fastest if its rasterizer starts no threads."""
        lines = f"import json, os, bench_{self.name} as b\n{lines}"
        return output_of([self.python, "-c", lines], cwd=self.folder, env=dict(self.environment, LP_NUM_THREADS="0"))

    def run(self, case, budget):
        if case in CLUSTERS and self.name == "pymgl":
            figures = json.loads(self.python_lines(
                f"import bench_pymgl as b, json; print(json.dumps(b.case_w6({CLUSTERS[case]})), flush=True); b.os._exit(0)"
            ).strip().splitlines()[-1])
            return dict(figures, ms=figures["parse_index_first_frame_ms"])
        if case in CLUSTERS:
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer_clusters.py")
            figures = json.loads(output_of([self.python, script, cluster_file(case, self.data)]).strip().splitlines()[-1])
            return dict(figures, ms=figures["build_ms"])
        if case in VECTOR_MAPS and case.endswith("-cold"):
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer_city.py")
            zoom, tilt = VECTOR_MAPS[case]
            picture = os.path.join(self.data, f"{case}-{self.name}.png")
            command = [self.python, script, city_style(case, self.data), *map(str, (LON, LAT, zoom, tilt)), picture]
            return cold_cost_of(command, cwd=self.folder, env=self.environment)
        if case in BASE_MAPS or case in VECTOR_MAPS:
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer_tiles.py")
            zoom, tilt, bearing, is_cold = BASE_MAPS.get(case) or (*VECTOR_MAPS[case], 0, False)
            tiles = tile_folder(self.data) if case in BASE_MAPS else city_style(case, self.data)
            command = [self.python, script, self.name, tiles, *map(str, (zoom, tilt, bearing, int(is_cold), budget))]
            figures = json.loads(output_of(command, cwd=self.folder, env=self.environment).strip().splitlines()[-1])
            return dict(figures, ms=figures["frame_ms"]["median"])
        if case == "lines-10k":
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer_lines.py")
            command = ["taskset", "-c", "0", self.python, script, lines_file(self.data), os.path.join(self.data, "lines-10k-mapnik.png")]
            milliseconds, peak = cost_of([*command, *map(str, (LON, LAT, ZOOM))], cwd=self.folder, env=self.environment)
            return {"ms": milliseconds, "peak_rss_mib": peak}
        if case in SHAPES:
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer_shapes.py")
            command = [self.python, script, self.name, SHAPES[case], shape_file(case, self.data), str(budget)]
            figures = json.loads(output_of(command, cwd=self.folder, env=self.environment).strip().splitlines()[-1])
            return dict(figures, ms=figures["render_ms"]["median"])
        if case == "w3":
            # Two processes, one per core; pymgl's are fastest if its rasterizer starts no threads.
            threads = '{"LP_NUM_THREADS": "0"}' if self.name == "pymgl" else "None"
            lines = f"import json, bench_{self.name} as b, workload as w; print(json.dumps(w.batch(b.__file__, 2, env={threads})))"
            figures = json.loads(self.python_lines(lines).strip().splitlines()[-1])
            return dict(figures, ms=figures["wall_s"] * 1e3)
        if case in ("w3-land", "w9-cards"):
            # Like W3, from the files of Waymark's own jobs and tiles.
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer_cards.py")
            tiles = land_folder(self.data) if case == "w3-land" else city_style(case, self.data)
            environment = {"LP_NUM_THREADS": "0", "W3_JOBS": os.path.join(self.data, f"{case}.jsonl"), "W3_TILES": tiles}
            # Over vector tiles, one process is fastest: pymgl reads them on threads of a low priority, which get little time if a process on
            # each core waits for them in a loop. Two processes drew a twelfth of the pictures of one.
            count = 2 if case == "w3-land" else 1
            lines = f"import json, workload as w; print(json.dumps(w.batch({script!r}, {count}, env={environment!r})))"
            figures = json.loads(self.python_lines(lines).strip().splitlines()[-1])
            return dict(figures, ms=figures["wall_s"] * 1e3)
        if case in MESHES:
            has_mipmaps, samples = mesh_terms(case)
            command = [self.python, "bench_vtk.py", "--case", "w5", str(MESHES[case]), *(["--culled"] if is_culled(case) else [])]
            command += (["--mipmaps"] if has_mipmaps else []) + (["--samples4"] if samples == 4 else [])
            figures = json.loads(output_of(command, cwd=self.folder, env=self.environment).strip().splitlines()[-1])
            return dict(figures, ms=figures["turned_ms"]["median"])
        command = [self.python, f"bench_{self.name}.py"]
        if case == "w1-cold":
            picture = os.path.join(self.environment["PEERS_DATA"], "cold.png")
            walls = []
            for _ in range(10):
                start = time.perf_counter()
                self.run_card(f"b.cold({picture!r})")
                walls.append((time.perf_counter() - start) * 1e3)
            return {"ms": statistics.median(walls[1:])}
        if case == "w1":
            figures = json.loads(self.run_card("print(json.dumps(b.case_w1()), flush=True); os._exit(0)").strip().splitlines()[-1])
            if self.name == "mapnik":
                figures.update({key: figures[f"{key} png32:z=1"] for key in ("png_ms", "png_bytes")})
            return dict(figures, ms=figures["moved_png_ms"]["median"])
        if case.startswith("w4"):
            command += ["--case", "w4"]
        elif self.name == "skia":
            # It cannot select cases on the command line.
            lines = f"import json, bench_skia as b; print(json.dumps(b.case_w2({size_of(case)})))"
            command = [self.python, "-c", lines]
        else:
            command += ["--case", "w2", str(size_of(case)), *(["1"] if case.startswith("w7") else [])]
        figures = json.loads(output_of(command, cwd=self.folder, env=self.environment).strip().splitlines()[-1])
        if case.startswith("w4"):
            figures.update(placed=figures["labels_placed"])
        return dict(figures, ms=figures.get("moved_ms", figures["render_ms"])["median"])
