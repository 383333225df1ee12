"""Messages name what was given: arguments, attributes, tables and files, not options, keys or temporary files."""

import os

import pytest

import waymark_maps
from waymark_maps import Camera, Container, GeoJSON, Job, Label, Marker, MarkerTemplate, Scene
from waymark_maps.wording import in_python

FEATURE = {"type": "Feature", "properties": {"name": "a"}, "geometry": {"type": "Point", "coordinates": [1, 95]}}


class Table:
    @property
    def __geo_interface__(self):
        return {"type": "FeatureCollection", "features": [FEATURE]}


@pytest.mark.parametrize(
    "scene, options, sentence",
    [
        (Scene(overlays=[Marker((0, 0), caption_text_size=600)]), {}, "the scene: overlays[0].caption_text_size: 600 is outside 1…512"),
        (Scene(overlays=[{"type": "marker", "position": [0, 0], "captionTextSize": 600}]), {}, "the scene: overlays[0].captionTextSize: 600 is outside 1…512"),
        (
            Scene(overlays=[Container([Marker((0, 0), icon_view=Label("a", text_size=600))])]),
            {},
            "the scene: overlays[0].children[0].icon_view.text_size: 600 is outside 1…512",
        ),
        (Scene(pixel_ratio=9), {}, "the scene: pixel_ratio: 9 is outside 0.5…8"),
        ({"waymark": 1, "pixelRatio": 9}, {}, "the scene: pixelRatio: 9 is outside 0.5…8"),
        ({"waymark": 1}, {"pixel_ratio": 9}, "pixel_ratio: 9 is outside 0.5…8"),
        (Scene(), {"camera": Camera((0, 0), zoom=33)}, "camera.zoom: 33 is outside 0…24"),
        (Scene(camera={"centre": [0, 0]}), {}, 'the scene: camera: unknown key "centre"; did you mean "center"?'),
        (Table(), {}, "the Table: features[0].geometry.coordinates[1]: 95 is outside -90…90; the order is [longitude, latitude]"),
        (Scene(overlays=[GeoJSON(Table())]), {}, "the scene: overlays[0].source: the Table: features[0].geometry.coordinates[1]: 95 is outside -90…90; the order is [longitude, latitude]"),
        (Scene(overlays=[GeoJSON(FEATURE)]), {}, "the scene: overlays[0].source: the dict: geometry.coordinates[1]: 95 is outside -90…90; the order is [longitude, latitude]"),
    ],
)  # fmt: skip
def test_scenes(scene, options, sentence, tmp_path):
    with pytest.raises(waymark_maps.SceneError) as error:
        waymark_maps.render(scene, **options)
    assert str(error.value) == sentence
    with waymark_maps.Pool(1, **options) as pool, pytest.raises(waymark_maps.SceneError) as error:
        pool.render(scene)
    assert str(error.value) == sentence
    with pytest.raises(waymark_maps.SceneError) as error, waymark_maps.Pool(1, base=scene, **options) as pool:
        pool.render({"id": "a"})
    assert str(error.value) == sentence
    if not options and not isinstance(scene, Table):
        with pytest.raises(waymark_maps.SceneError) as error:
            list(waymark_maps.batch([{"id": "a"}], base=scene, output=tmp_path))
        assert str(error.value) == sentence


def test_warnings_name_the_table():
    feature = {**FEATURE, "geometry": {"type": "Point", "coordinates": [1, 2]}}
    scene = Scene(overlays=[GeoJSON({"type": "FeatureCollection", "features": [feature]}, marker=MarkerTemplate(caption_text="{nme}"))])
    (sentence,) = waymark_maps.render(scene).diagnostics
    assert sentence.startswith('the dict: the property "nme" is missing in 1 feature')


def test_jobs():
    with waymark_maps.Pool(1, base=Scene(overlays=[Marker((0, 0), id="a")])) as pool:
        for job, sentence in [
            (Job("x", pixel_ratio=9), "pixel_ratio: 9 is outside 0.5…8"),
            ({"id": "x", "pixelRatio": 9}, "pixelRatio: 9 is outside 0.5…8"),
            (Job("x", change={"a": {"captionTextSize": 600}}), "change.a.captionTextSize: 600 is outside 1…512"),
            (Job("x", add=[Marker((0, 0), caption_text_size=600)]), "add[0].caption_text_size: 600 is outside 1…512"),
        ]:
            with pytest.raises(waymark_maps.SceneError) as error:
                pool.render(job)
            assert str(error.value) == sentence


