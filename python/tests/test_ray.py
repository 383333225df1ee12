"""Datasets on Ray. These tests run where Ray is installed, and start a cluster of this machine."""

import json
import os
import time

import pytest
from conftest import children, jobs, pictures

import waymark_maps
from waymark_maps.encoding import encode

ray = pytest.importorskip("ray")

import waymark_maps.ray  # noqa: E402
from waymark_maps.outputs import OutputFolder  # noqa: E402


@pytest.fixture
def no_process_is_left():
    """Ray's own processes stay."""


def test_pictures_are_those_of_a_batch(cluster, scene, tmp_path):
    summary = waymark_maps.ray.render_dataset(jobs(300), scene, tmp_path / "ray", batch_size=20)
    list(waymark_maps.batch(jobs(300), base=scene, output=tmp_path / "batch"))
    expected = {name: data for name, data in pictures(tmp_path / "batch").items() if name.endswith(".png")}
    assert pictures(tmp_path / "ray") == expected and len(expected) == 300
    assert summary["jobs"] == summary["done"] == 300 and summary["failed"] == summary["skipped"] == 0
    assert sum(summary["nodes"].values()) == 300 and summary["bytes"] == sum(map(len, expected.values()))
    assert set(summary["stages"]) == {"read", "layout", "draw", "readBack", "encode", "write"}
    # These pictures are drawn in memory, so nothing is read back from a GPU.
    assert all(stage["sum"] > 0 for name, stage in summary["stages"].items() if name not in ("read", "readBack"))
    # A second run draws the missing pictures.
    for n in range(0, 300, 3):
        (tmp_path / "ray" / f"p{n}.png").unlink()
    again = waymark_maps.ray.render_dataset(jobs(300), scene, tmp_path / "ray")
    assert (again["done"], again["skipped"]) == (100, 200) and pictures(tmp_path / "ray") == expected


def test_a_dataset_and_a_function(cluster, scene, tmp_path):
    pytest.importorskip("pyarrow")
    import ray.data

    dataset = ray.data.from_items([{"n": n, "name": f"Café {n}"} for n in range(50)])

    def job(row):
        if row["n"] == 7:
            raise KeyError("seven")
        return {"id": f"p{row['n']}", "output": f"{row['n'] % 3}/{row['n']}.webp", "change": {"hall": {"captionText": row["name"]}}}

    summary = waymark_maps.ray.render_dataset(dataset, scene, tmp_path, job=job)
    assert summary["done"] == 49
    assert summary["failures"] == [{"id": None, "code": 65, "message": "the row cannot be turned into a job: KeyError('seven')"}]
    scene.overlays[0].caption_text = "Café 8"
    assert (tmp_path / "2" / "8.webp").read_bytes() == waymark_maps.render(scene, format="webp").data
    # A column of jobs.
    texts = ray.data.from_items([{"job": encode(job).decode()} for job in jobs(5)])
    assert waymark_maps.ray.render_dataset(texts, scene, tmp_path / "texts")["done"] == 5
    with pytest.raises(waymark_maps.UsageError, match=r'the dataset has no column "job" \(it has n, name\)'):
        waymark_maps.ray.render_dataset(dataset, scene, tmp_path)


def test_jobs_that_fail_alone(cluster, scene, tmp_path):
    mixed = [*jobs(5), {"id": "large", "zoom": 10**400}, {"id": "bad", "remove": ["none"]}, {"no": "id"}, {"id": "out", "output": "../out.png"}]
    summary = waymark_maps.ray.render_dataset(mixed, scene, tmp_path)
    assert summary["done"] == 5 and summary["failed"] == 4
    found = {failure["id"]: failure["message"] for failure in summary["failures"]}
    assert found["bad"] == 'remove[0]: no overlay has the id "none"'
    assert found[None] == "a job must be an object whose id is a string"
    assert found["large"].endswith("with 401 digits is too large")
    assert "leads out of the output folder" in found["out"]
    assert len(pictures(tmp_path)) == 5


def test_what_is_wrong_for_all(cluster, scene, tmp_path):
    with pytest.raises(waymark_maps.SceneError, match="waymark: version 2 is not supported; only version 1 is"):
        waymark_maps.ray.render_dataset(jobs(3), {"waymark": 2}, tmp_path)
    with pytest.raises(waymark_maps.InputError, match="none.json: cannot read the file"):
        waymark_maps.ray.render_dataset(jobs(3), "none.json", tmp_path)
    with pytest.raises(waymark_maps.OutputError, match="nowhere://cards: "):
        waymark_maps.ray.render_dataset(jobs(3), scene, "nowhere://cards")
    with pytest.raises(waymark_maps.UsageError, match="job 1: a job must be a Job or a dict, not int"):
        waymark_maps.ray.render_dataset([5], scene, tmp_path)
    assert waymark_maps.ray.render_dataset([], scene, tmp_path)["jobs"] == 0


