#!/usr/bin/env python3
"""Feeds broken HEIC, AVIF and color profiles to `market`: fuzz.py PROGRAM [COUNT].

Every process must end within its time and memory; a decoder of HEIC may die of its limits or of
libheif, which costs the one photo. COUNT files, 2,000 by default, of which a quarter are JPEG with a
broken profile, taken in by the command as a seller would.
"""
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "Fixtures/Pictures"
SECONDS, MEMORY = 8, 400 << 10


def changed(whole, chance, within=None):
    """A file with some bytes changed, cut out, repeated or set to what lengths are at their ends."""
    data = bytearray(whole)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        low, high = within or (0, len(data))
        place = chance.randrange(low, min(high, len(data)))
        match chance.randrange(5):
            case 0 if within is None and (extents := data.find(b"ispe")) >= 0 and chance.randrange(4) == 0:
                data[extents + 8:extents + 16] = b"".join(
                    chance.choice((1, 64, 4_000, 7_000, 30_000, 1 << 31)).to_bytes(4, "big") for _ in range(2))
            case 0: data[place] ^= 1 << chance.randrange(8)
            case 1: data[place] = chance.randrange(256)
            case 2: data[place:place + 4] = chance.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff"))
            case 3 if within is None: del data[place:place + chance.randrange(1, 64)]
            case 4 if within is None: data[place:place] = data[place:place + chance.randrange(1, 64)]
    return bytes(data)


def run(words, given, environment):
    """Status, seconds and KB of a process."""
    start = time.monotonic()
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    try:
        process.stdin.write(given)
        process.stdin.close()
    except BrokenPipeError:
        pass
    process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, time.monotonic() - start, usage.ru_maxrss


def main():
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    chance = random.Random(59)
    seeds = [path.read_bytes() for path in sorted(FIXTURES.glob("*.heic")) + sorted(FIXTURES.glob("*.avif"))]
    flaws, ends, slowest, largest = [], {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, HOME=folder, SWIFT_BACKTRACE="enable=no")
        for number in range(count * 3 // 4):
            file = changed(chance.choice(seeds), chance)
            status, seconds, memory = run([program, "decode-photo"], file, environment)
            ends[status] = ends.get(status, 0) + 1
            slowest, largest = max(slowest, seconds), max(largest, memory)
            if seconds > SECONDS or memory > MEMORY:
                flaws.append(f"file {number}: {seconds:.1f} s, {memory} KB")
        jpeg = (FIXTURES / "p3.jpg").read_bytes()
        profile = jpeg.index(b"ICC_PROFILE\0") + 14
        store = folder + "/market.sqlite"
        run([program, "import", "/dev/null", "--store", store], b"", environment)
        taken = 0
        for number in range(count // 20):
            photos = []
            for index in range(5):
                photos += ["--photo", f"{folder}/{index}.jpg"]
                Path(photos[-1]).write_bytes(changed(jpeg, chance, (profile, profile + 580)))
            status, seconds, memory = run(
                [program, "new", "--store", store, "--name", "Broken", "--price", "1000",
                 "--currency", "KRW", "--description", "ten characters", "--seller", "Hana", *photos],
                b"openmarket1\n", environment)
            slowest, largest = max(slowest, seconds), max(largest, memory)
            taken += status == 0
            if status not in (0, 1, 2) or seconds > SECONDS or memory > MEMORY:
                flaws.append(f"profiles {number}: status {status}, {seconds:.1f} s, {memory} KB")
    print(*flaws, sep="\n", end="\n" if flaws else "")
    print(f"{count} files; decoders ended {ends}; {taken} of {count // 20} commands listed; at most {slowest:.1f} s and {largest >> 10} MB")
    sys.exit(bool(flaws))


main()
