"""The modules of the package import one another one way."""

import ast
import graphlib
import pathlib
import sys

import pytest
from conftest import ROOT

import waymark_maps

PACKAGE = pathlib.Path(waymark_maps.__file__).parent


def imports(path):
    """The modules of the package that a module imports anywhere: in functions and for type checkers, too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = ".".join(filter(None, ["waymark_maps" if node.level else None, node.module]))
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        else:
            continue
        parts = [name.split(".") for name in names]
        found |= {name[1] for name in parts if name[0] == "waymark_maps" and len(name) > 1 and (path.parent / f"{name[1]}.py").exists()}
        if any(name == ["waymark_maps"] for name in parts) and not getattr(node, "level", 0):
            found.add("__init__")
    return found


def one_way(folder):
    """The modules in an order in which each imports only those before it.

    :raises graphlib.CycleError: there is none.
    """
    return list(graphlib.TopologicalSorter({path.stem: imports(path) for path in folder.glob("*.py")}).static_order())


def test_the_modules_have_an_order():
    order = one_way(PACKAGE)
    assert {"errors", "overlays", "pool", "ray", "__init__"} <= set(order)
    assert order.index("errors") < order.index("encoding") < order.index("overlays") < order.index("pool") < order.index("ray")


@pytest.mark.parametrize(
    "text",
    [
        "from .high import name",
        "from . import high",
        "import waymark_maps.high",
        "from waymark_maps import high",
        "def act():\n    from .high import name",
        "if TYPE_CHECKING:\n    from .high import name",
    ],
)
def test_a_cycle_is_found(tmp_path, text):
    (tmp_path / "low.py").write_text(text)
    (tmp_path / "high.py").write_text("from .low import other")
    with pytest.raises(graphlib.CycleError):
        one_way(tmp_path)


def other_packages():
    """The top-level modules of other packages that the modules of this one import or extend."""
    found = {*waymark_maps.accessor._REGISTERS}
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            found |= {name.split(".")[0] for name in names}
    # Only type checkers import typing_extensions.
    return found - sys.stdlib_module_names - {"waymark_maps", "typing_extensions"}


def test_notice_names_the_packages_that_are_used():
    text = (ROOT / "NOTICE").read_text(encoding="utf-8")
    listed = text.split("Used by the Python package", 1)[1].split("Loaded at run time", 1)[0].lower()
    packages = {{"pil": "pillow"}.get(name.lower(), name.lower()) for name in other_packages()}
    assert {"numpy", "pillow", "ray", "fsspec", "shapely", "pandas", "polars"} <= packages
    assert {name for name in {*packages, "geopandas"} if name not in listed} == set()
