"""Adds the method ``waymark.plot`` to tables of pandas, GeoPandas and polars."""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, TypeVar

from .encoding import has
from .plotting import plot

Result = TypeVar("Result")


def _of_table(function: Callable[..., Result]) -> Callable[..., Result]:
    """The method of a table that calls a function whose first parameter is the table."""

    @functools.wraps(function)
    def method(self: Any, *arguments: Any, **options: Any) -> Result:
        return function(self._table, *arguments, **options)

    signature = inspect.signature(function)
    first, *rest = signature.parameters.values()
    method.__signature__ = signature.replace(parameters=[first.replace(name="self"), *rest])  # type: ignore[attr-defined]
    return method


class WaymarkAccessor:
    """The attribute ``waymark`` of tables, which has the functions of this package that accept a table."""

    def __init__(self, table: Any) -> None:
        if has(table, "to_frame") and not has(table, "total_bounds"):
            # As the pandas documentation of accessors prescribes.
            raise AttributeError("only a DataFrame, a GeoDataFrame and a GeoSeries have the accessor .waymark")
        self._table = table

    plot = _of_table(plot)


def _register_pandas(pandas: ModuleType) -> None:
    pandas.api.extensions.register_dataframe_accessor("waymark")(WaymarkAccessor)
    pandas.api.extensions.register_series_accessor("waymark")(WaymarkAccessor)


def _register_polars(polars: ModuleType) -> None:
    polars.api.register_dataframe_namespace("waymark")(WaymarkAccessor)


_REGISTERS = {"pandas": _register_pandas, "polars": _register_polars}


class _Watch(importlib.abc.MetaPathFinder):
    """Registers the accessor when pandas or polars is imported later. They are not imported here, because importing them takes a long time
    and nothing else needs them.
    """

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        if name not in self._names:
            return None
        self._names.discard(name)
        spec = importlib.util.find_spec(name)
        loader = None if spec is None else spec.loader
        if loader is not None:
            run = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                run(module)
                _REGISTERS[name](module)

            loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def register() -> None:
    """Adds the accessor to tables: now, or when their package is imported."""
    later = set()
    for name, act in _REGISTERS.items():
        if name in sys.modules:
            act(sys.modules[name])
        else:
            later.add(name)
    if later:
        sys.meta_path.insert(0, _Watch(later))
