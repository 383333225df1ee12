"""Single pictures: their bytes, their errors, and what becomes of workers."""

import io
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy
import PIL.Image
import pytest
from conftest import EXAMPLES, is_alive

import waymark_maps


@pytest.mark.parametrize("name", ["hello.json", "clusters.json", "block.json", "street.json", "cities-10-million.geojson"])
def test_bytes_are_those_of_the_program(name, run_program, tmp_path):
    assert run_program("render", EXAMPLES / name, "-o", tmp_path / "a.png").returncode == 0
    assert waymark_maps.render(EXAMPLES / name).png == (tmp_path / "a.png").read_bytes()


@pytest.mark.parametrize(
    "options, arguments, name",
    [
        ({"size": (200, 150), "pixel_ratio": 1.5}, ["--size", "200x150", "--pixel-ratio", "1.5"], "a.png"),
        ({"camera": waymark_maps.Camera((127, 37.5), zoom=9, tilt=40)}, ["--center", "37.5,127", "--zoom", "9", "--tilt", "40", "--bearing", "0"], "a.png"),
        ({"format": "jpeg", "quality": 60, "progressive": True}, ["--quality", "60", "--progressive"], "a.jpg"),
        ({"format": "webp"}, [], "a.webp"),
        ({"format": "rgba", "background": "#20283080"}, ["--background", "#20283080"], "a.rgba"),
        ({"palette": 8}, ["--palette", "8"], "a.png"),
        ({"theme": "dark"}, ["--theme", "dark"], "a.png"),
    ],
)
def test_options_are_those_of_the_program(options, arguments, name, run_program, tmp_path):
    done = run_program("render", EXAMPLES / "hello.json", "-o", tmp_path / name, *arguments)
    assert done.returncode == 0, done.stderr
    picture = waymark_maps.render(EXAMPLES / "hello.json", **options)
    assert picture.data == (tmp_path / name).read_bytes()
    picture.save(tmp_path / f"saved-{name}")
    assert (tmp_path / f"saved-{name}").read_bytes() == picture.data


def test_a_theme(scene):
    plain = waymark_maps.render(scene)
    dark = waymark_maps.render(scene, theme="dark")
    assert dark.data != plain.data
    themed = {**scene.to_dict(), "theme": "dark"}
    assert waymark_maps.render(themed).data == dark.data
    assert waymark_maps.render({**themed, "theme": None}).data == plain.data
    with waymark_maps.Pool(1, base=scene, theme="dark") as pool:
        jobs = [{}, {"theme": None}, {"theme": "gray"}]
        pictures = [future.result() for future in [pool.submit(job) for job in jobs]]
    assert [picture.data for picture in pictures] == [
        dark.data,
        plain.data,
        waymark_maps.render(scene, theme="gray").data,
    ]


def test_a_dict_and_objects_give_the_same_bytes(scene, run_program, tmp_path):
    scene.save(tmp_path / "scene.json")
    assert run_program("render", tmp_path / "scene.json", "-o", tmp_path / "a.png").returncode == 0
    expected = (tmp_path / "a.png").read_bytes()
    assert waymark_maps.render(scene).data == expected
    assert waymark_maps.render(scene.to_dict()).data == expected
    assert waymark_maps.render(str(tmp_path / "scene.json")).data == expected


def test_geojson_that_a_scene_holds(tmp_path, run_program):
    places = json.loads((EXAMPLES / "cities-10-million.geojson").read_text())
    held = waymark_maps.Scene(overlays=[waymark_maps.GeoJSON(places, marker=waymark_maps.MarkerTemplate(caption_text="{name}"))])
    named = waymark_maps.Scene(overlays=[waymark_maps.GeoJSON(EXAMPLES / "cities-10-million.geojson", marker={"captionText": "{name}"})])
    picture = waymark_maps.render(held)
    assert picture.data == waymark_maps.render(named).data
    assert len(set(map(tuple, picture.array.reshape(-1, 4)))) > 10


def test_a_geodataframe_is_drawn():
    geopandas = pytest.importorskip("geopandas")
    from shapely.geometry import Point

    table = geopandas.GeoDataFrame({"title": ["a", None]}, geometry=[Point(127, 37), Point(127.1, 37.1)], crs=4326)
    expected = waymark_maps.render(table)
    assert expected.data == waymark_maps.render(json.loads(table.to_json())).data
    # Two pins in meters are two pins.
    meters = waymark_maps.render(table.to_crs(5179))
    assert meters.size == expected.size
    assert numpy.mean(meters.array != expected.array) < 0.01


