"""The messages of a worker."""

import json
import random

import pytest

from waymark_maps.worker import MessageParser, framed

MESSAGES = [
    ({"type": "hello"}, b""),
    ({"type": "done", "number": 1, "bytes": 5}, b"12345"),
    ({"type": "ready", "warnings": ["café"]}, b""),
    ({"type": "done", "number": 2, "bytes": 100_000}, random.Random(1).randbytes(100_000)),
    ({"type": "failed", "bytes": 0}, b""),
]
BYTES = b"".join(part for header, payload in MESSAGES for part in framed(json.dumps(header).encode(), payload))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 4096, 70_000, len(BYTES)])
def test_pieces_of_any_size_give_the_same_messages(size):
    parser = MessageParser()
    found = []
    for start in range(0, len(BYTES), size):
        found += parser.feed(BYTES[start : start + size])
    assert found == MESSAGES


def test_pieces_of_random_sizes():
    numbers = random.Random(2)
    for _ in range(100):
        parser, found, start = MessageParser(), [], 0
        while start < len(BYTES):
            size = numbers.choice([1, 4, 20, 1000, 60_000])
            # The same memory is used again for the next piece.
            memory = bytearray(BYTES[start : start + size])
            found += parser.feed(memoryview(memory))
            memory[:] = bytes(len(memory))
            start += size
        assert found == MESSAGES


@pytest.mark.parametrize("data", [b"\0\0\0\4oops", b"\0\0\0\2[]"])
def test_what_is_no_message_is_an_error(data):
    with pytest.raises((ValueError, AttributeError)):
        MessageParser().feed(data)
