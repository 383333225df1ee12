"""The fixtures for pytest, which finds them in every environment in which the package is installed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import pytest

from .renderer import Renderer
from .testing import assert_picture as _assert_picture
from .testing import recorded
from .testing import renderer as _renderer


@pytest.fixture(scope="session")
def waymark_renderer() -> Iterator[Renderer]:
    """The renderer of ``assert_picture``. Define a fixture of this name to choose another, for example with ``font_dir``."""
    renderer = _renderer()
    yield renderer
    renderer.close()


@pytest.fixture
def assert_picture(request: pytest.FixtureRequest, waymark_renderer: Renderer) -> Callable[..., None]:
    """``waymark_maps.testing.assert_picture`` with pictures next to the test file, and its report in pytest's cache."""
    cache = getattr(request.config, "cache", None)
    folder = None if cache is None else cache.mkdir("waymark-pictures")
    return functools.partial(_assert_picture, with_renderer=waymark_renderer, test_file=request.path, report_folder=folder)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Lists the expectations that were recorded because of ``WAYMARK_RECORD=1``, and how they differ from those that they replace."""
    if recorded:
        terminalreporter.section("expected pictures")
        for sentence in recorded:
            terminalreporter.line(sentence)
