#!/usr/bin/env python3
"""Sends a server hostile requests for a while, and checks that it answers good ones meanwhile and does not grow.

    Server/checks/hostile.py [--seconds 60] [--server PROGRAM]

The memory of the server and of its workers is read after a third of the time and at the end.
"""

import argparse
import base64
import json
import pathlib
import random
import socket
import sys
import threading
import time

from running import CARD, SERVER, Running, ask, request, resident, running

# Requests whose bodies have no clear end, after their request line.
MALFORMED = [
    "Transfer-Encoding: xchunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "Transfer-Encoding: chunked\r\n\r\n-5\r\nabcde\r\n", "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    "Transfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nab", "Content-Length: 500\r\n\r\n{",
    "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", "Content-Length: 99999999999999999999\r\n\r\n"]


def bomb() -> bytes:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><g id="a0"><rect width="9" height="9"/></g>'
    for level in range(1, 9):
        svg += f'<g id="a{level}">' + f'<use xlink:href="#a{level - 1}"/>' * 10 + "</g>"
    return marker("data:image/svg+xml;base64," + base64.b64encode((svg + '<use xlink:href="#a8"/></svg>').encode()).decode())


def marker(icon: str, **more) -> bytes:
    return json.dumps({"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": icon, **more}]}).encode()


