"""Three servers of a falling database and an object storage, with clients of both APIs and with watchers,
for as long as one says; prints what each kind of fall cost, and fails where anything was lost, doubled
or wrong, or was not told to a watcher."""
import json
import os
import signal
import subprocess
import sys
import time
import traceback

from fall_database import Place, Relay
from fall_load import Round
from falls import Disk, Pair
from served import serve
from soak_check import Check
from soak_falls import Stage, falls
from soak_ledger import Idle, Ledger
from soak_load import SoakLoad

here = os.path.dirname(os.path.realpath(__file__))
program, programs, folder, minutes, storage = sys.argv[1:6]
prefix, disks = sys.argv[6].split(), [Disk(path) for path in sys.argv[7].split()]
wanted = sys.argv[8:]
clients = int(os.environ.get("CLIENTS", 20))
watchers = int(os.environ.get("WATCHERS", 200))
rest = float(os.environ.get("REST", 2))
"""Seconds for which a client rests between two things that it does."""
sample = 150
"""Products that are looked at closely while clients wait."""
# Whoever ends this ends what it has started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


class Crowd:
    """The watchers, which are a program of their own."""

    def __init__(self, ports):
        self.process = subprocess.Popen(
            [sys.executable, f"{here}/soak_watchers.py", str(watchers), *map(str, ports)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "watching\n":
            raise RuntimeError("the watchers do not begin")

    def ask(self, due):
        self.process.stdin.write(json.dumps(due) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.kill()
        self.process.wait()


class Soak:
    def __init__(self):
        self.begin = time.monotonic()
        self.end = self.begin + 60 * float(minutes)
        place = Place(folder, programs, prefix)
        self.pair = Pair(place, is_relayed=True, disks=disks)
        self.servers, self.load, self.crowd = [], None, None
        self.ledger, self.idle = Ledger(), Idle()
        self.failures, self.sizes = {}, []
        self.photos = 0

    def run(self):
        try:
            self.set_up()
            try:
                self.let_fall()
            except Exception as error:  # What happened until then is told all the same.
                traceback.print_exc()
                self.failures[f"it ended early: {error}"] = self.minute()
            self.finish()
        finally:
            if self.load:
                self.load.is_over = True
            if self.crowd:
                self.crowd.end()
            for server in self.servers:
                server.end()
            self.pair.stop()

    def set_up(self):
        way = Relay(int(storage.rsplit(":", 1)[1].split("/")[0]))
        self.servers = serve(
            program, self.pair.address, folder, 3,
            ["--pictures", f"s3://pictures/soak?endpoint=http://127.0.0.1:{way.port}"])
        self.stage = Stage(self.pair, self.servers, way)
        ports = [server.port for server in self.servers]
        self.crowd = Crowd(ports)
        self.load = SoakLoad(ports, clients, rest)
        self.load.start()

    def let_fall(self):
        kinds = [fall for fall in falls(bool(disks)) if not wanted or fall.name in wanted]
        pace = max(15, min(60, 60 * float(minutes) / len(kinds)))
        checks = max(60, min(300, 30 * float(minutes)))
        next_check, turn = self.begin + checks, 0
        calm = self.load.round = Round()
        while True:
            next_fall = time.monotonic() + pace
            if next_fall > self.end + pace / 2:
                return
            fall = kinds[turn % len(kinds)]
            turn += 1
            time.sleep(1)
            self.ledger.note("none", calm, 0, self.load)
            round = self.load.round = Round()
            begin = time.monotonic()
            fall.happen(self.stage)
            gone = time.monotonic() - begin
            self.stage.mend()
            time.sleep(4)
            self.ledger.note(fall.name, round, gone, self.load)
            calm = self.load.round = Round()
            if time.monotonic() > next_check:
                next_check += checks
                self.look()
                calm = self.load.round = Round()
            time.sleep(max(0, next_fall - time.monotonic()))

    def look(self):
        """While everybody rests: is all there, does everybody know of it?"""
        self.load.be_quiet()
        self.measure()
        self.judge(sample)
        self.load.go_on()

    def judge(self, sample):
        told = self.crowd.ask(self.load.truth.due_changes())
        findings = Check(self.load).run(sample)
        self.photos += findings.photos
        missed = ([f"missed: nobody was told: {text}" for text in told["untold"]]
                  + [f"missed: watcher {watcher} lacks {count} changes"
                     for watcher, count in told["lacks"].items()])
        if told.get("resets"):
            missed.append(f"missed: {told['resets']} watchers were told to begin anew")
        wrong = [f"wrong: {text}" for text in self.load.truth.wrong]
        found = findings.sentences() + missed + wrong
        for sentence in found:
            if self.failures.setdefault(sentence, self.minute()) == self.minute():
                print(sentence, flush=True)
        self.told = told
        counts = ", ".join(f"{count} {what}" for what, count in self.load.truth.counts.items())
        alive = len(self.load.truth.alive())
        print(f"minute {self.minute():4.1f}: {counts}; {alive} products there, "
              f"{findings.photos} photos compared, {told['changes']} changes told; "
              f"memory {self.sizes[-1][1]} MB, descriptors {self.sizes[-1][2]}, "
              f"{100 * self.idle.share():.0f} % idle; {len(found)} complaints", flush=True)

    def minute(self):
        return round((time.monotonic() - self.begin) / 60, 1)

    def measure(self):
        self.sizes.append((self.minute(), [s.kilobytes() // 1024 for s in self.servers],
                           [s.descriptors() for s in self.servers]))

    def finish(self):
        self.load.stop()
        self.measure()
        # What only a memory of theirs holds is not in the storage.
        for server in self.servers:
            server.end()
            server.start()
            server.wait()
        self.judge(None)
        self.judge_sizes()
        self.report()

    def judge_sizes(self):
        """Of the servers that ran all the time."""
        first, last = self.sizes[0], self.sizes[-1]
        for place, (before, after) in enumerate(zip(first[1][:-1], last[1][:-1])):
            if after > 1.5 * before + 16:
                self.failures[f"server {place + 1} grew from {before} to {after} MB"] = 0
        for place, (before, after) in enumerate(zip(first[2][:-1], last[2][:-1])):
            if after > before + watchers:
                self.failures[f"server {place + 1} had {before} descriptors, now {after}"] = 0

    def report(self):
        self.ledger.show()
        told = self.told
        print(f"{watchers} watchers were told {told['changes']} changes in {told.get('events', 0)} events, "
              f"{told.get('told again', 0)} of them once more after an end; streams and polls ended "
              f"{told.get('ends', 0)} times, were left {told.get('leavings', 0)} times and refused "
              f"{told.get('refusals', 0)} times; {told.get('resets', 0)} resets")
        for place in range(len(self.servers)):
            sizes = ", ".join(f"{size[1][place]} MB, {size[2][place]} descriptors at {size[0]:.0f} min"
                              for size in (self.sizes[0], self.sizes[-1]))
            print(f"server {place + 1}: {sizes}")
        kinds = {kind: sum(1 for f in self.failures if f.startswith(kind))
                 for kind in ("lost", "doubled", "wrong", "missed")}
        print(f"{self.photos} photos compared; " + ", ".join(
            f"{count} {kind}" for kind, count in kinds.items()))
        for failure in list(self.failures)[:40]:
            print(failure)


soak = Soak()
soak.run()
sys.exit(1 if soak.failures else 0)
