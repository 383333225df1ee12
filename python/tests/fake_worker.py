"""A worker whose jobs say what becomes of it: the key `fake` of a job, or of the scene before it, is

`crash`, `crash once`, `hang`, `exit`, `babble`, `slow`, `fail`, `fatal`, `reset once`, `linger`, `mute`; anything else is drawn, as a picture of its
own text, after a message on standard error if it is `log`."""

import json
import os
import signal
import sys
import time

FOLDER = os.environ["FAKE_FOLDER"]


def send(header, payload=b""):
    if payload:
        header["bytes"] = len(payload)
    head = json.dumps(header).encode()
    sys.stdout.buffer.write(len(head).to_bytes(4, "big") + head + payload)
    sys.stdout.buffer.flush()


def receive():
    length = sys.stdin.buffer.read(4)
    if len(length) < 4:
        sys.exit(0)
    header = json.loads(sys.stdin.buffer.read(int.from_bytes(length, "big")))
    return header, sys.stdin.buffer.read(header.get("bytes", 0))


def act(deed, name):
    if deed == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if deed == "crash once":
        marker = os.path.join(FOLDER, f"crashed-{name}")
        if not os.path.exists(marker):
            open(marker, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
    if deed == "hang":
        time.sleep(600)
    if deed == "exit":
        sys.exit(3)
    if deed == "babble":
        sys.stdout.buffer.write(b"\0\0\0\4oops")
        sys.stdout.buffer.flush()
        time.sleep(600)
    if deed == "fatal":
        send({"type": "fatal", "code": 65, "message": "a frame's header is not JSON"})
        sys.exit(65)
    if deed == "reset once":
        marker = os.path.join(FOLDER, f"reset-{name}")
        if not os.path.exists(marker):
            open(marker, "w").close()
            send({"type": "fatal", "code": 69, "message": "the GPU was reset"})
            sys.exit(69)
    if deed == "log":
        print("the driver is old", file=sys.stderr, flush=True)
    if deed == "linger":
        os.close(1)
        time.sleep(600)
    if deed == "slow":
        time.sleep(0.05)
    if deed == "slower":
        time.sleep(0.3)


def start_one():
    """Lets the first worker start when another has crashed twice meanwhile, and the other then."""
    path = os.path.join(FOLDER, "crashes")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        if os.path.getsize(path) >= 2:
            return
        with open(path, "a") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGSEGV)
    until = time.monotonic() + 60
    while os.path.getsize(path) < 2 and time.monotonic() < until:
        time.sleep(0.01)


def main():
    if os.environ.get("FAKE_START") == "fatal":
        send({"type": "fatal", "code": 69, "message": "EGL is missing"})
        sys.exit(69)
    if os.environ.get("FAKE_START") == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if os.environ.get("FAKE_START") == "crash once":
        act("crash once", "start")
    if os.environ.get("FAKE_START") == "refuse":
        print("error: --cache-bytes: -1 is below 0", file=sys.stderr)
        sys.exit(64)
    if os.environ.get("FAKE_START") == "one":
        start_one()
    protocol = 2 if os.environ.get("FAKE_START") == "other" else 1
    version = os.environ["FAKE_VERSION"]
    send({"type": "hello", "protocol": protocol, "program": "waymark", "version": version, "renderer": "llvmpipe (fake)"})
    base = {}
    while True:
        header, payload = receive()
        if header["type"] == "end":
            return
        if header["type"] == "scene":
            base = json.loads(payload)
            if base.get("fake") == "invalid":
                send({"type": "error", "code": 65, "message": "the scene: invalid"})
            else:
                act(base.get("start"), "base")
                send({"type": "ready", "warnings": []})
            continue
        job = {**base, **header["job"], **(json.loads(payload) if payload else {})}
        deed = job.get("fake")
        act(deed, job.get("name", job["id"]))
        with open(os.path.join(FOLDER, "drawn"), "a") as file:
            file.write(f"{job.get('name', job['id'])}\n")
        answer = {"number": header["number"], "id": job["id"]}
        if deed in ("fail", "invalid"):
            send({"type": "failed", **answer, "code": 65, "message": "it is wrong" if deed == "fail" else "the scene: invalid"})
        else:
            picture = str(job.get("name", job["id"])).encode() * job.get("times", 1)
            notes = {} if deed == "mute" else {"warnings": []}
            send({"type": "done", **answer, "output": f"{job['id']}.png", "format": "png", "pixels": [1, 1], "size": len(picture),
                  "times": {}, **notes}, picture)


try:
    main()
except BrokenPipeError:
    # The driver is gone.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
