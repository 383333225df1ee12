"""Waymark renders maps with markers, lines, areas, clusters and 3D models as pictures, without a screen.

::

    import waymark_maps

    picture = waymark_maps.render("city.json")
    picture.save("city.png")
"""

from . import accessor, overlays
from .batch import BatchEvent, BatchIncomplete, Begun, Done, Failed, Progress, Restarted, Summary, Warned, batch
from .comparison import Difference, diff
from .encoding import Element
from .errors import (
    DeadlineExceeded,
    DeviceError,
    InputError,
    InternalError,
    MissingPackage,
    OutputError,
    SceneError,
    UsageError,
    WaymarkError,
    WorkerCrashed,
)
from .overlays import *  # noqa: F403
from .picture import Picture
from .plotting import plot
from .pool import Pool
from .program import program
from .renderer import Hit, Renderer, inspect, pick, render
from .scene import Job, LatLng, Scene

__version__ = "0.1.0"

__all__ = [
    "BatchEvent",
    "BatchIncomplete",
    "Begun",
    "DeadlineExceeded",
    "DeviceError",
    "Difference",
    "Done",
    "Element",
    "Failed",
    "Hit",
    "InputError",
    "InternalError",
    "Job",
    "LatLng",
    "MissingPackage",
    "OutputError",
    "Picture",
    "Pool",
    "Progress",
    "Renderer",
    "Restarted",
    "Scene",
    "SceneError",
    "Summary",
    "UsageError",
    "WaymarkError",
    "Warned",
    "WorkerCrashed",
    "batch",
    "diff",
    "inspect",
    "pick",
    "plot",
    "program",
    "render",
]
# In this form, because editors and type checkers read it.
__all__ += overlays.__all__

accessor.register()
