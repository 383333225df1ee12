"""Many pictures at a time, and workers that come to grief."""

import asyncio
import gc
import itertools
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import EXAMPLES, children, is_alive, workers_of

import waymark_maps


# With the program


def test_bytes_are_those_of_single_pictures(scene):
    scenes = [scene, EXAMPLES / "hello.json", {"type": "Point", "coordinates": [127, 37]}] * 3
    expected = [waymark_maps.render(item).data for item in scenes]
    with waymark_maps.Pool(2) as pool:
        assert [picture.data for picture in pool.map(scenes)] == expected
        assert pool.device_name.startswith("llvmpipe")


def test_jobs_change_the_base_scene(scene):
    jobs = [waymark_maps.Job(f"p{n}", change={"hall": {"captionText": f"{n}"}}) for n in range(8)] + [{"background": "red"}]
    with waymark_maps.Pool(2, base=scene, format="webp") as pool:
        pictures = list(pool.map(jobs))
    assert [picture.output for picture in pictures[:2]] == ["p0.webp", "p1.webp"]
    for n, picture in enumerate(pictures[:8]):
        scene.overlays[0].caption_text = f"{n}"
        assert picture.data == waymark_maps.render(scene, format="webp").data
    scene.overlays[0].caption_text = "Hall"
    assert pictures[8].data == waymark_maps.render(scene, background="red", format="webp").data