def test_relative_paths_start_from_the_working_directory(tmp_path, monkeypatch):
    waymark_maps.render(EXAMPLES / "hello.json")
    PIL.Image.new("RGB", (4, 4), "red").save(tmp_path / "dot.png")
    scene = waymark_maps.Scene(size=(8, 8), camera=waymark_maps.Camera((0, 0), zoom=3), overlays=[waymark_maps.Marker((0, 0), icon_image="dot.png")])
    with pytest.raises(waymark_maps.InputError, match=r"overlays\[0\].icon_image: dot.png: cannot read the file"):
        waymark_maps.render(scene)
    monkeypatch.chdir(tmp_path)
    assert waymark_maps.render(scene).diagnostics == ()
    scene.save("scene.json")
    assert waymark_maps.render("scene.json").data == waymark_maps.render(scene).data


def test_pixels(scene, tmp_path):
    raw, png = waymark_maps.render(scene, format="rgba"), waymark_maps.render(scene)
    assert raw.size == png.size == (64, 48)
    assert raw.array.shape == (48, 64, 4) and raw.array.dtype == numpy.uint8
    assert numpy.array_equal(raw.array, png.array)
    assert numpy.array_equal(numpy.asarray(PIL.Image.open(io.BytesIO(raw.png)).convert("RGBA")), raw.array)
    assert numpy.array_equal(numpy.asarray(raw.to_pil()), raw.array)
    # Straight alpha: a color under half an alpha is itself.
    half = waymark_maps.render({"waymark": 1, "size": {"width": 1, "height": 1}, "background": "#ff000080"})
    assert half.array.tolist() == [[[255, 0, 0, 128]]]
    assert waymark_maps.render(scene, format="webp").png.startswith(b"\x89PNG")
    assert png._repr_png_() == png.data and raw._repr_png_().startswith(b"\x89PNG")
    jpeg = waymark_maps.render(scene, format="jpeg")
    assert jpeg._repr_png_() is None and jpeg._repr_jpeg_() == jpeg.data


def test_without_numpy_and_pillow():
    code = (
        "import sys; sys.modules['numpy'] = sys.modules['PIL'] = None\n"
        "import waymark_maps\n"
        "picture = waymark_maps.render({'waymark': 1, 'size': {'width': 2, 'height': 2}})\n"
        "for read in (lambda: picture.array, picture.to_pil):\n"
        "    try: read()\n"
        "    except waymark_maps.MissingPackage as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "numpy, which holds the pixels of a picture, is not installed; run `pip install numpy`",
        'Pillow, which reads pictures, is not installed; run `pip install pillow`, or draw with format="rgba"',
    ], done.stderr


