"""`assert_picture` in tests of users, run by pytest in a separate process."""

import os
import re
import subprocess
import sys
import unittest
import warnings

import pytest
from conftest import ROOT

import waymark_maps
from waymark_maps import testing

TESTS = """
import waymark_maps

def scene(latitude=37.566, text="Hall"):
    overlays = [waymark_maps.Marker((126.978, latitude), id="hall", caption_text=text)]
    return waymark_maps.Scene(size=(64, 48), background="white", camera=waymark_maps.Camera((126.978, 37.566), zoom=12), overlays=overlays)

def test_the_hall(assert_picture):
    assert_picture(scene(), "hall")
"""


@pytest.fixture
def run_tests(tmp_path):
    """Runs the tests of a file, and returns whether they pass and what pytest prints."""

    def run(text, *, plugin=True, **environment):
        (tmp_path / "test_map.py").write_text(text)
        command = [sys.executable, "-B", "-m", "pytest", "-q", *(["-p", "waymark_maps.pytest_plugin"] if plugin else []), "test_map.py"]
        done = subprocess.run(command, cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, text=True)
        return done.returncode == 0, done.stdout + done.stderr

    return run


def test_a_picture_is_recorded_then_compared_then_accepted(run_tests, tmp_path):
    expected = tmp_path / "Pictures" / "test_map" / "hall.llvmpipe.png"
    page = tmp_path / ".pytest_cache" / "d" / "waymark-pictures" / "test_map" / "hall.html"
    passed, output = run_tests(TESTS, WAYMARK_RECORD="0")
    assert not passed and f"the expected picture {expected} is missing; record it with WAYMARK_RECORD=1" in output
    assert not (tmp_path / "Pictures").exists()
    passed, output = run_tests(TESTS)
    assert not passed and "check it and run the test again" in output
    assert {path.name for path in expected.parent.iterdir()} == {"hall.llvmpipe.png", "hall.llvmpipe.json"}
    first = expected.read_bytes()
    assert run_tests(TESTS)[0] and not page.exists()
    # A failure names the overlay and the page.
    moved = TESTS.replace("scene()", "scene(37.5663)")
    passed, output = run_tests(moved)
    assert not passed and expected.read_bytes() == first
    for text in ('"hall" differs from ', "marker hall: moved", f"Report: {page}", "To accept this picture, run again with WAYMARK_RECORD=1."):
        assert text in output, output
    assert "marker hall" in page.read_text() and page.with_suffix(".png").exists()
    # Tolerances are those of `diff`.
    assert run_tests(moved.replace('"hall")', '"hall", threshold=255)'))[0]
    # A passed test removes the page, and an accepted picture replaces the expectation.
    run_tests(moved)
    assert run_tests(TESTS)[0] and not page.exists() and not page.with_suffix(".png").exists()
    passed, output = run_tests(moved, WAYMARK_RECORD="1")
    assert passed and expected.read_bytes() != first
    assert f'"hall" replaces {expected}: ' in output and "marker hall: moved" in output
    assert '"hall"' not in run_tests(moved, WAYMARK_RECORD="1")[1]
    assert run_tests(moved)[0]
    # The page goes where the environment says.
    assert not run_tests(TESTS, WAYMARK_REPORT=str(tmp_path / "report"))[0]
    assert (tmp_path / "report" / "test_map" / "hall.html").exists()


def test_the_page_about_visual_tests(run_tests, tmp_path):
    page = (ROOT / "docs" / "visual-tests.md").read_text()
    (block,) = [text for text in re.findall("```python\n(.*?)```", page, re.S) if "assert_picture" in text]
    passed, output = run_tests(block)
    assert not passed and all(f"has been recorded as {tmp_path}/Pictures/test_map/{name}.llvmpipe.png" in output for name in ("shops", "tilted shops"))
    assert run_tests(block)[0]
    assert len([*(tmp_path / "Pictures" / "test_map").iterdir()]) == 4


