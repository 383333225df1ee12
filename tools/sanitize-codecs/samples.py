"""Writes a small PNG of every colour type, bit depth and interlacing into a folder, by hand: no image library needed."""

import os
import random
import struct
import sys
import zlib

WIDTH, HEIGHT = 11, 9
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
DEPTHS = {0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]}
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(color, depth, interlaced, transparent):
    rows = b""
    for x0, y0, dx, dy in PASSES if interlaced else [(0, 0, 1, 1)]:
        columns, lines = -(-(WIDTH - x0) // dx), -(-(HEIGHT - y0) // dy)
        for _ in range(lines if columns > 0 else 0):
            rows += bytes([random.randrange(5)]) + random.randbytes((columns * SAMPLES[color] * depth + 7) // 8)
    file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, color, 0, 0, interlaced))
    file += chunk(b"gAMA", struct.pack(">I", 100000)) + chunk(b"iCCP", b"x\0\0" + zlib.compress(b"profile"))
    if color == 3:
        file += chunk(b"PLTE", random.randbytes(3 << depth))
    if transparent:
        file += chunk(b"tRNS", random.randbytes({0: 2, 2: 6, 3: 1 << depth}[color]))
    return file + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


random.seed(1)
for color, depths in DEPTHS.items():
    for depth in depths:
        for interlaced in (0, 1):
            for transparent in (0, 1) if color in (0, 2, 3) else (0,):
                name = f"color{color}-depth{depth}-interlaced{interlaced}-transparent{transparent}.png"
                with open(os.path.join(sys.argv[1], name), "wb") as file:
                    file.write(png(color, depth, interlaced, transparent))
