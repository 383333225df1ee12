#!/usr/bin/env python3
"""Drives `waymark worker` from Python, using only the standard library.

    from worker import Worker

    with Worker(["waymark", "worker"]) as worker:
        worker.scene("base.json")
        picture = worker.render({"id": "hall", "camera": {"center": [126.978, 37.567], "zoom": 14}})
        open("hall.png", "wb").write(picture.bytes)

Run as a program it draws the jobs of a file of JSON lines, a few sent ahead of the answers:

    worker.py --scene base.json jobs.jsonl pictures/
"""
import argparse
import collections
import json
import os
import queue
import subprocess
import sys
import threading


class WorkerError(Exception):
    """An error reported by a worker: `code` is an exit code of sysexits."""

    def __init__(self, message):
        super().__init__(message.get("message", "the worker ended"))
        self.code = message.get("code", 70)


class Picture:
    """A finished job: the worker's answer, and the file's bytes if it sent them back."""

    def __init__(self, message, payload):
        self.id = message["id"]
        self.output = message["output"]
        self.pixels = tuple(message["pixels"])
        self.times = message["times"]
        self.warnings = message["warnings"]
        self.bytes = payload


class Worker:
    """One worker process. Jobs are drawn in the order in which they are sent."""

    # The number of jobs sent ahead of their answers.
    AHEAD = 8

    def __init__(self, command=("waymark", "worker"), **options):
        # One worker per core: threads of the software rasterizer would only get in each other's way.
        environment = dict(os.environ, LP_NUM_THREADS="0") | options.pop("env", {})
        self.process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, **options)
        self.number = 0
        # Frames are written on a separate thread: a pipe holds little, and the worker may be writing a picture meanwhile.
        self.frames = queue.Queue()
        self.writer = threading.Thread(target=self._write, daemon=True)
        self.writer.start()
        hello, _ = self._receive()
        if hello["type"] != "hello":
            raise WorkerError(hello)
        self.renderer = hello["renderer"]

    def scene(self, path):
        """Reads the base scene from a file; returns its warnings."""
        self._send({"type": "scene", "path": os.fspath(path)})
        return self._ready()

    def scene_text(self, scene, folder=""):
        """Sets a scene (a Python object) as the base; its relative paths start from `folder`."""
        payload = json.dumps(scene).encode()
        self._send({"type": "scene", "folder": os.fspath(folder), "bytes": len(payload)}, payload)
        return self._ready()

    def render(self, job, folder=None):
        """Draws one job, into a file in `folder` or into the picture's `bytes`."""
        for _, result in self.render_all([job], folder):
            if isinstance(result, WorkerError):
                raise result
            return result

    def render_all(self, jobs, folder=None):
        """Draws jobs, and yields each with its Picture or WorkerError, in their order."""
        waiting = collections.deque()
        for job in jobs:
            self.number += 1
            message = {"type": "job", "number": self.number, "job": job}
            if folder is not None:
                message["folder"] = os.fspath(folder)
            self._send(message)
            waiting.append((self.number, job))
            if len(waiting) >= self.AHEAD:
                yield self._result(waiting.popleft())
        while waiting:
            yield self._result(waiting.popleft())

    def close(self):
        """Ends the worker; returns its exit code."""
        if self.writer.is_alive():
            self._send({"type": "end"})
            self.frames.put(None)
            self.writer.join()
        code = self.process.wait()
        self.process.stdout.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _result(self, waiting):
        number, job = waiting
        message, payload = self._receive()
        if message["type"] == "failed" and message["number"] == number:
            return job, WorkerError(message)
        if message["type"] != "done" or message["number"] != number:
            raise WorkerError(message)
        return job, Picture(message, payload)

    def _ready(self):
        message, _ = self._receive()
        if message["type"] != "ready":
            raise WorkerError(message)
        return message["warnings"]

    def _send(self, message, payload=b""):
        header = json.dumps(message).encode()
        self.frames.put(len(header).to_bytes(4, "big") + header + payload)

    def _write(self):
        try:
            while (frame := self.frames.get()) is not None:
                self.process.stdin.write(frame)
                self.process.stdin.flush()
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # The worker has ended; the reader finds out.

    def _receive(self):
        header = json.loads(self._read(int.from_bytes(self._read(4), "big")))
        return header, self._read(header.get("bytes", 0))

    def _read(self, count):
        data = self.process.stdout.read(count)
        if len(data) < count:
            raise WorkerError({"message": f"the worker ended with exit code {self.process.wait()}"})
        return data


def main():
    parser = argparse.ArgumentParser(description="Draws the jobs of a file through one waymark worker.")
    parser.add_argument("jobs", help="JSON lines, one job each")
    parser.add_argument("folder", help="where the pictures go")
    parser.add_argument("--scene", help="the base scene")
    parser.add_argument("--waymark", default="waymark", help="the program")
    arguments = parser.parse_args()
    failed = 0
    with Worker([arguments.waymark, "worker"]) as worker, open(arguments.jobs, encoding="utf-8") as lines:
        if arguments.scene:
            worker.scene(arguments.scene)
        jobs = (json.loads(line) for line in lines if line.strip())
        for job, result in worker.render_all(jobs, arguments.folder):
            if isinstance(result, WorkerError):
                failed += 1
                print(f"{job.get('id')}: {result}", file=sys.stderr)
            else:
                print(f"{result.output} {result.pixels[0]}x{result.pixels[1]}")
    return 75 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