def test_a_missing_expectation_is_never_passed_over(run_tests):
    """A test that fails for another reason, a fixture that compares at its end, and a test case of unittest."""
    failing = TESTS + "    raise ValueError('another reason')\n"
    passed, output = run_tests(failing)
    assert not passed and "another reason" in output and "has been recorded" in output
    late = """
import pytest

@pytest.fixture
def late(assert_picture):
    yield
    assert_picture(scene(), "late")

def test_nothing(late):
    pass
"""
    passed, output = run_tests(TESTS + late)
    assert not passed and "has been recorded" in output and "1 error" in output
    case = """
import pytest, unittest

class Case(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def with_pictures(self, assert_picture):
        self.assert_picture = assert_picture

    def test_case(self):
        self.assert_picture(scene(), "case")
"""
    passed, output = run_tests(TESTS + case)
    assert not passed and "has been recorded" in output and "1 failed" in output
    assert run_tests(TESTS + late + case)[0]


def test_a_missing_expectation_is_not_passed_over_by_what_is_skipped_or_may_fail(run_tests):
    quiet = """
import pytest, unittest

def test_skips(assert_picture):
    assert_picture(scene(), "skips")
    pytest.skip("no more")

def test_fails_as_it_says(assert_picture):
    assert_picture(scene(), "fails")
    pytest.xfail("no more")

@pytest.mark.xfail
def test_may_fail(assert_picture):
    assert_picture(scene(), "may fail")

@pytest.mark.xfail(raises=ValueError)
def test_may_raise(assert_picture):
    assert_picture(scene(), "may raise")
    raise ValueError()

@pytest.fixture
def early(assert_picture):
    assert_picture(scene(), "early")
    pytest.skip("no more")

def test_nothing_early(early):
    pass

@pytest.fixture
def late(assert_picture):
    yield
    assert_picture(scene(), "late")
    pytest.skip("no more")

@pytest.mark.xfail
def test_nothing_late(late):
    raise ValueError()

class Case(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def with_pictures(self, assert_picture):
        self.assert_picture = assert_picture

    @unittest.expectedFailure
    def test_case(self):
        self.assert_picture(scene(), "case")
        self.fail()
"""
    passed, output = run_tests(TESTS.partition("def test_")[0] + quiet)
    assert not passed and "5 failed, 1 xfailed, 2 errors in" in output, output
    for name in ("skips", "fails", "may fail", "may raise", "early", "late", "case"):
        assert f"/{name}.llvmpipe.png: check it and run the test again" in output
    # The second run compares.
    passed, output = run_tests(TESTS.partition("def test_")[0] + quiet)
    assert passed and "has been recorded" not in output


def test_mistakes_in_tests(run_tests):
    twice = TESTS + "\ndef test_another(assert_picture):\n    assert_picture(scene(text='There'), 'hall')\n"
    assert '"hall" is used by two tests, this one and test_map.py::test_the_hall; give each picture its own name' in run_tests(twice)[1]
    assert "'a/b' is not a valid picture name: use 1 to 100 letters, digits" in run_tests(TESTS.replace('"hall")', '"a/b")'))[1]
    sentence = 'WAYMARK_RECORD is "yes", but must be "1" (record all pictures), "0" (record none) or "missing" (record missing ones)'
    assert sentence in run_tests(TESTS, WAYMARK_RECORD="yes")[1]
    assert "SceneError: the scene: overlays[0].position[1]: 97 is outside" in run_tests(TESTS.replace("scene()", "scene(97)"))[1]


def test_the_renderer_is_a_fixture(run_tests):
    own = """
import pytest, waymark_maps

@pytest.fixture(scope="session")
def waymark_renderer():
    with waymark_maps.Renderer(device="nonsense") as renderer:
        yield renderer
"""
    assert "device: \"nonsense\" is not a device" in run_tests(own + TESTS)[1]


