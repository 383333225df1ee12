#!/usr/bin/env python3
"""Tests the release program: that it draws what the picture cases expect, and that it starts without each of the libraries that it loads
and reports the missing ones. Run by tools/release --check."""
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(sys.argv[1])
PLAIN = {"waymark": 1, "size": {"width": 256, "height": 256}, "overlays": [{"type": "marker", "position": [0, 0]}]}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><text y="8">a</text></svg>'
# A loaded library; the word that identifies its package; doctor's exit code without it; and render's exit codes for a scene with a plain
# icon, with a caption, and with an SVG.
LIBRARIES = [
    ("libEGL.so.1", "libegl1", 69, 69, 69, 69),
    ("libfreetype.so.6", "libfreetype6", 69, 0, 69, 69),
    ("libharfbuzz.so.0", "libharfbuzz0b", 69, 0, 69, 69),
    ("libfontconfig.so.1", "libfontconfig1", 0, 0, 0, 69),
    ("librsvg-2.so.2", "librsvg2-2", 0, 0, 0, 69),
]
failures = []


def check(condition, message):
    if not condition:
        failures.append(message)
        print(f"failed: {message}", file=sys.stderr)


def waymark(*arguments, **variables):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env=dict(os.environ, **variables), timeout=120)


def check_start():
    version = waymark("--version")
    check(version.returncode == 0 and version.stdout.strip(), f"--version: {version}")
    doctor = waymark("doctor", "--json")
    check(doctor.returncode == 0, f"doctor: {doctor.returncode} {doctor.stderr}")
    report = json.loads(doctor.stdout)
    check(report["version"] == version.stdout.split()[0], f"doctor's version: {report['version']}")
    check(not report["warnings"], f"doctor warns: {report['warnings']}")
    names = {library["name"] for library in report["libraries"]}
    known = {"simdjson", "expat", "libpng", "libjpeg-turbo", "libwebp", "libdeflate", "SQLite", "librsvg", "FreeType", "HarfBuzz", "ICU", "fontconfig"}
    check(names == known, f"doctor's libraries: {sorted(names)}")


def check_pictures(folder):
    """Every picture case, with the tolerance of another rasterizer: pictures of another processor or Mesa may differ by that."""
    cases = sorted(glob.glob(os.path.join(ROOT, "Tests", "Pictures", "*", "*", "scene.json")))
    drawn = os.path.join(folder, "drawn.png")
    for scene in cases:
        name = os.path.relpath(os.path.dirname(scene), os.path.join(ROOT, "Tests", "Pictures"))
        limits = {"threshold": 3, "allowed": 0.02}
        own = os.path.join(os.path.dirname(scene), "tolerance.json")
        if os.path.exists(own):
            with open(own) as file:
                limits.update(json.load(file))
        # Pinned like the tests.
        made = waymark("render", scene, "-o", drawn, GALLIUM_OVERRIDE_CPU_CAPS="sse4.1")
        check(made.returncode == 0, f"render {name}: {made.returncode} {made.stderr}")
        if made.returncode == 0:
            expected = os.path.join(os.path.dirname(scene), "expected.png")
            same = waymark("diff", expected, drawn, "--threshold", str(limits["threshold"]), "--allowed", str(limits["allowed"]))
            check(same.returncode == 0, f"the picture {name} differs: {same.stdout}")
    return len(cases)


def check_missing(folder):
    """An invalid library file, found before the real one, has the same effect as a missing one."""
    scenes = {}
    for name, change in [("plain", {}), ("caption", {"captionText": "a"}), ("svg", {"iconImage": "icon.svg"})]:
        scenes[name] = os.path.join(folder, f"{name}.json")
        with open(scenes[name], "w") as file:
            json.dump(dict(PLAIN, overlays=[dict(PLAIN["overlays"][0], **change)]), file)
    with open(os.path.join(folder, "icon.svg"), "w") as file:
        file.write(SVG)
    for file, package, doctors, *renders in LIBRARIES:
        hidden = os.path.join(folder, file + ".hidden")
        os.mkdir(hidden)
        with open(os.path.join(hidden, file), "w") as broken:
            broken.write("not a library")
        without = {"LD_LIBRARY_PATH": hidden}
        check(waymark("--version", **without).returncode == 0, f"--version without {file}")
        doctor = waymark("doctor", **without)
        check(doctor.returncode == doctors, f"doctor without {file}: {doctor.returncode} {doctor.stderr}")
        check(package in doctor.stdout, f"doctor without {file} does not name {package}: {doctor.stdout}")
        report = json.loads(waymark("doctor", "--json", **without).stdout)
        told = json.dumps([report["warnings"], report["problems"], report["fonts"]["problems"]])
        check(package in told, f"doctor --json without {file} does not name {package}")
        for (name, scene), status in zip(scenes.items(), renders):
            output = os.path.join(folder, "missing.png")
            made = waymark("render", scene, "-o", output, **without)
            check(made.returncode == status, f"render of a {name} without {file}: {made.returncode} {made.stderr}")
            check(os.path.exists(output) == (status == 0), f"render of a {name} without {file} leaves the wrong files")
            check(status == 0 or made.stderr.count("\n") == 1, f"render of a {name} without {file} does not print one line: {made.stderr}")
            # librsvg needs the others itself.
            named = package in made.stderr or name == "svg" and "librsvg2-2" in made.stderr
            check(status == 0 or named, f"render of a {name} without {file} does not name {package}: {made.stderr}")
            if os.path.exists(output):
                os.remove(output)


def main():
    with tempfile.TemporaryDirectory(prefix="waymark-release-") as folder:
        check_start()
        count = check_pictures(folder)
        check_missing(folder)
    if failures:
        sys.exit(f"release: {len(failures)} checks failed")
    print(f"release: {count} pictures are correct, and any of the {len(LIBRARIES)} libraries may be missing")


main()