@pytest.mark.parametrize(
    "act, sentence",
    [
        (lambda folder: waymark_maps.Renderer(cache_bytes=-1).render(Scene()), 'cache_bytes: "-1" is not a whole number'),
        (lambda folder: list(waymark_maps.batch([{"id": "a"}], output=folder, shard=(4, 4))), 'shard: "4/4" does not have the form I/N'),
        (lambda folder: list(waymark_maps.batch([{"id": "a"}], output=folder, pixel_ratio=9)), "pixel_ratio: 9 is outside 0.5…8"),
        (lambda folder: waymark_maps.diff(Scene(), Scene(), threshold=300), "threshold: 300 is outside 0…255"),
    ],
)
def test_arguments(act, sentence, tmp_path):
    with pytest.raises(waymark_maps.UsageError) as error:
        act(tmp_path)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    "act, sentence",
    [
        (lambda: Scene(sizes=(1, 1)), "Scene() got an unexpected keyword argument 'sizes'; did you mean 'size'?"),
        (lambda: Marker((0, 0), captionText="a"), "Marker() got an unexpected keyword argument 'captionText'; did you mean 'caption_text'?"),
        (lambda: Marker(latt=0, lng=0), "Marker() got an unexpected keyword argument 'latt'; did you mean 'lat'?"),
        (lambda: Job("a", xyz=1), "Job() got an unexpected keyword argument 'xyz'"),
        (lambda: waymark_maps.render(Scene(), pixelRatio=2), "render() got an unexpected keyword argument 'pixelRatio'; did you mean 'pixel_ratio'?"),
        (lambda: waymark_maps.render(Scene(), "png"), "render(): too many positional arguments"),
        (lambda: waymark_maps.pick(Scene(), 1), "pick(): missing a required argument: 'y'"),
    ],
)
def test_calls_that_are_wrong(act, sentence):
    with pytest.raises(TypeError) as error:
        act()
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    "act, sentence",
    [
        (lambda: Scene(overlays=Marker((0, 0))), "overlays must be a list of overlays, not a Marker; write overlays=[…]"),
        (lambda: waymark_maps.render(Job("a")), "a Job is not a scene; pass the base scene that it changes: Pool(base=…)"),
        (lambda: waymark_maps.render(Marker((0, 0))), "a Marker is not a scene; add it to a Scene"),
        (lambda: waymark_maps.diff(Scene(), 3), "second: a Picture, the path of a picture or a scene is required, not 3"),
    ],
)
def test_objects_of_another_kind(act, sentence):
    with pytest.raises(waymark_maps.UsageError) as error:
        act()
    assert str(error.value) == sentence


@pytest.mark.parametrize("scene", [Scene(), {"waymark": 1}])
def test_scenes_where_jobs_belong(scene, tmp_path):
    sentence = "a job must be a Job or a dict with changes to the base scene, not a whole scene"
    with waymark_maps.Pool(1, base=Scene()) as pool, pytest.raises(waymark_maps.UsageError) as error:
        pool.render(scene)
    assert str(error.value) == sentence
    with pytest.raises(waymark_maps.UsageError) as error:
        list(waymark_maps.batch([scene], base=Scene(), output=tmp_path))
    assert str(error.value) == f"job 1: {sentence}"
    with waymark_maps.Pool(1) as pool, pytest.raises(waymark_maps.UsageError, match="^a Job is not a scene"):
        pool.render(Job("a"))


def test_arguments_of_pick():
    with pytest.raises(waymark_maps.SceneError, match="^include_invisible: expected true or false, found 5$"):
        waymark_maps.pick(Scene(), 1, 2, include_invisible=5)


def test_a_relative_path_stays_relative_wherever_the_worker_is(tmp_path, monkeypatch):
    with waymark_maps.Renderer() as renderer:
        renderer.render(Scene(size=(1, 1)))
        monkeypatch.chdir(tmp_path)
        with pytest.raises(waymark_maps.InputError) as error:
            renderer.render("none.json")
        assert str(error.value) == "none.json: cannot read the file: No such file or directory"
        (tmp_path / "bad.json").write_text('{"waymark": 1, "size": 5}')
        with pytest.raises(waymark_maps.SceneError) as error:
            renderer.render("bad.json")
        assert str(error.value) == "bad.json: size: expected an object, found 5" and os.getcwd() == str(tmp_path)


def test_sentences_without_a_key_path_stay():
    for sentence in ("there is nothing to fit", "a b: c", "", "overlays[7].x.y: wrong"):
        assert in_python(sentence, Scene(overlays=[Marker((0, 0))])) == sentence