def test_the_expectation_of_another_renderer_allows_for_rounding(run_tests, tmp_path):
    run_tests(TESTS)
    folder = tmp_path / "Pictures" / "test_map"
    for extension in ("png", "json"):
        (folder / f"hall.llvmpipe.{extension}").rename(folder / f"hall.Other.{extension}")
    text = (folder / "hall.Other.json").read_text()
    (folder / "hall.Other.json").write_text(text.replace("llvmpipe (", "Other ("))
    faint = TESTS.replace('background="white"', 'background="#fdfdfd"')
    assert run_tests(faint)[0]
    passed, output = run_tests(TESTS.replace("scene()", 'scene(text="There")'))
    assert not passed and "The expectation was drawn by Other (" in output and "marker hall: " in output
    assert [path.name for path in folder.glob("*.png")] == ["hall.Other.png"]


def test_without_the_fixture(tmp_path, scene, monkeypatch):
    monkeypatch.setattr(testing, "_claims", {})
    monkeypatch.setenv("WAYMARK_REPORT", str(tmp_path / "report"))
    case, file = unittest.TestCase(), tmp_path / "test_map.py"
    with waymark_maps.Renderer() as renderer:
        options = {"with_renderer": renderer, "test_file": file}
        with case.assertRaisesRegex(AssertionError, "has been recorded"):
            testing.assert_picture(scene, "hall", **options)
        testing.assert_picture(scene, "hall", **options)
        testing.assert_picture(scene.to_dict(), "hall", **options)
        with case.assertRaisesRegex(AssertionError, '"hall" differs from '):
            testing.assert_picture(scene, "hall", background="black", **options)


def test_content_is_ignored(scene, run_tests):
    """As in the program's `diff`."""
    moved = waymark_maps.Scene(size=(64, 48), background="white", camera=scene.camera)
    moved.add(waymark_maps.Marker((126.978, 37.5663), id="hall", caption_text="Hall"))
    assert waymark_maps.diff(scene, moved)
    assert waymark_maps.diff(scene, moved, ignore=["hall"]).matches
    assert waymark_maps.diff(scene, moved, ignore_types=["marker"]).matches
    assert waymark_maps.diff(scene, moved, ignore_rects=[(0, 0, 64, 48)]).matches
    assert waymark_maps.diff(scene, moved, ignore_rects=[(0, 0, 2, 2)])
    with pytest.warns(UserWarning, match='^ignore: the compared pictures have no overlay or map element with the id "hal"') as caught:
        assert waymark_maps.diff(scene, moved, ignore=["hal"])
    assert caught[0].filename == __file__
    with pytest.raises(waymark_maps.UsageError, match="^ignore_types: "):
        waymark_maps.diff(scene, moved, ignore_types=["mark"])
    # Pictures without inspections have no overlays.
    pictures = [waymark_maps.render(item) for item in (scene, moved)]
    for options in ({"ignore": ["hall"]}, {"ignore_types": ["marker"]}):
        with pytest.raises(waymark_maps.UsageError, match="overlays cannot be ignored, because neither picture has a(n| valid) inspection"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                waymark_maps.diff(*pictures, **options)
    run_tests(TESTS)
    assert run_tests(TESTS.replace("scene()", "scene(37.5663)").replace('"hall")', '"hall", ignore=["hall"])'))[0]


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"ignore": "hall"}, "ignore must be a list of str, not 'hall'"),
        ({"ignore_types": "marker"}, "ignore_types must be a list of str, not 'marker'"),
        ({"ignore_rects": [(1, 2, 3)]}, "ignore_rects: a rectangle must be (x, y, width, height) in device pixels, not (1, 2, 3)"),
        ({"ignore_rects": (0, 0, 4, 4)}, "ignore_rects: a rectangle must be (x, y, width, height) in device pixels, not 0"),
    ],
)
def test_content_that_cannot_be_ignored(options, sentence, scene):
    with pytest.raises(waymark_maps.UsageError) as error:
        waymark_maps.diff(scene, scene, **options)
    assert str(error.value) == sentence
