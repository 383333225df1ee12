#!/usr/bin/env python3
"""Measures the server: requests per second of many clients, against `waymark batch` on the same cards in turn.

    Server/checks/load.py [--clients 8] [--cards 600] [--turns 3] [--seconds 5] [--server PROGRAM] [--program PROGRAM]

The cards are those of W3 of `tools/bench`: a line and 20 icons with captions. Each is a separate scene for the server, and a job on a
common base for the batch, whose start is not counted. wrk provides the clients, which use little of the processors that the server draws
with. The ratio is the median over the turns.
"""

import argparse
import http.client
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from running import ROOT, SERVER, running

# Sends the bodies of a file in turn, and prints the result as JSON.
WRK_SCRIPT = """
local bodies, sent = {}, 0
for body in io.lines(os.getenv("WAYMARK_BODIES")) do bodies[#bodies + 1] = body end
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
function request()
    sent = sent % #bodies + 1
    return wrk.format(nil, "/render", nil, bodies[sent])
end
function done(summary, latency)
    local errors = summary.errors
    io.stderr:write(string.format('{"requests": %d, "microseconds": %d, "failures": %d, "median": %d, "p99": %d}', summary.requests,
        summary.duration, errors.connect + errors.read + errors.write + errors.status + errors.timeout, latency:percentile(50),
        latency:percentile(99)))
end
"""


def scenes(cards: int, folder: pathlib.Path) -> tuple[dict, list[dict], list[bytes]]:
    """The base and the jobs of W3, with their images in the folder, and each card as a separate scene."""
    sys.path.insert(0, str(ROOT / "Benchmarks/driver"))
    import workloads

    for number in range(8):
        (folder / f"icon24_{number}.png").write_bytes(workloads.png(workloads.icon_rgba(number), 24))
    base, jobs = workloads.batch(cards)
    images = {name: f"icons/{path}" for name, path in base["images"].items()}
    bodies = [{**base, "images": images, "camera": job["camera"], "overlays": job["add"]} for job in jobs]
    return base, jobs, [json.dumps(body, ensure_ascii=False).encode() for body in bodies]


def ask(port: int, body: bytes) -> float:
    """The duration in seconds of one request on a separate connection."""
    begun = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/render", body=body, headers={"Content-Type": "application/json"})
    response = connection.getresponse()
    picture = response.read()
    connection.close()
    if response.status != 200:
        sys.exit(f"load: {response.status} {picture[:200]!r}")
    return time.perf_counter() - begun


def serve(url: str, folder: pathlib.Path, clients: int, seconds: int) -> dict:
    """The requests and their times as counted by wrk."""
    wrk = subprocess.run(
        ["wrk", "--threads", "1", "--connections", str(clients), "--duration", f"{seconds}s", "--script", str(folder / "wrk.lua"), url],
        env={"WAYMARK_BODIES": str(folder / "bodies.jsonl"), "PATH": os.environ["PATH"]}, check=True, capture_output=True, text=True)
    counts = json.loads(wrk.stderr)
    if counts["failures"] or not counts["requests"]:
        sys.exit(f"load: of {counts['requests']} requests {counts['failures']} failed")
    return counts


def batch(program: str, folder: pathlib.Path, base: dict, jobs: list[dict]) -> float:
    (folder / "base.json").write_text(json.dumps(base))
    (folder / "jobs.jsonl").write_text("".join(json.dumps(job, ensure_ascii=False) + "\n" for job in jobs))
    with tempfile.TemporaryDirectory(dir=folder) as output:
        begun = time.perf_counter()
        subprocess.run(
            [program, "batch", str(folder / "jobs.jsonl"), "--scene", str(folder / "base.json"), "-o", output], check=True,
            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return len(jobs) / (time.perf_counter() - begun)


def main():
    parser = argparse.ArgumentParser(description="Measures the server against waymark batch.")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--cards", type=int, default=600)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--server", default=SERVER)
    parser.add_argument("--program", default=str(ROOT / ".build/release/waymark"))
    options = parser.parse_args()
    if not shutil.which("wrk"):
        sys.exit("load: wrk is not installed; on Debian and Ubuntu: apt-get install wrk")
    with tempfile.TemporaryDirectory() as name:
        measure(options, pathlib.Path(name))


def measure(options, folder: pathlib.Path):
    base, jobs, bodies = scenes(options.cards, folder)
    (folder / "bodies.jsonl").write_bytes(b"".join(body + b"\n" for body in bodies))
    (folder / "wrk.lua").write_text(WRK_SCRIPT)
    with running(options.server, "--data", f"icons={folder}") as server:
        print(f"listening after {server.start * 1000:.0f} ms; the first answer takes {ask(server.port, bodies[0]) * 1000:.1f} ms")
        serve(server.url, folder, options.clients, 1)
        ratios = []
        for _ in range(options.turns):
            # The start of the batch does not count as work on its cards.
            start = len(jobs[:4]) / batch(options.program, folder, base, jobs[:4])
            drawn = len(jobs) / (len(jobs) / batch(options.program, folder, base, jobs) - start)
            counts = serve(server.url, folder, options.clients, options.seconds)
            served = counts["requests"] / counts["microseconds"] * 1e6
            ratios.append(served / drawn)
            print(
                f"batch {drawn:.0f} cards per second; server {served:.0f}, {served / drawn:.2f} ×; "
                f"median {counts['median'] / 1000:.1f} ms, p99 {counts['p99'] / 1000:.1f} ms")
        print(f"{options.clients} clients: {statistics.median(ratios):.2f} × the speed of waymark batch")


main()
