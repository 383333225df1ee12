"""Yields pictures in the order in which they were requested, and draws some of them in advance."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any, Union

from .errors import WaymarkError
from .picture import Picture


def in_order(scenes: Iterable[Any], submit: Callable[[Any], Future[Picture]], limit: int, return_exceptions: bool) -> Iterator[Picture]:
    """Yields the pictures of scenes. At most ``limit`` pictures are in progress, or finished but not yet yielded.

    Pictures in progress when the iteration ends are canceled.
    """
    window: deque[Future[Picture]] = deque()
    try:
        for scene in scenes:
            try:
                window.append(submit(scene))
            except WaymarkError as error:
                window.append(_failed(error))
            while window and (len(window) >= limit or window[0].done()):
                yield _result(window.popleft(), return_exceptions)
        while window:
            yield _result(window.popleft(), return_exceptions)
    finally:
        for future in window:
            future.cancel()


async def in_order_async(
    scenes: Union[Iterable[Any], AsyncIterable[Any]],
    render: Callable[[Any], Awaitable[Picture]],
    limit: int,
    return_exceptions: bool,
) -> AsyncIterator[Picture]:
    """Like ``in_order``, but does not block the event loop."""
    window: deque[asyncio.Future[Picture]] = deque()
    try:
        async for scene in _each(scenes):
            window.append(asyncio.ensure_future(render(scene)))
            while window and (len(window) >= limit or window[0].done()):
                yield await _result_async(window.popleft(), return_exceptions)
        while window:
            yield await _result_async(window.popleft(), return_exceptions)
    finally:
        for future in window:
            future.cancel()


def _failed(error: WaymarkError) -> Future[Picture]:
    future: Future[Picture] = Future()
    future.set_exception(error)
    return future


def _result(future: Future[Picture], return_exceptions: bool) -> Any:
    if return_exceptions:
        error = future.exception()
        if isinstance(error, WaymarkError):
            return error
    return future.result()


async def _result_async(future: asyncio.Future[Picture], return_exceptions: bool) -> Any:
    try:
        return await future
    except WaymarkError as error:
        if return_exceptions:
            return error
        raise


async def _each(scenes: Union[Iterable[Any], AsyncIterable[Any]]) -> AsyncIterator[Any]:
    if isinstance(scenes, AsyncIterable):
        async for scene in scenes:
            yield scene
    else:
        for scene in scenes:
            yield scene
