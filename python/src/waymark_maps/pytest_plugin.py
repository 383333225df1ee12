"""The fixtures for pytest, which finds them in every environment in which the package is installed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

from .renderer import Renderer
from .testing import MissingExpectation
from .testing import assert_picture as _assert_picture
from .testing import recorded
from .testing import renderer as _renderer


#: A sentence for each missing expectation of a test.
_missing = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def waymark_renderer() -> Iterator[Renderer]:
    """The renderer of ``assert_picture``. Define a fixture of this name to use another renderer, for example with ``font_dir``."""
    renderer = _renderer()
    yield renderer
    renderer.close()


@pytest.fixture
def assert_picture(request: pytest.FixtureRequest, waymark_renderer: Renderer) -> Callable[..., None]:
    """``waymark_maps.testing.assert_picture`` with pictures next to the test file, and the report in pytest's cache."""
    cache = getattr(request.config, "cache", None)
    folder = None if cache is None else cache.mkdir("waymark-pictures")
    missing = request.node.stash.setdefault(_missing, [])

    def function(*arguments: Any, **options: Any) -> None:
        __tracebackhide__ = True
        defaults = {"with_renderer": waymark_renderer, "test_file": request.path, "report_folder": folder}
        try:
            _assert_picture(*arguments, **{**defaults, **options})
        except MissingExpectation as error:
            missing.append(str(error))

    return function


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Fails a test that had a missing expectation. The test fails at its end, so that all of its pictures are recorded. It fails even if it
    is skipped or expected to fail, because its next run would compare with a picture that nobody has seen.
    """
    outcome = yield
    missing = item.stash.get(_missing, [])
    report: pytest.TestReport = outcome.get_result()
    if not missing or call.when == "setup" and report.passed:
        return
    text = "\n".join(missing)
    missing.clear()
    if report.failed:
        report.sections.append(("expected pictures", text))
        return
    try:
        pytest.fail(text, pytrace=False)
    except pytest.fail.Exception as failure:
        call.excinfo = pytest.ExceptionInfo.from_exception(failure)
    # This is not the report of the mark `xfail`, which permits failures.
    outcome.force_result(pytest.TestReport.from_item_and_call(item, call))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Lists the expectations that were recorded because of ``WAYMARK_RECORD=1``, and how they differ from the pictures that they
    replace.
    """
    if recorded:
        terminalreporter.section("expected pictures")
        for sentence in recorded:
            terminalreporter.line(sentence)
