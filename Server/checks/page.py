#!/usr/bin/env python3
"""Tries the server's page in headless Chromium: drawing, dragging, turning, zooming, hits, errors, and its looks.

    Server/checks/page.py [--server PROGRAM] [--chromium PROGRAM] [--output FOLDER]

It writes screenshots into out/page, and ends with 1 at the first thing that is wrong. It needs Python's standard library only.
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from running import ROOT, SERVER, running


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
                raise SystemExit("page: the browser has ended")
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
                    raise SystemExit(f"page: {method}: {answer['error']}")
                return answer["result"]

    def value(self, expression: str):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"page: {expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression: str, what: str):
        end = time.monotonic() + 30
        while not self.value(expression):
            if time.monotonic() > end:
                raise SystemExit(f"page: {what}: not within 30 s ({expression})")
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


def expect(holds, what: str):
    if not holds:
        raise SystemExit(f"page: {what}")


SETTLED = "waiting === null && !document.querySelector('#frame.stale')"
STATE = "document.getElementById('state').textContent"


def settle(browser: Browser, what: str):
    browser.wait(SETTLED, what)


def check(browser: Browser, url: str, folder: pathlib.Path):
    def screen(width, height, scheme="light", touch=False):
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def camera():
        return browser.value("current()")

    def middle():
        return browser.value("(box => [box.left + box.width / 2, box.top + box.height / 2])(document.getElementById('frame').getBoundingClientRect())")

    screen(1280, 800)
    browser.call("Page.navigate", url=url)
    browser.wait("document.readyState === 'complete' && typeof facts === 'object' && facts !== null", "the first picture")
    settle(browser, "the first picture")
    expect(browser.value("document.getElementById('picture').naturalWidth") == 640, "the picture is not 640 pixels wide")
    expect(browser.value("document.getElementById('messages').childElementCount") == 0, "the first scene has messages")
    browser.screenshot(folder / "light.png")

    # Under the pointer: the icon of the first marker.
    browser.value(
        "window.anchorAt = async id => { const all = await (await ask('inspect', camera, {})).json();"
        " const [x, y] = all.overlays.find(overlay => overlay.id === id).anchor; const box = frame.getBoundingClientRect();"
        " const scale = box.width / facts.size.width; return [box.left + x * scale, box.top + y * scale]; }; 0")
    x, y = browser.value("anchorAt('hall')")
    browser.mouse("mouseMoved", x, y - 15)
    browser.wait("!document.getElementById('hit').hidden", "the hit under the pointer")
    expect("hall · marker, icon" in browser.value("document.getElementById('hit').textContent"), "the hit is not the marker's icon")
    browser.screenshot(folder / "hit.png")

    # What is dragged stays under the pointer.
    browser.drag((x, y), (x + 120, y + 60))
    settle(browser, "a drag")
    moved = browser.value("anchorAt('hall')")
    expect(abs(moved[0] - x - 120) < 1.5 and abs(moved[1] - y - 60) < 1.5, f"dragged to {moved}, not to {[x + 120, y + 60]}")
    before = camera()
    browser.drag(middle(), (middle()[0] + 100, middle()[1] - 50), modifiers=8)
    settle(browser, "a drag with Shift")
    turned = camera()
    expect(abs((turned["bearing"] - before["bearing"]) % 360 - 40) < 0.5, "Shift and a drag by 100 pixels do not turn by 40 degrees")
    expect(abs(turned["tilt"] - before["tilt"] - 20) < 0.5, "Shift and a drag up by 50 pixels do not tilt by 20 degrees")
    browser.drag(middle(), (middle()[0] - 50, middle()[1] + 50), button="right")
    settle(browser, "a drag with the right button")
    expect(abs(camera()["tilt"] - turned["tilt"] + 20) < 0.5, "the right button does not tilt")
    spot = browser.value("anchorAt('tower')")
    zoom = camera()["zoom"]
    browser.mouse("mouseWheel", *middle(), deltaX=0, deltaY=-200)
    settle(browser, "the wheel")
    expect(abs(camera()["zoom"] - zoom - 0.5) < 1e-6, "the wheel does not zoom by half a step")
    expect(browser.value("anchorAt('tower')") != spot, "zooming moves nothing")
    browser.screenshot(folder / "moved.png")
    browser.value("document.getElementById('frame').focus()")
    for key in ("ArrowLeft", "+"):
        browser.call("Input.dispatchKeyEvent", type="keyDown", key=key)
    settle(browser, "keys")
    expect(abs(camera()["zoom"] - zoom - 1) < 1e-6, "plus does not zoom")
    browser.value("document.getElementById('keep').click()")
    settle(browser, "keeping the view")
    expect('"zoom": ' in browser.value("document.getElementById('scene').value"), "the view is not in the scene")

    # A mistake in the scene is shown with its place, and the picture stays.
    browser.value(
        "(area => { area.value = area.value.replace('\"altitude\": 240', '\"alpha\": 7'); area.dispatchEvent(new Event('input')); })"
        "(document.getElementById('scene'))")
    browser.wait("!!document.querySelector('.message.error')", "the message about a mistake")
    words = browser.value("document.querySelector('.message.error').textContent")
    expect(words.startswith("overlays[3].alpha: 7 is outside 0…1"), f"the message is {words!r}")
    browser.value("document.querySelector('.message.error button').click()")
    selected = browser.value("(area => area.value.slice(area.selectionStart, area.selectionEnd))(document.getElementById('scene'))")
    expect(selected.startswith('"alpha": 7'), f"the button selects {selected!r}")
    browser.screenshot(folder / "mistake.png")
    browser.value("(area => { area.value = '{\"waymark\": 1,\\n \"overlays\": [}'; area.dispatchEvent(new Event('input')); })(document.getElementById('scene'))")
    browser.wait("document.querySelector('.message.error')?.textContent.includes('line 2')", "the message about JSON that is none")
    expect(browser.value("document.querySelector('.message.error button').textContent") == "Line 2", "the mistake is not on line 2")

    for name in browser.value("Object.keys(examples)"):
        browser.value(f"(list => {{ list.value = {json.dumps(name)}; list.dispatchEvent(new Event('change')); }})(document.getElementById('examples'))")
        browser.wait(f"!document.querySelector('.message.error') && {SETTLED}", f"the example {name}")
    screen(1280, 800, "dark")
    browser.screenshot(folder / "dark.png")
    screen(390, 844, "light", touch=True)
    browser.value("dispatchEvent(new Event('resize'))")
    time.sleep(0.3)
    expect(browser.value("document.documentElement.scrollWidth <= 390"), "a narrow screen has to be scrolled sideways")
    browser.screenshot(folder / "narrow.png")
    screen(390, 844, "dark", touch=True)
    browser.value("scrollTo(0, document.body.scrollHeight)")
    browser.screenshot(folder / "narrow-dark.png")
    expect(not browser.problems, f"the page has errors: {browser.problems}")


def main():
    parser = argparse.ArgumentParser(description="Tries the server's page in headless Chromium.")
    parser.add_argument("--server", default=SERVER)
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome"))
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "out/page")
    options = parser.parse_args()
    if not options.chromium:
        sys.exit("page: there is no chromium; on Debian and Ubuntu: apt-get install chromium")
    options.output.mkdir(parents=True, exist_ok=True)
    with running(options.server, "--workers", "1", "--device", "software") as server, tempfile.TemporaryDirectory() as profile:
        browser = Browser(options.chromium, profile)
        try:
            check(browser, server.url, options.output)
        finally:
            browser.end()
    print(f"page: all as it should be; the screenshots are in {options.output}")


main()