def test_hostile_scenes_cost_themselves_alone(scene):
    hostile = [
        {"waymark": 1, "overlays": [{"type": "marker", "position": [0, 99]}]},
        {"waymark": 2},
        "none.json",
        5,
        {"a": float("nan")},
        {"waymark": 1, "size": {"width": 1e9, "height": 1e9}},
        {"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "data:,"}]},
        {"waymark": 1, "overlays": [{"type": "polygon", "rings": [[[0, 0]] * 3]}] * 3, "camera": {"center": [0, 0], "zoom": 25}},
    ]
    expected = waymark_maps.render(scene).data
    with waymark_maps.Pool(2) as pool:
        mixed = [item for pair in zip(hostile, itertools.repeat(scene)) for item in pair]
        results = list(pool.map(mixed, return_exceptions=True))
        assert all(isinstance(result, waymark_maps.WaymarkError) for result in results[::2]), results[::2]
        assert all(result.data == expected for result in results[1::2])
        assert pool.restarts == 0


def test_workers_killed_at_any_moment(scene):
    expected = waymark_maps.render(scene).data
    with waymark_maps.Pool(2, retries=20) as pool:
        results = []
        for number, picture in enumerate(pool.map([scene] * 120)):
            results.append(picture.data)
            # One of them may be restarting.
            if number % 15 == 7 and (alive := workers_of(pool)):
                os.kill(alive[number % len(alive)], signal.SIGKILL)
        assert results == [expected] * 120
        assert pool.restarts >= 4


# With the fake


def names(pictures):
    return [picture.data.decode() if isinstance(picture, waymark_maps.Picture) else type(picture).__name__ for picture in pictures]


def test_pictures_come_in_order(fake):
    scenes = [{"name": f"p{n}", "fake": "slow" if n % 5 == 0 else None} for n in range(60)]
    with waymark_maps.Pool(3) as pool:
        assert names(pool.map(scenes)) == [f"p{n}" for n in range(60)]


@pytest.mark.parametrize("base", [None, {"waymark": 1}])
def test_a_crash_costs_one_picture(fake, base):
    jobs = [{"id": f"p{n}", "name": f"p{n}", **({"fake": "crash"} if n in (3, 4, 17) else {})} for n in range(30)]
    with waymark_maps.Pool(2, base=base, retries=0) as pool:
        results = names(pool.map(jobs, return_exceptions=True))
        assert results == ["WorkerCrashed" if n in (3, 4, 17) else f"p{n}" for n in range(30)]
        # A place whose worker ended last is filled again only when there is still a picture for it.
        assert pool.restarts in (2, 3)
        with pytest.raises(waymark_maps.WorkerCrashed, match="the worker was ended by SIGKILL during this picture"):
            pool.render(jobs[3])


def test_a_crash_that_does_not_come_again_costs_nothing(fake):
    jobs = [{"name": f"p{n}", "fake": "crash once" if n % 7 == 0 else None} for n in range(30)]
    with waymark_maps.Pool(2) as pool:
        assert names(pool.map(jobs)) == [f"p{n}" for n in range(30)]
        # A worker that is not needed any more is not replaced.
        assert pool.restarts in (4, 5)


def test_a_worker_killed_while_idle_costs_nothing(fake):
    with waymark_maps.Pool(1) as pool:
        for n in range(5):
            os.kill(workers_of(pool)[0], signal.SIGKILL)
            assert pool.render({"name": f"p{n}"}).data == f"p{n}".encode()


def test_a_program_killed_at_any_moment_costs_nothing(fake):
    scenes = [{"name": f"p{n}", "fake": "slow" if n % 10 == 5 else None} for n in range(200)]
    with waymark_maps.Pool(2, base={"waymark": 1}, retries=0) as pool:
        jobs = [{"id": scene["name"], **scene} for scene in scenes]
        for number, picture in enumerate(pool.map(jobs)):
            assert picture.data == f"p{number}".encode()
            if number % 40 == 7:
                os.kill(pool._client._process.process.pid, signal.SIGKILL)
        assert pool.restarts >= 2 * 5
    with waymark_maps.Pool(1) as pool:
        for n in range(3):
            os.kill(pool._client._process.process.pid, signal.SIGKILL)
            assert pool.render({"name": f"p{n}"}).data == f"p{n}".encode()


def test_a_program_that_ends_again_and_again(fake_program):
    """The fake reads jobs as the program does."""
    with waymark_maps.Pool(1, retries=1) as pool:
        assert pool.render({"name": "a", "fake": "crash once"}).data == b"a"
        with pytest.raises(waymark_maps.WorkerCrashed, match="the worker was ended by SIGKILL during this picture"):
            pool.render({"fake": "crash"})
        with pytest.raises(waymark_maps.InternalError) as error:
            pool.render({"fake": "babble"})
        assert str(error.value) == "a worker violated the protocol"
        with pytest.raises(waymark_maps.WorkerCrashed) as error:
            pool.render({"fake": "linger"})
        assert str(error.value) == "the worker closed its output during this picture and did not end"
        # The program itself gives up.
        with pytest.raises(waymark_maps.SceneError, match="a frame's header is not JSON"):
            pool.render({"fake": "fatal"})
        with pytest.raises(waymark_maps.SceneError, match="a frame's header is not JSON"):
            pool.render({"name": "b"})


def test_an_interrupt_while_a_message_is_sent_costs_nothing(fake, monkeypatch):
    with waymark_maps.Pool(1) as pool:
        future = pool.submit({"name": "a", "fake": "slow"})
        process = pool._client._process

        def interrupted():
            os.write(process._input, process._outgoing[0][:10])
            raise KeyboardInterrupt

        monkeypatch.setattr(process, "_flush", interrupted)
        with pytest.raises(KeyboardInterrupt):
            pool.submit({"name": "b"})
        assert future.result().data == b"a"
        assert pool.render({"name": "c"}).data == b"c"


def test_raw_pixels_of_any_size(scene):
    """Those that exceed their place in the memory come through the pipe."""
    with waymark_maps.Pool(2, format="rgba") as pool:
        sizes = [(4, 3), (300, 200), (2048, 2049)] * 4
        pictures = pool.map([{**scene.to_dict(), "size": {"width": width, "height": height}} for width, height in sizes])
        for size, picture in zip(sizes, pictures):
            assert picture.size == size
            assert picture.data == waymark_maps.render(scene, size=size, format="rgba").data


def test_a_deadline_costs_one_picture(fake):
    jobs = [{"name": f"p{n}", "fake": "hang" if n == 5 else None} for n in range(20)]
    with waymark_maps.Pool(2, deadline=0.5) as pool:
        assert names(pool.map(jobs, return_exceptions=True)) == ["DeadlineExceeded" if n == 5 else f"p{n}" for n in range(20)]
        with pytest.raises(waymark_maps.DeadlineExceeded, match="the picture was not finished within 0.5 s"):
            pool.render({"fake": "hang"})


def test_a_worker_that_babbles_is_replaced(fake):
    with waymark_maps.Pool(1, retries=0) as pool:
        with pytest.raises(waymark_maps.InternalError) as error:
            pool.render({"fake": "babble"})
        assert str(error.value).startswith("the worker violated the protocol: ")
        with pytest.raises(waymark_maps.InternalError) as error:
            pool.render({"fake": "mute"})
        assert str(error.value) == "a worker's answer cannot be read: KeyError('warnings')"
        assert pool.render({"name": "b"}).data == b"b"


@pytest.mark.parametrize("base", [None, {"waymark": 1}])
def test_a_message_that_the_worker_cannot_read_costs_one_picture(fake, base):
    jobs = [{"id": f"p{n}", "name": f"p{n}", **({"fake": "fatal"} if n in (3, 4) else {})} for n in range(10)]
    with waymark_maps.Pool(1, base=base) as pool:
        assert names(pool.map(jobs, return_exceptions=True)) == ["SceneError" if n in (3, 4) else f"p{n}" for n in range(10)]
        assert pool.restarts == 2
        with pytest.raises(waymark_maps.SceneError) as error:
            pool.render(jobs[3])
        assert str(error.value) == "a frame's header is not JSON"


def test_a_gpu_that_is_reset_costs_nothing(fake):
    with waymark_maps.Pool(1) as pool:
        assert names(pool.map([{"name": f"p{n}", "fake": "reset once" if n == 1 else None} for n in range(4)])) == ["p0", "p1", "p2", "p3"]
    with waymark_maps.Pool(1, retries=0) as pool, pytest.raises(waymark_maps.DeviceError, match="^the GPU was reset$"):
        pool.render({"name": "again", "fake": "reset once"})


def test_a_worker_that_closes_its_output_and_goes_on_is_replaced(fake):
    with waymark_maps.Pool(1, retries=0, deadline=None) as pool:
        with pytest.raises(waymark_maps.WorkerCrashed) as error:
            pool.render({"fake": "linger"})
        assert str(error.value) == "the worker was ended by SIGKILL during this picture"
        assert pool.render({"name": "b"}).data == b"b"


def test_log_messages_of_workers_are_passed_on(fake, capfd):
    with waymark_maps.Pool(1) as pool:
        assert pool.render({"name": "a", "fake": "log"}).data == b"a"
    assert capfd.readouterr().err == "the driver is old\n"
    with waymark_maps.Renderer() as renderer:
        assert renderer.render({"name": "a", "fake": "log"}).data == b"a"
    assert capfd.readouterr().err == "the driver is old\n"


def test_one_worker_that_starts_is_enough(fake, monkeypatch):
    monkeypatch.setenv("FAKE_START", "one")
    with waymark_maps.Pool(2) as pool:
        assert pool.render({"name": "a"}).data == b"a"
        # The other place is tried again.
        until = time.monotonic() + 60
        while len(workers_of(pool)) < 2:
            assert time.monotonic() < until
            time.sleep(0.01)


def test_a_base_scene_may_take_its_time(fake):
    with waymark_maps.Pool(1, base={"start": "slower"}, deadline=0.1) as pool:
        assert pool.render({"name": "a"}).data == b"a"
        os.kill(workers_of(pool)[0], signal.SIGKILL)
        assert pool.render({"name": "b"}).data == b"b"


@pytest.mark.parametrize("value", [10**400, -(10**310), "deep"])
def test_what_no_worker_reads_is_refused(scene, value):
    if value == "deep":
        value = []
        for _ in range(1100):
            value = [value]
    with waymark_maps.Pool(1, base=scene) as pool:
        with pytest.raises(waymark_maps.SceneError):
            pool.render({"change": {"hall": {"alpha": value}}})
        assert pool.render({"change": {"hall": {"captionText": "1" * 400}}}).data
        assert pool.restarts == 0


def test_relative_paths_start_where_the_scene_was_handed_in(scene, tmp_path, monkeypatch):
    scene.save(tmp_path / "scene.json")
    (tmp_path / "other").mkdir()
    expected = waymark_maps.render(scene).data
    monkeypatch.chdir(tmp_path)
    with waymark_maps.Pool(1) as pool, waymark_maps.Pool(1, base="scene.json") as based:
        futures = [pool.submit("scene.json") for _ in range(20)]
        monkeypatch.chdir(tmp_path / "other")
        assert [future.result().data for future in futures] == [expected] * 20
        os.kill(workers_of(based)[0], signal.SIGKILL)
        assert based.render({}).data == expected
        # A folder that was removed.
        (tmp_path / "other").rmdir()
        with pytest.raises(waymark_maps.InputError, match="scene.json"):
            pool.render("scene.json")
        assert pool.render(scene).data == expected
        monkeypatch.chdir(tmp_path)
        assert pool.render("scene.json").data == expected


def test_an_invalid_scene_does_not_take_the_picture_of_another(fake):
    with waymark_maps.Pool(1) as pool:
        assert names(pool.map([{"name": "a"}, {"fake": "invalid"}, {"name": "b"}], return_exceptions=True)) == ["a", "SceneError", "b"]


def test_an_exception_ends_the_iteration_and_takes_back_the_rest(fake):
    with waymark_maps.Pool(1) as pool:
        pictures = pool.map([{"name": "a"}, {"fake": "fail"}, *({"name": f"p{n}", "fake": "slow"} for n in range(100))])
        assert next(pictures).data == b"a"
        with pytest.raises(waymark_maps.SceneError, match="it is wrong"):
            list(pictures)
    assert len((fake / "drawn").read_text().splitlines()) < 50


def test_scenes_are_taken_as_there_is_room(fake):
    taken = 0

    def endless():
        nonlocal taken
        for taken in itertools.count(1):
            yield {"name": f"p{taken}"}

    with waymark_maps.Pool(2) as pool:
        pictures = pool.map(endless())
        for n in range(1, 51):
            assert next(pictures).data == f"p{n}".encode()
        assert taken <= 50 + 2 * 8 + 1
        pictures.close()


def test_futures(fake):
    with waymark_maps.Pool(1) as pool:
        hanging = pool.submit({"fake": "slow", "name": "a"})
        waiting = [pool.submit({"name": f"p{n}"}) for n in range(5)]
        assert waiting[4].cancel()
        assert hanging.result().data == b"a"
        assert [future.result().data for future in waiting[:4]] == [b"p0", b"p1", b"p2", b"p3"]
        assert waiting[4].cancelled()
        # One that a worker has is drawn to its end.
        hanging = pool.submit({"fake": "slow", "name": "b"})
        assert hanging.cancel() and pool.render({"name": "c"}).data == b"c"
    assert "p4" not in (fake / "drawn").read_text().split()


def test_many_threads(fake):
    with waymark_maps.Pool(3) as pool:
        results = {}

        def draw(number):
            results[number] = [pool.render({"name": f"{number}-{n}"}).data.decode() for n in range(10)]

        threads = [threading.Thread(target=draw, args=(number,)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {number: [f"{number}-{n}" for n in range(10)] for number in range(16)}


def test_asynchronously(fake):
    async def scenes():
        for n in range(100):
            await asyncio.sleep(0)
            yield {"name": f"p{n}", **({"fake": "fail"} if n == 50 else {})}

    async def draw():
        async with waymark_maps.Pool(2) as pool:
            results = [item async for item in pool.map_async(scenes(), return_exceptions=True)]
            # More at a time than the pool has room for.
            many = await asyncio.gather(*(pool.render_async({"name": f"q{n}"}) for n in range(400)))
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(pool.render_async({"fake": "hang"}), 0.3)
            with pytest.raises(waymark_maps.SceneError):
                await pool.render_async({"fake": "fail"})
            for worker in workers_of(pool):
                os.kill(worker, signal.SIGKILL)
            return results, many

    results, many = asyncio.run(draw())
    assert names(results) == ["SceneError" if n == 50 else f"p{n}" for n in range(100)]
    assert names(many) == [f"q{n}" for n in range(400)]


def test_cancelled_waiters_hold_up_no_one(fake):
    async def draw():
        with waymark_maps.Pool(1) as pool:
            room = 2000
            tasks = [asyncio.ensure_future(pool.render_async({"name": f"p{n}"})) for n in range(room)]
            await asyncio.sleep(0.05)
            for task in tasks[::2]:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            return [result for result in results if isinstance(result, waymark_maps.Picture)]

    assert len(asyncio.run(draw())) >= 1000


def test_a_base_scene_that_is_wrong(fake):
    with pytest.raises(waymark_maps.SceneError, match="the scene: invalid"):
        waymark_maps.Pool(2, base={"fake": "invalid"})
    with pytest.raises(waymark_maps.WorkerCrashed, match="the worker was ended by SIGKILL before it had read the base scene"):
        waymark_maps.Pool(2, base={"start": "crash"})


def test_workers_that_do_not_start(fake, monkeypatch):
    for start, kind, sentence in [
        ("fatal", waymark_maps.DeviceError, "EGL is missing"),
        ("other", waymark_maps.InternalError, "a worker violated the protocol: it uses protocol version 2, not 1"),
        ("refuse", waymark_maps.WorkerCrashed, "the worker ended with exit code 64 before it had started: error: --cache-bytes: -1 is below 0"),
        ("crash", waymark_maps.WorkerCrashed, "the worker was ended by SIGSEGV before it had started"),
    ]:
        monkeypatch.setenv("FAKE_START", start)
        with pytest.raises(kind) as error:
            waymark_maps.Pool(2)
        assert str(error.value) == sentence


def test_a_program_that_does_not_start(fake_program, monkeypatch):
    for start, kind, sentence in [
        ("fatal", waymark_maps.DeviceError, "EGL is missing"),
        ("other", waymark_maps.InternalError, f"{waymark_maps.program()} is not the waymark program of this version of the package"),
        ("refuse", waymark_maps.UsageError, "cache_bytes: -1 is below 0"),
        ("crash", waymark_maps.WorkerCrashed, "the worker was ended by SIGSEGV before it had started"),
    ]:
        monkeypatch.setenv("FAKE_START", start)
        with pytest.raises(kind) as error:
            waymark_maps.Pool(2)
        assert str(error.value) == sentence
    monkeypatch.setenv("FAKE_START", "crash once")
    with waymark_maps.Pool(2) as pool:
        assert pool.render({"name": "a"}).data == b"a"
    monkeypatch.setenv("WAYMARK_PROGRAM", "/none")
    with pytest.raises(waymark_maps.DeviceError, match="the waymark program cannot be started"):
        waymark_maps.Pool(2)


def test_arguments(fake):
    for arguments, sentence in [
        ({"workers": 0}, "workers: 0 is outside 1…1024"),
        ({"workers": 1.5}, "workers: 1.5 is not a whole number"),
        ({"camera": "x"}, "a camera must be a Camera, a Fit or a dict, not 'x'"),
        ({"workers": True}, "workers: True is not a whole number"),
        ({"deadline": -1}, "deadline: -1 is not a finite number of seconds above 0"),
        ({"deadline": "x"}, "deadline: 'x' is not a finite number of seconds above 0"),
        ({"retries": -1}, "retries: -1 is below 0"),
        ({"retries": "x"}, "retries: 'x' is not a whole number"),
        ({"retries": 1.5}, "retries: 1.5 is not a whole number"),
        ({"format": "gif"}, "format: 'gif' is not one of png, jpeg, webp, rgba"),
        ({"device": "a\0b"}, "device: 'a\\x00b' has a null character"),
    ]:
        with pytest.raises(waymark_maps.UsageError) as error:
            waymark_maps.Pool(**arguments)
        assert str(error.value) == sentence
    with pytest.raises(waymark_maps.SceneError) as error:
        waymark_maps.Pool(1, pixel_ratio=float("nan"))
    assert str(error.value) == "pixelRatio: NaN is not allowed in JSON"
    sentence = "a job must be a Job or a dict, not int"
    with waymark_maps.Pool(1, base={"waymark": 1}) as pool, pytest.raises(waymark_maps.UsageError, match=sentence):
        pool.render(5)


def test_a_closed_pool(fake):
    pool = waymark_maps.Pool(1)
    futures = [pool.submit({"name": f"p{n}", "fake": "slow"}) for n in range(10)]
    until = time.monotonic() + 20
    while not futures[0].running() and not futures[0].done():
        assert time.monotonic() < until
        time.sleep(0.001)
    pool.close()
    assert not children()
    results = [future.exception() for future in futures]
    # What the worker had in hand is finished.
    assert results[0] is None
    assert isinstance(results[-1], waymark_maps.UsageError)
    for act in (lambda: pool.render({}), lambda: list(pool.map([{}]))):
        with pytest.raises(waymark_maps.UsageError, match="the pool is closed"):
            act()
    pool.close()


def test_a_forgotten_pool_ends_its_workers(fake):
    pool = waymark_maps.Pool(2)
    pool.render({"name": "a"})
    assert len(children()) == 1
    workers = workers_of(pool)
    assert len(workers) == 2
    del pool
    gc.collect()
    until = time.monotonic() + 20
    while children() or any(map(is_alive, workers)):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_forked_process_has_no_pool(fake):
    with waymark_maps.Pool(1) as pool:
        pool.render({"name": "a"})
        child = os.fork()
        if child == 0:
            try:
                pool.render({"name": "b"})
            except waymark_maps.UsageError as error:
                os._exit(0 if "belongs to another process" in str(error) else 2)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        assert pool.render({"name": "c"}).data == b"c"


@pytest.mark.parametrize("ending", ["", "raise SystemExit(3)", "os.kill(os.getpid(), signal.SIGKILL)", "os.kill(os.getpid(), signal.SIGTERM)"])
def test_no_worker_outlives_its_process(fake, ending):
    code = (
        "import conftest, os, signal, waymark_maps\n"
        "pool = waymark_maps.Pool(2)\n"
        "pool.render({'name': 'a'})\n"
        "pool.submit({'name': 'b', 'fake': 'slow'})\n"
        f"print(pool._client._process.process.pid, *conftest.workers_of(pool), flush=True)\n{ending}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=pathlib.Path(__file__).parent)
    assert not done.stderr
    found = list(map(int, done.stdout.split()))
    assert len(found) == 3
    until = time.monotonic() + 20
    while any(map(is_alive, found)):
        assert time.monotonic() < until
        time.sleep(0.02)
