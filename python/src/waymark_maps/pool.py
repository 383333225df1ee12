"""Draws many pictures in parallel with worker processes."""

from __future__ import annotations

import asyncio
import atexit
import os
import weakref
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any, Union

from .client import WINDOW, PoolClient
from .errors import UsageError
from .ordered import in_order, in_order_async
from .overlays import Camera, Color, Fit, Size
from .picture import Picture
from .requests import PictureOptions
from .settings import Theme, check_deadline, whole_number, worker_count
from .worker import WorkerOptions


class Pool:
    """Worker processes that draw pictures: by default, one for each processor, or two on a GPU.

    ::

        with waymark_maps.Pool() as pool:
            for picture in pool.map(scenes):
                ...

    With ``base``, the workers read one scene when they start, and the pool draws jobs: dicts or ``Job`` objects that change this scene.

    A worker that crashes, is killed, or exceeds the deadline is replaced. At most, the picture that it was drawing is lost, and the call
    for this picture raises ``WorkerCrashed`` or ``DeadlineExceeded``. Several threads and event loops may use a pool.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        base: Any = None,
        size: Size | Mapping[str, Any] | tuple[float, float] | None = None,
        pixel_ratio: float | None = None,
        background: Color | None = None,
        theme: Theme | None = None,
        camera: Camera | Fit | Mapping[str, Any] | None = None,
        format: str = "png",
        quality: int | None = None,
        progressive: bool = False,
        palette: int | None = None,
        inspect: bool = False,
        device: str | None = None,
        require_gpu: bool = False,
        font_dir: str | None = None,
        cache_bytes: int | None = None,
        lenient: bool = False,
        strict: bool = False,
        cluster: bool = False,
        deadline: float | None = 60,
        retries: int = 1,
    ) -> None:
        """Starts the workers, and waits for the first one.

        :param workers: the number of workers. Default: one for each processor on the software rasterizer, 2 on a GPU.
        :param base: a scene in any form that ``render`` accepts; the pool then draws jobs that change it.
        :param deadline: the time limit for a picture in seconds; None for no limit.
        :param retries: the number of times that a picture is drawn again after its worker crashed.
        :raises WaymarkError: the workers cannot start, or the base scene is invalid.

        The other parameters are described at ``render`` and ``Renderer``, and apply to all pictures.
        """
        workers = worker_count(workers)
        if deadline is not None:
            check_deadline(deadline)
        retries = whole_number("retries", retries, 0)
        options = PictureOptions(size, pixel_ratio, background, theme, camera, format, quality, progressive, palette, inspect)
        self._client = PoolClient(
            workers,
            WorkerOptions(device, require_gpu, font_dir, cache_bytes, lenient, strict, cluster),
            options,
            base,
            deadline,
            retries,
        )
        self._finalizer = weakref.finalize(self, PoolClient.close, self._client)
        # Python's threads still exist when functions of `atexit` run. Later, workers would be killed while drawing.
        self._finalizer.atexit = False
        _pools.add(self)
        try:
            self._client.wait_until_ready()
        except BaseException:
            self._finalizer()
            raise

    # Pictures

    def submit(self, scene: Any) -> Future[Picture]:
        """Submits a scene, or a job if the pool has a base scene. Blocks while very many pictures are already waiting.

        :return: a future whose result is the picture. ``cancel()`` succeeds until the picture is drawn.
        :raises UsageError: the pool is closed.
        :raises SceneError: the scene cannot be represented in JSON.
        """
        client = self._usable()
        return client.submit(client.request(scene), waits=True)

    def render(self, scene: Any) -> Picture:
        """Draws one picture. Other threads may draw pictures at the same time. Raises the same errors as ``waymark_maps.render``."""
        return self.submit(scene).result()

    def map(self, scenes: Iterable[Any], *, return_exceptions: bool = False) -> Iterator[Picture]:
        """Draws scenes, or jobs if the pool has a base scene, and yields their pictures in the same order.

        Scenes are taken from the iterable as needed, so it may be infinite.

        :param return_exceptions: yield an exception in place of a picture that cannot be drawn, and continue. By default, the exception is
            raised, which ends the iteration.
        """
        return in_order(scenes, self.submit, self.workers * WINDOW, return_exceptions)

    async def render_async(self, scene: Any) -> Picture:
        """Draws one picture without blocking the event loop."""
        client = self._usable()
        return await asyncio.wrap_future(client.submit(client.request(scene), waits=False))

    def map_async(
        self, scenes: Union[Iterable[Any], AsyncIterable[Any]], *, return_exceptions: bool = False
    ) -> AsyncIterator[Picture]:
        """Like ``map``, but does not block the event loop. The scenes may come from an asynchronous iterable."""
        return in_order_async(scenes, self.render_async, self.workers * WINDOW, return_exceptions)

    # The pool

    @property
    def workers(self) -> int:
        """The number of workers."""
        return self._client.workers

    @property
    def restarts(self) -> int:
        """The number of workers replaced so far."""
        return self._client.restarts

    @property
    def device_name(self) -> str:
        """The renderer's name, such as ``llvmpipe (LLVM 15.0.6, 256 bits)``."""
        return self._client.device_name

    @property
    def diagnostics(self) -> tuple[str, ...]:
        """The warnings from reading the base scene, as one sentence each."""
        return self._client.diagnostics

    def close(self) -> None:
        """Finishes the pictures in progress, cancels the others, and ends the workers."""
        self._finalizer()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Pool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.close)

    def _usable(self) -> PoolClient:
        if self._client.owner != os.getpid():
            raise UsageError("this pool belongs to another process; create one in this process")
        if not self._finalizer.alive:
            raise UsageError("the pool is closed")
        return self._client


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for pool in list(_pools):
        pool.close()
