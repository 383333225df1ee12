#!/usr/bin/env python3
"""Connects clients that keep a server waiting, and checks that it answers others meanwhile and bounds its memory.

    Server/checks/clients.py [--unread 30] [--idle 600] [--server PROGRAM]

One reads a picture of 64 MB at 0.6 MB/s, which takes almost two minutes, and must get all of it. Meanwhile a number of clients ask for such pictures and
read nothing, and a number of others, more than the server has room for, say nothing more after a first request.
"""

import argparse
import json
import socket
import sys
import threading
import time

from running import CARD, SERVER, Running, ask, request, resident, running

SIDE = 4096
PICTURE = json.dumps({"waymark": 1, "size": {"width": SIDE, "height": SIDE}, "background": "white"}).encode()
ALIVE = b'{"status":"alive"}\n'
# The unread answers may have 256 MB. Each worker's last one is kept, too, and copied twice when it becomes an answer.
MOST_MEMORY = 768 << 20
# This includes the answer of the slow client and the last answers of two workers.
LEAST_MEMORY = 280 << 20


def connect(port: int) -> socket.socket:
    """A connection for which the system accepts few bytes before its client reads."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", port))
    return connection


def read_slowly(port: int, has_begun: threading.Event, counts: list[int]):
    """Reads a picture at 0.6 MB/s, and notes its number of bytes."""
    with connect(port) as connection:
        connection.sendall(request("POST", "/render?format=rgba", PICTURE))
        count, begun = 0, None
        while part := connection.recv(60_000):
            begun = begun or time.monotonic()
            has_begun.set()
            count += len(part)
            time.sleep(max(0.0, begun + count / 600_000 - time.monotonic()))
        counts.append(count)


def good_request(port: int):
    answer = ask(port, request("POST", "/render", CARD))
    if not answer.startswith(b"HTTP/1.1 200"):
        sys.exit(f"clients: a good request is answered with {answer[:200]!r}")


def drawn(port: int) -> int:
    """How many of the large pictures have been drawn."""
    metrics = ask(port, request("GET", "/metrics")).decode()
    return next((int(line.split()[1]) for line in metrics.split("\n") if line.startswith('waymark_pictures_total{format="rgba"}')), 0)


def leave_unread(server: Running, count: int):
    """Clients that ask for large pictures and read nothing. The server frees their answers although they stay."""
    crowd = [connect(server.port) for _ in range(count)]
    for connection in crowd:
        connection.sendall(request("POST", "/render?format=rgba", PICTURE, headers=""))
    begun, served = time.monotonic(), 0
    # One more picture belongs to the slow client, which is still reading.
    while drawn(server.port) < count + 1 or resident(server.process.pid) > LEAST_MEMORY:
        good_request(server.port)
        served += 1
        if time.monotonic() - begun > 90:
            sys.exit(f"clients: after 90 s the server still has {resident(server.process.pid) >> 20} MB")
        time.sleep(0.1)
    seconds = time.monotonic() - begun
    for connection in crowd:
        connection.close()
    print(f"{count} clients that read nothing: {served} good requests meanwhile; memory freed after {seconds:.0f} s")


def stay_idle(server: Running, count: int):
    """More clients than the server has room for, which send nothing after a first request."""
    crowd = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        connection.sendall(request("GET", "/health/live", headers=""))
        answer = b""
        while not answer.endswith(ALIVE):
            part = connection.recv(1 << 16)
            if not part:
                sys.exit("clients: a new connection was closed")
            answer += part
        crowd.append(connection)
    begun = time.monotonic()
    if not ask(server.port, request("GET", "/health/live"), timeout=20).endswith(ALIVE):
        sys.exit("clients: /health/live does not answer")
    good_request(server.port)
    print(f"{count} idle clients: /health/live and a picture after {(time.monotonic() - begun) * 1000:.0f} ms")
    for connection in crowd:
        connection.close()


def main():
    parser = argparse.ArgumentParser(description="Connects clients that keep a server waiting.")
    parser.add_argument("--unread", type=int, default=30)
    parser.add_argument("--idle", type=int, default=600)
    parser.add_argument("--server", default=SERVER)
    options = parser.parse_args()
    counts: list[int] = []
    with running(options.server, "--workers", "2", "--max-connections", str(options.idle // 2), "--deadline", "60", "--write-time", "5") as server:
        has_begun = threading.Event()
        slow = threading.Thread(target=read_slowly, args=(server.port, has_begun, counts), daemon=True)
        slow.start()
        # Before the others have taken all memory.
        has_begun.wait(60)
        leave_unread(server, options.unread)
        stay_idle(server, options.idle)
        slow.join()
        most = resident(server.process.pid, "VmHWM")
    print(f"the slow client: {counts[0] / 1e6:.1f} MB; the server had {most >> 20} MB at most")
    if counts[0] < SIDE * SIDE * 4:
        sys.exit(f"clients: the slow client got {counts[0]} bytes of {SIDE * SIDE * 4}")
    if most > MOST_MEMORY:
        sys.exit("clients: clients that read nothing take too much memory")


main()
