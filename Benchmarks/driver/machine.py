"""The machine on which a benchmark ran."""
import datetime
import os
import platform
import re
import subprocess

from workloads import ROOT


def text_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def found(pattern, text, default):
    match = re.search(pattern, text, re.M)
    return match[1].strip() if match else default


def machine(program):
    """The processor, memory, system and device; the version and commit of this checkout; and the date.

    :param program: the release program, which knows the device; any other program leaves it out.
    """
    processor = found(r"^(?:model name|Model)\s*: (.*)$", text_of("/proc/cpuinfo"), platform.machine())
    memory = int(found(r"^MemTotal:\s*(\d+) kB$", text_of("/proc/meminfo"), "0"))
    system = found(r'^PRETTY_NAME="?([^"\n]*)"?$', text_of("/etc/os-release"), platform.system())
    doctor = subprocess.run([program, "doctor"], capture_output=True, text=True) if os.path.basename(program) == "waymark" else None
    device = found(r"can draw here, on ([^:\n]*)", doctor.stdout, "unknown") if doctor else "unknown"
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
    with open(os.path.join(ROOT, "Sources", "System", "Version.swift"), encoding="utf-8") as file:
        version = found(r'libraryVersion = "(.*)"', file.read(), "")
    return {
        "machine": {"processor": processor, "processors": len(os.sched_getaffinity(0)), "memory_gib": round(memory / 2**20), "device": device,
                    "system": f"{system}, Linux {platform.release().split('-')[0]}"},
        "version": version, "commit": commit, "date": datetime.date.today().isoformat()}