def test_a_picture_is_saved_whole_or_not_at_all(scene, tmp_path):
    picture = waymark_maps.render(scene)
    with pytest.raises(waymark_maps.UsageError, match='the picture is a PNG, but the name ends in .webp; draw it with format="webp"'):
        picture.save(tmp_path / "a.webp")
    with pytest.raises(waymark_maps.UsageError, match="the picture is a PNG, but the name ends in .gif; end the name in .png"):
        picture.save(tmp_path / "a.gif")
    with pytest.raises(waymark_maps.UsageError, match="the picture is a PNG, but the name has no extension; end the name in .png"):
        picture.save(tmp_path / "a")
    with pytest.raises(waymark_maps.OutputError, match="No such file or directory"):
        picture.save(tmp_path / "none" / "a.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(waymark_maps.OutputError):
        picture.save(tmp_path / "folder.png")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.png"]
    (tmp_path / "a.png").write_text("old")
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == picture.data
    assert (tmp_path / "a.png").stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


# Inspection, picking, comparison


def test_inspect_is_what_the_program_prints(run_program):
    printed = run_program("inspect", EXAMPLES / "clusters.json")
    assert waymark_maps.inspect(EXAMPLES / "clusters.json") == json.loads(printed.stdout)
    drawn = waymark_maps.render(EXAMPLES / "clusters.json", inspect=True)
    assert drawn.inspection == json.loads(printed.stdout)
    turned = run_program("inspect", EXAMPLES / "hello.json", "--size", "190x180")
    assert waymark_maps.inspect(EXAMPLES / "hello.json", size=(190, 180)) == json.loads(turned.stdout)
    labels = run_program("inspect", EXAMPLES / "helsinki.json", "--symbols")
    assert waymark_maps.inspect(EXAMPLES / "helsinki.json", symbols=True) == json.loads(labels.stdout)
    assert not waymark_maps.inspect(EXAMPLES / "helsinki.json")["symbols"]


def test_pick_is_what_the_program_prints(scene, run_program, tmp_path):
    scene.save(tmp_path / "a.json")
    for point in [(32, 20), (1, 1), (32, 28)]:
        printed = run_program("pick", tmp_path / "a.json", "--at", f"{point[0]},{point[1]}")
        assert [vars(hit) for hit in waymark_maps.pick(scene, *point)] == json.loads(printed.stdout)
    assert waymark_maps.pick(scene, 32, 20) == [waymark_maps.Hit("hall", "marker", "icon")]
    scene.overlays[0].is_hidden = True
    assert waymark_maps.pick(scene, 32, 20) == []
    assert waymark_maps.pick(scene, 32, 20, include_invisible=True) == [waymark_maps.Hit("hall", "marker", "icon")]


def test_pick_refuses_what_the_program_refuses(scene):
    with pytest.raises(waymark_maps.UsageError) as error:
        waymark_maps.pick(scene, 65, 2)
    assert str(error.value) == "at: (65, 2) is outside the picture of 64 × 48 pt"
    with pytest.raises(waymark_maps.UsageError, match="tolerance: 101 is outside 0…100"):
        waymark_maps.pick(scene, 1, 2, tolerance=101)
    with pytest.raises(waymark_maps.UsageError, match="^x: 'a' is not a finite number$"):
        waymark_maps.pick(scene, "a", 2)
    with pytest.raises(waymark_maps.UsageError, match="^y: nan is not a finite number$"):
        waymark_maps.pick(scene, 1, math.nan)


def test_diff(scene, tmp_path):
    same = waymark_maps.diff(scene, waymark_maps.render(scene))
    assert not same and same.matches and same.differing_pixels == 0
    moved = waymark_maps.Scene(size=(64, 48), background="white", camera=scene.camera)
    moved.add(waymark_maps.Marker((126.978, 37.5663), id="hall", caption_text="Hall"))
    different = waymark_maps.diff(scene, moved)
    assert different and different.differing_pixels > 20
    assert [overlay["id"] for overlay in different.overlays] == ["hall"]
    assert "moved" in [change["change"] for change in different.overlays[0]["changes"]]
    assert different.picture.size == (64, 48)
    waymark_maps.render(scene).save(tmp_path / "a.png")
    assert waymark_maps.diff(tmp_path / "a.png", waymark_maps.render(scene, format="rgba")).matches
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        larger = waymark_maps.diff(scene, waymark_maps.render(scene, size=(65, 48)))
    assert larger and larger.picture is None
    with pytest.raises(waymark_maps.InputError, match="none.png: cannot read the file: No such file or directory"):
        waymark_maps.diff(scene, "none.png")


# Errors


@pytest.mark.parametrize(
    "scene, kind, sentence",
    [
        ({"waymark": 1, "overlays": [{"type": "marker", "position": [1, 95]}]}, waymark_maps.SceneError, "the scene: overlays[0].position[1]: 95 is outside -90…90; the order is [longitude, latitude]"),
        ({"waymark": 1, "overlay": []}, waymark_maps.SceneError, 'the scene: unknown key "overlay"; did you mean "overlays"?'),
        ({}, waymark_maps.SceneError, 'the scene: this is neither a scene (the key "waymark" is missing) nor GeoJSON (the key "type" is missing)'),
        ({"type": "Point", "coordinates": [1]}, waymark_maps.SceneError, None),
        ("none.json", waymark_maps.InputError, "none.json: cannot read the file: No such file or directory"),
        ("/", waymark_maps.InputError, None),
        ({"waymark": 1, "size": {"width": 40_000, "height": 40_000}}, waymark_maps.SceneError, "size: 40000 × 40000 device pixels exceed the limit of 999999999"),
        ({"waymark": 1, "images": {"a": "data:image/png;base64,AAAA"}, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "a"}]}, waymark_maps.SceneError, None),
    ],
)  # fmt: skip
def test_scenes_that_are_wrong(scene, kind, sentence):
    with pytest.raises(waymark_maps.WaymarkError) as error:
        waymark_maps.render(scene)
    assert type(error.value) is kind and error.value.code == kind.code, error.value
    assert "\n" not in str(error.value)
    if sentence is not None:
        assert str(error.value) == sentence
    # The worker is as before.
    assert waymark_maps.render({"waymark": 1, "size": {"width": 1, "height": 1}}).size == (1, 1)


