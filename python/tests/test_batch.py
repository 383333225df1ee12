"""Batches into folders."""

import json
import os
import warnings

import pytest
from conftest import children

import waymark_maps


def jobs(count):
    return [waymark_maps.Job(f"p{n}", change={"hall": {"captionText": f"{n}"}}) for n in range(count)]


def files(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".jsonl"}


def test_every_picture_is_told_and_is_that_of_the_program(scene, tmp_path, run_program):
    events = list(waymark_maps.batch(jobs(20), base=scene, output=tmp_path / "out", workers=2))
    assert isinstance(events[0], waymark_maps.Begun) and events[0].progress == waymark_maps.Progress(jobs=20)
    done = [event for event in events if isinstance(event, waymark_maps.Done)]
    assert {event.id for event in done} == {f"p{n}" for n in range(20)}
    assert [event.progress.done for event in done] == list(range(1, 21))
    assert all(os.path.getsize(event.path) == event.bytes and event.size == (64, 48) for event in done)
    assert isinstance(events[-1], waymark_maps.Summary) and events[-1].data["done"] == 20
    scene.save(tmp_path / "base.json")
    (tmp_path / "jobs.jsonl").write_bytes(b"".join(waymark_maps.encoding.encode(job) + b"\n" for job in jobs(20)))
    assert run_program("batch", "jobs.jsonl", "-o", "program", "--scene", "base.json", folder=tmp_path).returncode == 0
    assert files(tmp_path / "out") == files(tmp_path / "program")
    assert len(files(tmp_path / "out")) == 20
    # From files, too.
    list(waymark_maps.batch(tmp_path / "jobs.jsonl", base=tmp_path / "base.json", output=tmp_path / "again"))
    assert files(tmp_path / "again") == files(tmp_path / "out")


def test_a_job_may_have_all_keys_of_a_scene(scene, tmp_path):
    job = {**scene.to_dict(), "id": "a"}
    list(waymark_maps.batch([job], output=tmp_path))
    assert (tmp_path / "a.png").read_bytes() == waymark_maps.render(scene).data
    with waymark_maps.Pool(1, base={"waymark": 1}) as pool:
        assert pool.render(job).data == waymark_maps.render(scene).data


def test_it_goes_on_where_it_was_left(scene, tmp_path):
    # Enough jobs that the program is not finished when the fifth is reported.
    count = 600
    out = tmp_path / "out"
    for event in waymark_maps.batch(jobs(count), base=scene, output=out, workers=1):
        if event.progress.done == 5:
            break
    assert not children()
    drawn = len(files(out))
    assert 5 <= drawn < count
    events = list(waymark_maps.batch(jobs(count), base=scene, output=out, resume=True))
    assert events[0].progress.skipped == drawn
    assert events[-1].progress == waymark_maps.Progress(jobs=count, done=count - drawn, skipped=drawn)
    assert len(files(out)) == count


def test_a_batch_that_is_never_iterated_warns(scene, tmp_path):
    with pytest.warns(UserWarning) as caught:
        waymark_maps.batch(jobs(1), base=scene, output=tmp_path / "out")
    sentence = f"the batch into {tmp_path / 'out'} was never iterated, so nothing was drawn; iterate over its events: for event in batch(…)"
    assert [(str(item.message), item.filename) for item in caught] == [(sentence, __file__)]
    assert not (tmp_path / "out").exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        events = waymark_maps.batch(jobs(1), base=scene, output=tmp_path / "out")
        assert isinstance(next(events), waymark_maps.Begun)
        del events


def test_a_base_that_holds_geojson_goes_on_too(tmp_path):
    place = {"type": "Point", "coordinates": [127, 37]}
    base = waymark_maps.Scene(size=(20, 20), overlays=[waymark_maps.GeoJSON(place)])
    for skipped in (0, 3):
        events = list(waymark_maps.batch([{"id": f"p{n}"} for n in range(3)], base=base, output=tmp_path, resume=True))
        assert events[0].progress.skipped == skipped
    expected = waymark_maps.render({"waymark": 1, **base.members(), "overlays": base.overlays})
    assert (tmp_path / "p0.png").read_bytes() == expected.data


def test_jobs_that_fail_alone(scene, tmp_path):
    mixed = [*jobs(3), {"id": "bad", "remove": ["none"]}, {"size": 5}, {"id": "file", "add": [{"type": "marker", "position": [0, 0], "iconImage": "no.png"}]}]
    failed = []
    with pytest.raises(waymark_maps.BatchIncomplete, match="3 jobs failed"):
        try:
            for event in waymark_maps.batch(mixed, base=scene, output=tmp_path / "out"):
                if isinstance(event, waymark_maps.Failed):
                    failed.append((event.line, event.id, type(event.error), str(event.error)))
        except waymark_maps.BatchIncomplete as error:
            assert error.summary is event and error.summary.data["failed"] == 3
            raise
    assert sorted(failed)[0] == (4, "bad", waymark_maps.SceneError, 'remove[0]: no overlay has the id "none"')
    assert sorted(failed)[1][:3] == (5, None, waymark_maps.SceneError)
    assert sorted(failed)[2][:3] == (6, "file", waymark_maps.InputError)
    events = list(waymark_maps.batch(mixed, base=scene, output=tmp_path / "out", raise_incomplete=False))
    assert events[-1].data["failed"] == 3 and events[-1].progress.finished == 6
    # A job that takes too long is reported as such.
    big = {"id": "big", "size": {"width": 20000, "height": 20000}}
    (error,) = [event.error for event in waymark_maps.batch([big], base=scene, output=tmp_path / "late", deadline=0.1, raise_incomplete=False) if isinstance(event, waymark_maps.Failed)]
    assert isinstance(error, waymark_maps.DeadlineExceeded)