def test_a_process_that_has_nothing_to_do_ends_its_worker(cluster, scene, tmp_path, monkeypatch):
    monkeypatch.setattr(waymark_maps.ray, "IDLE_SECONDS", 0.3)
    options = {"format": "png", "device": None}
    settings = {"scene": scene, "folder": os.getcwd(), "options": options, "output": str(tmp_path), "storage_options": {}}
    held = [ray.put({**settings, "patience": 1, "job": None, "existing": waymark_maps.ray._Names(())})]
    for run in ("first", "second"):
        report = json.loads(waymark_maps.ray._draw(run, held, {"job": [encode(job).decode() for job in jobs(3)]}))
        assert report["done"] == 3 and list(waymark_maps.ray._drawers) == [run] and len(children()) == 1
    until = time.monotonic() + 20
    while waymark_maps.ray._drawers or children():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_process_that_draws_keeps_its_worker(cluster, scene, tmp_path, monkeypatch):
    """The timer may have run out already, and wait for the lock, when the next batch arrives."""
    settings = {"scene": scene, "folder": os.getcwd(), "options": {"format": "png", "device": None}, "output": str(tmp_path)}
    held = [ray.put({**settings, "storage_options": {}, "patience": 1, "job": None, "existing": waymark_maps.ray._Names(())})]
    batch = {"job": [encode(job).decode() for job in jobs(1)]}
    waymark_maps.ray._draw("run", held, batch)
    late = waymark_maps.ray._idle
    try:
        draw = waymark_maps.ray._Drawer.draw

        def draw_while_it_runs_out(drawer, batch):
            with monkeypatch.context() as patch:
                patch.setattr(waymark_maps.ray.threading, "current_thread", lambda: late)
                waymark_maps.ray._end_idle()
            return draw(drawer, batch)

        monkeypatch.setattr(waymark_maps.ray._Drawer, "draw", draw_while_it_runs_out)
        assert json.loads(waymark_maps.ray._draw("run", held, batch))["done"] == 1
    finally:
        waymark_maps.ray._idle.cancel()
        waymark_maps.ray._let_go()
    assert not children()


def test_names_that_are_there():
    names = waymark_maps.ray._Names(f"{n}/p.png" for n in range(1000))
    assert all(f"{n}/p.png" in names for n in range(1000))
    assert not any(name in names for name in ("1000/p.png", "p.png", "", "\udcff"))
    assert "a" not in waymark_maps.ray._Names(())


# Output folders of other kinds


def test_folders_of_fsspec():
    folder = OutputFolder("memory://cards/2026")
    assert set(folder.names()) == set()
    folder.write("a/b.png", b"1")
    folder.write("c.png", b"2")
    assert set(folder.names()) == {"a/b.png", "c.png"}


def test_folders_on_a_disk(tmp_path):
    folder = OutputFolder(tmp_path / "cards")
    assert set(folder.names()) == set()
    folder.write("a/b.png", b"1")
    folder.write("c.png", b"2")
    (tmp_path / "cards" / ".waymark-parts" / "unfinished").write_bytes(b"3")
    assert set(folder.names()) == {"a/b.png", "c.png"}
    with pytest.raises(waymark_maps.OutputError, match="c.png: the folder cannot be listed: Not a directory"):
        set(OutputFolder(tmp_path / "cards" / "c.png").names())


def test_a_folder_where_files_grow():
    import fsspec
    from fsspec.implementations.memory import MemoryFileSystem

    class Remote(MemoryFileSystem):
        """A file system in which a file is there while it is written."""

        protocol = "remote"
        store = {}
        pseudo_dirs = [""]
        is_full = False

        @classmethod
        def _strip_protocol(cls, path):
            return super()._strip_protocol(path.replace("remote://", "/"))

        def pipe_file(self, path, value, **options):
            if self.is_full:
                super().pipe_file(path, value[:2], **options)
                raise OSError(28, "No space left on device")
            return super().pipe_file(path, value, **options)

    fsspec.register_implementation("remote", Remote, clobber=True)
    folder = OutputFolder("remote://cards", patience=0.3)
    folder.write("a/b.png", b"12345")
    assert set(folder.names()) == {"a/b.png"} and Remote.store["/cards/a/b.png"].getvalue() == b"12345"
    Remote.is_full = True
    with pytest.raises(waymark_maps.OutputError, match="a/c.png: No space left on device"):
        folder.write("a/c.png", b"12345")
    assert set(folder.names()) == {"a/b.png"}
    folder.remove_parts()
    assert list(Remote.store) == ["/cards/a/b.png"]
