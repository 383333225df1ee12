"""Headless Chromium for the checks of pages. Python's standard library is enough."""

import argparse
import base64
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator


class Browser:
    """Chromium, spoken to over a pair of pipes."""

    def __init__(self, program: str, profile: str):
        to_browser, self.sink = os.pipe()
        self.source, from_browser = os.pipe()

        def pipes():
            # The browser reads from 3 and writes to 4.
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        arguments = [
            program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}", "about:blank",
        ]
        self.process = subprocess.Popen(arguments, preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.problems: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def receive(self) -> dict:
        while b"\0" not in self.buffer:
            more = os.read(self.source, 1 << 16)
            if not more:
                raise SystemExit("the browser has ended")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        event = json.loads(message)
        if event.get("method") == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(event["params"]["exceptionDetails"])[:500])
        if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            entry = event["params"]["entry"]
            # A scene that is wrong is answered with 422, which the browser logs.
            if entry.get("source") != "network":
                self.problems.append(entry["text"])
        return event

    def call(self, method: str, **parameters) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.sink, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def value(self, expression: str):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression: str, what: str):
        end = time.monotonic() + 30
        while not self.value(expression):
            if time.monotonic() > end:
                raise SystemExit(f"{what}: this did not happen within 30 s ({expression})")
            time.sleep(0.03)

    def mouse(self, kind: str, x: float, y: float, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start, end, button="left", modifiers=0):
        number = {"left": 1, "right": 2}[button]
        self.mouse("mousePressed", *start, button=button, buttons=number, clickCount=1, modifiers=modifiers)
        for step in range(1, 6):
            x, y = (a + (b - a) * step / 5 for a, b in zip(start, end))
            self.mouse("mouseMoved", x, y, button=button, buttons=number, modifiers=modifiers)
        self.mouse("mouseReleased", *end, button=button, clickCount=1, modifiers=modifiers)

    def screenshot(self, path: pathlib.Path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def end(self):
        self.process.terminate()
        self.process.wait()


def add_option(parser: argparse.ArgumentParser):
    """Adds the option that names the browser."""
    known = ("chromium", "chromium-browser", "google-chrome")
    parser.add_argument("--chromium", default=next(filter(None, map(shutil.which, known)), None))


@contextlib.contextmanager
def browsing(program: str | None) -> Iterator[Browser]:
    """Starts the browser, and ends it after the block."""
    if not program:
        sys.exit("chromium is not installed; on Debian and Ubuntu: apt-get install chromium")
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, profile)
        try:
            yield browser
        finally:
            browser.end()