def scenes(rng: random.Random) -> bytes:
    """A scene that is invalid or expensive."""
    kind = rng.randrange(12)
    if kind == 0:
        return rng.randbytes(rng.randrange(2000))
    if kind == 1:
        damaged = bytearray(CARD)
        for _ in range(rng.randrange(1, 6)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        return bytes(damaged)
    if kind == 2:
        return b"[" * rng.randrange(1, 500_000)
    if kind == 3:
        return marker(rng.choice(["/etc/passwd", "../../../etc/shadow", "/dev/zero", "/proc/self/mem", "file:///etc/passwd", "http://127.0.0.1/"]))
    if kind == 4:
        side = rng.choice([65535, 20000, 1e9, -1, 0, 4096.5])
        return json.dumps({"waymark": 1, "size": {"width": side, "height": side}}).encode()
    if kind == 5:
        return json.dumps({"waymark": 1, "overlays": [{"type": "marker", "position": [rng.uniform(-180, 180), rng.uniform(-80, 80)]}
                                                     for _ in range(rng.choice([1000, 30_000, 60_000]))]}).encode()
    if kind == 6:
        return marker("builtin:red", captionText="W" * rng.randrange(100_000), captionTextSize=rng.choice([1, 40, 100]))
    if kind == 7:
        return marker("builtin:red", width=rng.choice([1, 5000, 60_000]), height=rng.choice([1, 5000, 60_000]))
    if kind == 8:
        ring = [[rng.uniform(-170, 170), rng.uniform(-80, 80)] for _ in range(rng.choice([100, 5000, 40_000]))]
        return json.dumps({"waymark": 1, "overlays": [{"type": "polygon", "rings": [ring], "fillColor": "#ff000080"},
                                                     {"type": "polyline", "points": ring, "pattern": [0.5, 0.5], "width": 0.5}]}).encode()
    if kind == 9:
        return b'{"waymark": 1, "overlays": [' + b",".join([b'{"type": "container", "children": ['] * rng.randrange(600)) + b"}"
    if kind == 10:
        return marker("data:image/png;base64," + base64.b64encode(rng.randbytes(3000)).decode())
    # A PNG that declares 60,000 × 60,000 pixels.
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (60_000).to_bytes(4, "big") * 2 + b"\x08\x06\0\0\0" + rng.randbytes(4)
    return marker("data:image/png;base64," + base64.b64encode(head).decode())


def attack(port: int, rng: random.Random, end: float, counts: dict[str, int]):
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                kind = rng.randrange(11)
                if kind == 0:
                    connection.sendall(request("POST", "/render", CARD)[: rng.randrange(1, 300)])
                    time.sleep(rng.choice([0, 0.05]))
                    continue
                if kind == 1:
                    connection.sendall(b"POST /render HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n" + b" " * 1_000_000)
                elif kind == 2:
                    connection.sendall(rng.randbytes(rng.randrange(1, 3000)) + b"\r\n\r\n")
                elif kind == 3:
                    query = "".join(rng.choice(["%FF", "%C3%28", "zoom=", "&", "=", "marker=", "%7C", "1,2", "path=enc:", "~~~~", "é"]) for _ in range(20))
                    connection.sendall(request("GET", "/static?" + query))
                elif kind == 4:
                    markers = "&".join(f"marker={rng.uniform(-80, 80):.3f},{rng.uniform(-170, 170):.3f}" for _ in range(rng.randrange(300)))
                    connection.sendall(request("GET", f"/static?size={rng.choice(['300x200', '9999x9999', '1x1'])}&{markers}"))
                    if rng.random() < 0.3:
                        continue
                elif kind == 5:
                    connection.sendall(request("POST", rng.choice(["/render", "/inspect", "/pick?at=5,5"]), bomb() if rng.random() < 0.1 else CARD))
                    if rng.random() < 0.5:
                        continue
                elif kind == 6:
                    target = rng.choice(["/render", "/inspect", "/pick?at=5,5"])
                    connection.sendall(f"POST {target} HTTP/1.1\r\nHost: a\r\n{rng.choice(MALFORMED)}".encode())
                    connection.shutdown(socket.SHUT_WR)
                else:
                    target = rng.choice(["/render", "/render?format=webp", "/inspect", "/pick?at=1,1", "/render?zoom=3&center=0,0&tilt=80"])
                    connection.sendall(request("POST", target, scenes(rng)))
                answer = b""
                while part := connection.recv(1 << 16):
                    answer += part if len(answer) < 100 else b""
                status = answer[9:12].decode(errors="replace") if answer.startswith(b"HTTP/1.1 ") else "none"
                counts[status] = counts.get(status, 0) + 1
        except OSError:
            counts["broken"] = counts.get("broken", 0) + 1


def serve(port: int, end: float, times: list[float], failures: list[str]):
    """A client that requests good pictures meanwhile."""
    while time.monotonic() < end:
        begun = time.monotonic()
        answer = ask(port, request("POST", "/render", CARD))
        times.append(time.monotonic() - begun)
        # A full queue, or a picture that waited too long, is not a failure under such load.
        if not answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 503", b"HTTP/1.1 504")):
            failures.append(repr(answer[:200]))
        time.sleep(0.02)


def children(pid: int) -> list[int]:
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def main():
    parser = argparse.ArgumentParser(description="Sends a server hostile requests for a while.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", default=SERVER)
    options = parser.parse_args()
    with running(options.server, "--cache-bytes", "33554432", "--read-time", "5") as server:
        measure(server, options)


def measure(server: Running, options: argparse.Namespace):
    end = time.monotonic() + options.seconds
    counts: dict[str, int] = {}
    times: list[float] = []
    failures: list[str] = []
    threads = [threading.Thread(target=attack, args=(server.port, random.Random(options.seed + index), end, counts)) for index in range(8)]
    threads.append(threading.Thread(target=serve, args=(server.port, end, times, failures)))
    for thread in threads:
        thread.start()
    time.sleep(options.seconds / 3)
    first = resident(server.process.pid), [resident(pid) for pid in children(server.process.pid)]
    for thread in threads:
        thread.join()
    last = resident(server.process.pid), [resident(pid) for pid in children(server.process.pid)]
    metrics = ask(server.port, request("GET", "/metrics"))
    lost = [line for line in metrics.decode().split("\n") if line.startswith(("waymark_workers_lost_total", "waymark_connections", "waymark_queue_"))]
    if not times:
        sys.exit("hostile: no good request was answered")
    times.sort()
    print("answers:", ", ".join(f"{status}: {count}" for status, count in sorted(counts.items())))
    print(f"good requests: {len(times)}, median {times[len(times) // 2] * 1000:.0f} ms, worst {times[-1] * 1000:.0f} ms")
    print("; ".join(lost))
    megabytes = lambda sizes: f"server {sizes[0] >> 20} MB, workers {', '.join(f'{size >> 20} MB' for size in sizes[1])}"
    print(f"memory after a third: {megabytes(first)}; at the end: {megabytes(last)}")
    if failures:
        sys.exit(f"hostile: {len(failures)} good requests failed: {failures[0]}")
    if any(status.startswith("5") and status not in ("503", "504") for status in counts):
        sys.exit(f"hostile: {counts}")
    if last[0] > first[0] + (24 << 20):
        sys.exit("hostile: the server's memory has grown")


main()
