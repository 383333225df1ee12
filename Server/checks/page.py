#!/usr/bin/env python3
"""Tries the server's page in headless Chromium: drawing, dragging, turning, zooming, hits, errors, and its looks.

    Server/checks/page.py [--server PROGRAM] [--chromium PROGRAM] [--output FOLDER]

It writes screenshots into out/page, and exits with 1 at the first error. It needs only Python's standard library.
"""

import argparse
import json
import pathlib
import sys
import time

from running import ROOT, SERVER, running

sys.path.insert(0, str(ROOT / "tools/browser"))
from browser import Browser, add_option, browsing


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

    # The dragged point stays under the pointer.
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
    expect(abs(camera()["zoom"] - zoom - 0.5) < 1e-6, "the wheel does not zoom by 0.5")
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

    # An error in the scene is shown with its location, and the picture stays.
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
    browser.wait("document.querySelector('.message.error')?.textContent.includes('line 2')", "the message about invalid JSON")
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
    add_option(parser)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "out/page")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    with running(options.server, "--workers", "1", "--device", "software") as server, browsing(options.chromium) as browser:
        check(browser, server.url, options.output)
    print(f"page: all as it should be; the screenshots are in {options.output}")


main()