def test_arguments_that_are_wrong(scene):
    with pytest.raises(waymark_maps.UsageError, match="format: 'gif' is not one of png, jpeg, webp, rgba"):
        waymark_maps.render(scene, format="gif")
    with pytest.raises(waymark_maps.SceneError, match="quality: 101 is outside 1…100"):
        waymark_maps.render(scene, format="jpeg", quality=101)
    with pytest.raises(waymark_maps.SceneError, match="^pixel_ratio: 9 is outside 0.5…8"):
        waymark_maps.render(scene, pixel_ratio=9)
    with pytest.raises(waymark_maps.UsageError, match="a camera must be a Camera, a Fit or a dict, not 'x'"):
        waymark_maps.render(scene, camera="x")
    with pytest.raises(waymark_maps.UsageError, match="lenient and strict are mutually exclusive"):
        waymark_maps.Renderer(lenient=True, strict=True)
    with pytest.raises(waymark_maps.UsageError, match="deadline: 0 is not a finite number of seconds above 0"):
        waymark_maps.Renderer(deadline=0)
    with pytest.raises(waymark_maps.UsageError, match="deadline: 'x' is not a finite number of seconds above 0"):
        waymark_maps.Renderer(deadline="x")


def test_what_is_not_drawn_as_requested_is_told(tmp_path):
    scene = {"waymark": 1, "camera": {"center": [0, 0], "zoom": 2}, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": str(tmp_path / "no.png")}]}
    with pytest.raises(waymark_maps.InputError):
        waymark_maps.render(scene)
    with waymark_maps.Renderer(lenient=True) as renderer:
        (sentence, *_) = renderer.render(scene).diagnostics
        assert "no.png" in sentence
    with waymark_maps.Renderer(strict=True) as renderer, pytest.raises(waymark_maps.SceneError, match="there is nothing to fit"):
        renderer.render({"waymark": 1})


def test_points_of_a_file_are_grouped(scene, tmp_path, run_program):
    path = tmp_path / "shops.csv"
    path.write_text("lat,lng,name\n37.5,127,A\n37.5001,127.0001,B\n37.6,127.2,C\n")
    assert run_program("render", path, "--cluster", "-o", tmp_path / "a.png").returncode == 0
    expected = (tmp_path / "a.png").read_bytes()
    assert waymark_maps.render(path).data != expected
    with waymark_maps.Renderer(cluster=True) as renderer:
        assert renderer.render(path).data == expected
        with pytest.raises(waymark_maps.UsageError, match="^cluster: only the points in a file of features can be clustered"):
            renderer.render(scene)
    with waymark_maps.Pool(1, cluster=True) as pool:
        assert pool.render(path).data == expected
    list(waymark_maps.batch([{"id": "shops"}], base=path, output=tmp_path / "out", cluster=True))
    assert (tmp_path / "out/shops.png").read_bytes() == expected
    with pytest.raises(waymark_maps.UsageError, match="^cluster: without a base scene, there are no points to group$"):
        list(waymark_maps.batch([{"id": "shops"}], output=tmp_path / "out", cluster=True))


def test_a_device_that_is_not_there(scene):
    with waymark_maps.Renderer(device="cuda:99") as renderer, pytest.raises(waymark_maps.DeviceError):
        renderer.render(scene)
    with waymark_maps.Renderer(device="nonsense") as renderer, pytest.raises(waymark_maps.WaymarkError):
        renderer.render(scene)


def test_a_program_that_is_not_there(scene, monkeypatch, tmp_path):
    monkeypatch.setenv("WAYMARK_PROGRAM", str(tmp_path / "none"))
    with waymark_maps.Renderer() as renderer, pytest.raises(waymark_maps.DeviceError, match="the waymark program cannot be started: No such file"):
        renderer.render(scene)
    monkeypatch.setenv("WAYMARK_PROGRAM", "/bin/true")
    with waymark_maps.Renderer() as renderer, pytest.raises(waymark_maps.WorkerCrashed, match="the worker ended with exit code 0 before it had started"):
        renderer.render(scene)
    monkeypatch.setenv("WAYMARK_PROGRAM", "/bin/echo")
    with waymark_maps.Renderer(deadline=1) as renderer, pytest.raises(waymark_maps.WaymarkError):
        renderer.render(scene)


def test_options_that_the_worker_refuses(scene, capfd):
    for options, kind, sentence in [
        ({"cache_bytes": -1}, waymark_maps.UsageError, "cache_bytes: "),
        ({"device": "nonsense"}, waymark_maps.UsageError, "device: "),
    ]:
        with waymark_maps.Renderer(**options) as renderer, pytest.raises(kind) as error:
            renderer.render(scene)
        assert type(error.value) is kind and str(error.value).startswith(sentence)
    # The exception says it, and nothing else.
    assert capfd.readouterr().err == ""


# Workers


def test_a_worker_that_was_killed_is_replaced(scene):
    with waymark_maps.Renderer() as renderer:
        expected = renderer.render(scene).data
        for _ in range(3):
            os.kill(renderer._worker.process.pid, signal.SIGKILL)
            assert renderer.render(scene).data == expected


def test_a_worker_that_crashes_twice_is_an_error(fake):
    with waymark_maps.Renderer() as renderer:
        assert renderer.render({"fake": "crash once", "name": "a"}).data == b"a"
        with pytest.raises(waymark_maps.WorkerCrashed, match="the worker was ended by SIGKILL during this picture"):
            renderer.render({"fake": "crash"})
        with pytest.raises(waymark_maps.WorkerCrashed, match="the worker ended with exit code 3 during this picture"):
            renderer.render({"fake": "exit"})
        with pytest.raises(waymark_maps.InternalError) as error:
            renderer.render({"fake": "babble"})
        assert str(error.value) == "a worker violated the protocol"
        assert renderer.render({"name": "b"}).data == b"b"


def test_a_deadline_ends_the_worker_and_not_the_renderer(fake):
    with waymark_maps.Renderer(deadline=0.3) as renderer:
        with pytest.raises(waymark_maps.DeadlineExceeded, match="the picture was not finished within 0.3 s"):
            renderer.render({"fake": "hang"})
        assert renderer.render({"name": "b"}).data == b"b"


def test_large_scenes_and_pictures_pass_the_pipes(fake):
    with waymark_maps.Renderer() as renderer:
        picture = renderer.render({"name": "x" * 1000, "times": 50_000, "padding": "y" * 20_000_000})
        assert len(picture.data) == 50_000_000


def test_threads_take_turns(fake):
    results = []
    with waymark_maps.Renderer() as renderer:
        threads = [threading.Thread(target=lambda n=n: results.append((n, renderer.render({"name": f"p{n}"}).data))) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(results) == [(n, f"p{n}".encode()) for n in range(20)]


def test_an_interrupt_leaves_no_answer_for_the_next_picture(fake):
    # A process that a shell runs in the background ignores the signal otherwise.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with waymark_maps.Renderer() as renderer:
            timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                renderer.render({"fake": "hang"})
            assert renderer.render({"name": "b"}).data == b"b"
    finally:
        signal.signal(signal.SIGINT, handler)


def test_a_forked_process_starts_its_own_worker(scene):
    expected = waymark_maps.render(scene).data
    mine = waymark_maps.renderer.shared()._worker.process.pid
    child = os.fork()
    if child == 0:
        good = waymark_maps.render(scene).data == expected and waymark_maps.renderer.shared()._worker.process.pid != mine
        waymark_maps.renderer.shared().close()
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert waymark_maps.render(scene).data == expected
    assert waymark_maps.renderer.shared()._worker.process.pid == mine


def test_a_worker_ends_with_its_process(tmp_path):
    code = (
        "import os, signal, waymark_maps\n"
        "waymark_maps.render({'waymark': 1, 'size': {'width': 1, 'height': 1}})\n"
        "print(waymark_maps.renderer.shared()._worker.process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    pid = int(done.stdout)
    until = time.monotonic() + 20
    while is_alive(pid):
        assert time.monotonic() < until, "the worker outlives its process"
        time.sleep(0.02)
