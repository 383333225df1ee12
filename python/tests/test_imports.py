"""The modules of the package import one another one way."""

import ast
import graphlib
import pathlib

import pytest

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
