"""A drawn picture."""

from __future__ import annotations

import io
import os
import struct
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .encoding import write_whole
from .errors import MissingPackage, OutputError, UsageError

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    import PIL.Image

#: The extensions of the formats' files.
EXTENSIONS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".rgba": "rgba"}
KINDS = {"png": "a PNG", "jpeg": "a JPEG", "webp": "a WebP", "rgba": "raw RGBA"}


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture file in memory, with its size and diagnostics. Notebooks display the picture."""

    data: bytes
    """The bytes of the file, identical to those that the program writes."""
    format: str
    """``png``, ``jpeg``, ``webp``, or ``rgba`` (straight RGBA bytes with the top row first, without a header)."""
    size: tuple[int, int]
    """Width and height in device pixels."""
    diagnostics: tuple[str, ...] = ()
    """Everything that could not be read or drawn as requested, one sentence each."""
    inspection: dict[str, Any] | None = None
    """The positions of everything in the picture, as described in docs/inspect.md; None if they were not requested."""
    times: dict[str, float] = field(default_factory=dict)
    """The milliseconds that each stage took: ``read``, ``layout``, ``draw``, ``readBack``, ``encode``, ``write``."""
    output: str = ""
    """The file's name within a folder, as in a batch: the job's ``output``, or its id with the format's extension."""

    @property
    def png(self) -> bytes:
        """The bytes of a PNG file.

        :raises MissingPackage: the picture is a JPEG or a WebP, and Pillow, which reads these, is not installed.
        """
        if self.format == "png":
            return self.data
        if self.format == "rgba":
            return _png(self.data, *self.size)
        buffer = io.BytesIO()
        self.to_pil().save(buffer, "PNG")
        return buffer.getvalue()

    @property
    def array(self) -> numpy.typing.NDArray[numpy.uint8]:
        """The pixels as an array of shape (height, width, 4): straight (not premultiplied) RGBA, 8 bits each, with the top row first.

        With ``format="rgba"``, the array is available without decoding, and is read-only.

        :raises MissingPackage: numpy is not installed or, for other formats, Pillow is not installed.
        """
        try:
            import numpy
        except ImportError:
            raise MissingPackage("numpy, which holds the pixels of a picture, is not installed; run `pip install numpy`") from None
        if self.format == "rgba":
            width, height = self.size
            return numpy.frombuffer(self.data, numpy.uint8).reshape(height, width, 4)
        return numpy.asarray(self.to_pil().convert("RGBA"))

    def to_pil(self) -> PIL.Image.Image:
        """The picture as a Pillow image.

        :raises MissingPackage: Pillow is not installed.
        """
        try:
            import PIL.Image
        except ImportError:
            raise MissingPackage('Pillow, which reads pictures, is not installed; run `pip install pillow`, or draw with format="rgba"') from None
        if self.format == "rgba":
            return PIL.Image.frombytes("RGBA", self.size, self.data)
        return PIL.Image.open(io.BytesIO(self.data))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, completely or not at all.

        :raises UsageError: the name's extension belongs to another format.
        :raises OutputError: the file cannot be written.
        """
        extension = os.path.splitext(os.fspath(path))[1].lower()
        if EXTENSIONS.get(extension) != self.format:
            wanted = EXTENSIONS.get(extension)
            advice = f'draw it with format="{wanted}"' if wanted else f"end the name in .{'jpg' if self.format == 'jpeg' else self.format}"
            ending = f"ends in {extension}" if extension else "has no extension"
            raise UsageError(f"{path}: the picture is {KINDS[self.format]}, but the name {ending}; {advice}")
        try:
            write_whole(path, self.data)
        except OSError as error:
            raise OutputError(f"{path}: {error.strerror}") from None

    def _repr_png_(self) -> bytes | None:
        try:
            return self.png if self.format != "jpeg" else None
        except MissingPackage:
            return None

    def _repr_jpeg_(self) -> bytes | None:
        return self.data if self.format == "jpeg" else None

    def __repr__(self) -> str:
        width, height = self.size
        notes = f", {len(self.diagnostics)} diagnostics" if self.diagnostics else ""
        return f"<Picture {self.format} {width}x{height}, {len(self.data)} bytes{notes}>"


def _png(pixels: bytes, width: int, height: int) -> bytes:
    """A PNG file of straight RGBA pixels (PNG specification, third edition, 5 and 11)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    stride = width * 4
    rows = b"".join(b"\0" + pixels[row * stride : (row + 1) * stride] for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b"")
