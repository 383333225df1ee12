#!/usr/bin/env python3
"""Measures the server: requests per second of many clients, against `waymark batch` on the same cards in turn.

    Server/checks/load.py [--clients 8] [--cards 600] [--turns 3] [--server PROGRAM] [--program PROGRAM]

The cards are those of W3 of `tools/bench`: a line and 20 icons with captions. Each is a scene of its own for the server, and a job on a common base for
the batch, whose start is not counted. The ratio is the median over the turns.
"""

import argparse
import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def scenes(cards: int, folder: pathlib.Path) -> tuple[dict, list[dict], list[bytes]]:
    """The base and the jobs of W3, with their images in the folder, and each card as a scene of its own."""
    sys.path.insert(0, str(ROOT / "Benchmarks/driver"))
    import workloads

    for number in range(8):
        (folder / f"icon24_{number}.png").write_bytes(workloads.png(workloads.icon_rgba(number), 24))
    base, jobs = workloads.batch(cards)
    images = {name: f"icons/{path}" for name, path in base["images"].items()}
    bodies = [{**base, "images": images, "camera": job["camera"], "overlays": job["add"]} for job in jobs]
    return base, jobs, [json.dumps(body, ensure_ascii=False).encode() for body in bodies]


def ask(port: int, bodies: list[bytes], times: list[float], failures: list[str]):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for body in bodies:
        begun = time.perf_counter()
        connection.request("POST", "/render", body=body, headers={"Content-Type": "application/json"})
        response = connection.getresponse()
        picture = response.read()
        times.append(time.perf_counter() - begun)
        if response.status != 200:
            failures.append(f"{response.status} {picture[:200]!r}")
    connection.close()


def serve(port: int, cards: list[bytes], clients: int) -> tuple[float, list[float]]:
    times: list[float] = []
    failures: list[str] = []
    threads = [threading.Thread(target=ask, args=(port, cards[index::clients], times, failures)) for index in range(clients)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - begun
    if failures:
        raise SystemExit(f"load: {len(failures)} requests failed: {failures[0]}")
    return len(cards) / seconds, times


def batch(program: str, folder: pathlib.Path, base: dict, jobs: list[dict]) -> float:
    (folder / "base.json").write_text(json.dumps(base))
    (folder / "jobs.jsonl").write_text("".join(json.dumps(job, ensure_ascii=False) + "\n" for job in jobs))
    with tempfile.TemporaryDirectory(dir=folder) as output:
        begun = time.perf_counter()
        subprocess.run(
            [program, "batch", str(folder / "jobs.jsonl"), "--scene", str(folder / "base.json"), "-o", output], check=True,
            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return len(jobs) / (time.perf_counter() - begun)


def listening(server: subprocess.Popen) -> int:
    """Waits until a server listens, and returns its port."""
    for line in server.stderr:
        if '"message":"listening"' in line:
            return json.loads(line)["port"]
        if not line.startswith("{"):
            break
    sys.exit(f"load: the server says {line.strip()!r}")


def main():
    parser = argparse.ArgumentParser(description="Measures the server against waymark batch.")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--cards", type=int, default=600)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--server", default=str(ROOT / ".build/server/release/waymark-server"))
    parser.add_argument("--program", default=str(ROOT / ".build/release/waymark"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        measure(options, pathlib.Path(name))


def measure(options, folder: pathlib.Path):
    base, jobs, bodies = scenes(options.cards, folder)
    begun = time.perf_counter()
    server = subprocess.Popen([options.server, "--port", "0", "--data", f"icons={folder}"], stderr=subprocess.PIPE, text=True)
    try:
        port = listening(server)
        started = time.perf_counter() - begun
        # What it logs later is read, so that it never waits for us.
        threading.Thread(target=server.stderr.read, daemon=True).start()
        first: list[float] = []
        ask(port, bodies[:1], first, [])
        print(f"listening after {started * 1000:.0f} ms; the first answer takes {first[0] * 1000:.1f} ms")
        serve(port, bodies[: 10 * options.clients], options.clients)
        ratios = []
        for _ in range(options.turns):
            # The start of the batch is no work of its cards.
            start = len(jobs[:4]) / batch(options.program, folder, base, jobs[:4])
            drawn = len(jobs) / (len(jobs) / batch(options.program, folder, base, jobs) - start)
            served, times = serve(port, bodies, options.clients)
            times.sort()
            ratios.append(served / drawn)
            print(
                f"batch {drawn:.0f} cards per second; server {served:.0f}, {served / drawn:.2f} ×; "
                f"median {statistics.median(times) * 1000:.1f} ms, p99 {times[int(len(times) * 0.99)] * 1000:.1f} ms")
        print(f"{options.clients} clients: {statistics.median(ratios):.2f} × the speed of waymark batch")
    finally:
        server.terminate()
        server.wait()


main()