@pytest.mark.parametrize(
    "arguments, kind, sentence",
    [
        ({"jobs": "none.jsonl"}, waymark_maps.InputError, "none.jsonl: "),
        ({"base": "none.json"}, waymark_maps.InputError, "none.json: "),
        ({"base": {"waymark": 2}}, waymark_maps.SceneError, "the scene: waymark: "),
        ({"jobs": [{"id": "a"}, {"id": "a"}]}, waymark_maps.SceneError, ""),
        ({"jobs": [5]}, waymark_maps.UsageError, "job 1: a job must be a Job or a dict, not int"),
        ({"jobs": [{"id": "a", "alpha": float("nan")}]}, waymark_maps.SceneError, "alpha: NaN is not allowed in JSON"),
        ({"output": "/proc/none/out"}, waymark_maps.OutputError, "/proc/none/out: "),
        ({"workers": 0}, waymark_maps.UsageError, "workers: 0 is outside 1…1024"),
        ({"workers": 1.5}, waymark_maps.UsageError, "workers: 1.5 is not a whole number"),
        ({"shard": 3}, waymark_maps.UsageError, "shard: 3 is not (index, count)"),
        ({"deadline": None}, waymark_maps.UsageError, "deadline: None is not a finite number of seconds above 0"),
        ({"deadline": -1}, waymark_maps.UsageError, "deadline: -1 is not a finite number of seconds above 0"),
        ({"deadline": float("nan")}, waymark_maps.UsageError, "deadline: nan is not a finite number of seconds above 0"),
        ({"cache_bytes": -1}, waymark_maps.UsageError, "cache_bytes: "),
        ({"shard": (4, 4)}, waymark_maps.UsageError, "shard: "),
        ({"format": "gif"}, waymark_maps.UsageError, "format: 'gif' is not one of png, jpeg, webp, rgba"),
        (
            {"camera": waymark_maps.Camera((0, 0)), "base": "base.json"},
            waymark_maps.UsageError,
            "camera: this argument requires a base scene that is a Scene or a dict",
        ),
    ],
)
def test_what_cannot_begin(arguments, kind, sentence, tmp_path):
    with pytest.raises(waymark_maps.WaymarkError) as error:
        list(waymark_maps.batch(**{"jobs": [{"id": "a"}], "output": tmp_path / "out", **arguments}))
    assert type(error.value) is kind and str(error.value).startswith(sentence), error.value
    assert not children()


def test_names_that_begin_with_a_dash(scene, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("-", "-o", "--scene"):
        scene.save(f"./{name}")
        (tmp_path / "--jobs").write_text('{"id": "a"}\n')
        list(waymark_maps.batch("--jobs", base=name, output="--out", resume=False))
        assert (tmp_path / "--out" / "a.png").read_bytes() == waymark_maps.render(scene).data


def test_options(scene, tmp_path):
    options = {"size": (30, 20), "pixel_ratio": 2, "background": "red", "camera": waymark_maps.Camera((126.978, 37.566), zoom=5)}
    list(waymark_maps.batch([{"id": "a"}], base=scene, output=tmp_path, format="jpeg", quality=50, inspect=True, **options))
    expected = waymark_maps.render(scene, format="jpeg", quality=50, **options)
    assert (tmp_path / "a.jpg").read_bytes() == expected.data
    assert json.loads((tmp_path / "a.json").read_text()) == waymark_maps.inspect(scene, size=(30, 20), pixel_ratio=2, camera=options["camera"])
    shards = [list(waymark_maps.batch(jobs(30), base=scene, output=tmp_path / "shards", shard=(n, 3)))[-1].progress.done for n in range(3)]
    assert sum(shards) == 30 and min(shards) > 0


def test_warnings_are_told(scene, tmp_path):
    lost = {"id": "a", "add": [{"type": "marker", "position": [126.978, 37.566], "iconImage": "no.png"}]}
    events = list(waymark_maps.batch([lost], base=scene, output=tmp_path, lenient=True))
    (warned,) = [event for event in events if isinstance(event, waymark_maps.Warned)]
    assert warned.id == "a" and warned.line == 1 and "no.png" in warned.message


def test_messages_name_nothing_that_python_has_not(scene, tmp_path):
    for jobs, base, sentence in [
        ([{"id": "a"}, {"id": "b"}, {"id": "a"}], scene, 'job 3: the id "a" is already used by job 1'),
        ([{"id": "a"}], {"waymark": 2}, "the scene: waymark: version 2 is not supported; only version 1 is"),
    ]:
        with pytest.raises(waymark_maps.SceneError) as error:
            list(waymark_maps.batch(jobs, base=base, output=tmp_path))
        assert str(error.value) == sentence
    # A file is named in the form in which it was given.
    (tmp_path / "jobs.jsonl").write_text('{"id": "a"}\n{"id": "a"}\n')
    with pytest.raises(waymark_maps.SceneError) as error:
        list(waymark_maps.batch(tmp_path / "jobs.jsonl", base=scene, output=tmp_path))
    assert str(error.value) == f'{tmp_path}/jobs.jsonl: line 2: the id "a" is already used in line 1'
