"""A server that runs while a check asks it, and requests for it."""

import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = str(ROOT / ".build/server/release/waymark-server")

CARD = json.dumps({
    "waymark": 1, "size": {"width": 120, "height": 90}, "background": "white", "camera": {"center": [127, 37.5], "zoom": 12},
    "overlays": [{"type": "marker", "id": "hall", "position": [127, 37.5], "captionText": "Hall"}]}).encode()


def request(method: str, target: str, body: bytes = b"", headers: str = "Connection: close\r\n") -> bytes:
    return f"{method} {target} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body


def ask(port: int, message: bytes, timeout: float = 60) -> bytes:
    """The answer to a request, on a new connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.sendall(message)
        answer = b""
        while part := connection.recv(1 << 16):
            answer += part
    return answer


def resident(pid: int, field: str = "VmRSS") -> int:
    """The memory of a process in bytes; VmHWM is its peak."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(field))


@dataclass
class Running:
    process: subprocess.Popen
    port: int
    #: Seconds from the start of the process to its line "listening".
    start: float

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@contextlib.contextmanager
def running(program: str, *options: str) -> Iterator[Running]:
    """Starts a server on a free port, and ends it after the block.

    Its log is read all the time, so that it never waits for us.
    """
    begun = time.perf_counter()
    process = subprocess.Popen([program, "--port", "0", *options], stderr=subprocess.PIPE, text=True)
    try:
        port = listening(process)
        server = Running(process, port, time.perf_counter() - begun)
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield server
    finally:
        process.terminate()
        process.wait()


def listening(process: subprocess.Popen) -> int:
    line = ""
    for line in process.stderr:
        if '"message":"listening"' in line:
            return json.loads(line)["port"]
        if not line.startswith("{"):
            break
    sys.exit(f"the server does not listen; it says {line.strip()!r}")
