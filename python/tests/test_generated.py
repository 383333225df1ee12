"""The classes match the schema."""

import json
import re
import subprocess
import sys

from conftest import ROOT

import waymark_maps
from waymark_maps.overlays import MapElementProperties


def test_the_classes_are_up_to_date():
    done = subprocess.run([sys.executable, ROOT / "python" / "generate.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_stale_file_is_found(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "python/src/waymark_maps").mkdir(parents=True)
    schema = json.loads((ROOT / "docs/scene.schema.json").read_text())
    schema["$defs"]["circle"]["properties"]["glow"] = {"type": "number"}
    (tmp_path / "docs/scene.schema.json").write_text(json.dumps(schema))
    script = tmp_path / "python/generate.py"
    script.write_text((ROOT / "python/generate.py").read_text())
    (tmp_path / "python/src/waymark_maps/overlays.py").write_text((ROOT / "python/src/waymark_maps/overlays.py").read_text())
    assert subprocess.run([sys.executable, script, "--check"], capture_output=True).returncode == 1
    assert subprocess.run([sys.executable, script]).returncode == 0
    assert "glow: float | None = None" in (tmp_path / "python/src/waymark_maps/overlays.py").read_text()


def test_every_overlay_of_the_schema_has_a_class():
    schema = json.loads((ROOT / "docs/scene.schema.json").read_text())
    kinds = {part["$ref"].rsplit("/", 1)[1] for part in schema["$defs"]["overlay"]["oneOf"]}
    found = {getattr(item, "_type", None) for item in vars(waymark_maps).values() if isinstance(item, type)}
    assert kinds <= found


def test_every_class_has_the_properties_of_the_schema():
    """Those that it inherits included, and no others."""
    schema = json.loads((ROOT / "docs/scene.schema.json").read_text())
    for item in vars(waymark_maps).values():
        kind = getattr(item, "_type", None) if isinstance(item, type) else None
        if kind is not None:
            name = f"{kind}Element" if issubclass(item, MapElementProperties) else kind
            keys = {key for key, value in schema["$defs"][name]["properties"].items() if key != "type" and value.get("type") != "null"}
            assert {key for _, key in item._keys} == keys, name


def test_docstrings_have_pythons_names():
    """Attributes in snake_case and Python's constants, except for values, which are those of scene files."""
    text = (ROOT / "python/src/waymark_maps/overlays.py").read_text()
    schema = (ROOT / "docs/scene.schema.json").read_text()
    assert "`z_index`" in text and "Default: ``False``" in text and not re.search("``(true|false|null)``", text)
    for word in set(re.findall("`([a-z]+[A-Z][A-Za-z]*)`", text)):
        assert f'"{word}": {{' not in schema, f"{word} is the key of a scene file, not an attribute"


def test_every_class_has_a_summary():
    text = (ROOT / "python/src/waymark_maps/overlays.py").read_text()
    assert re.findall('"""The `.*` of a scene."""', text) == []


def test_what_the_package_exports_is_read_by_editors():
    """`__all__` is made of lists and of a module's `__all__`, the forms that type checkers know; for others a class is private."""
    lines = [line for line in (ROOT / "python/src/waymark_maps/__init__.py").read_text().splitlines() if line.startswith("__all__")]
    assert lines == ["__all__ = [", "__all__ += overlays.__all__"]
    assert len(set(waymark_maps.__all__)) == len(waymark_maps.__all__)
    assert all(hasattr(waymark_maps, name) for name in waymark_maps.__all__)
    assert {"Marker", "Scene", "Camera", "Position"} <= set(waymark_maps.__all__)
