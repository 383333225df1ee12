"""A server that runs while a check asks it."""

import contextlib
import json
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = str(ROOT / ".build/server/release/waymark-server")


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
    """Starts a server at a free port, and ends it after the block.

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
