"""Databases that fall under two servers of a market, with writers, editors and readers; prints what
each fall cost, and fails where something was lost, doubled or wrong, or took too long."""
import os
import signal
import sys
import time

from fall_database import Node, Place, Relay
from fall_load import Load, Round, longest_request, serve

program, programs, folder, picture_path, rounds = sys.argv[1:6]
prefix, small, wanted = sys.argv[6].split(), sys.argv[7], sys.argv[8:]
place = Place(folder, programs, prefix)
picture = open(picture_path, "rb").read()
# Whoever ends this ends what it has started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


class Fall:
    """What happens to a database: returns when it takes writes again."""

    def __init__(self, name, happen, by="pair"):
        self.name, self.happen, self.by = name, happen, by


class Pair:
    """A primary and the standby that its commits wait for, perhaps behind relays."""

    def __init__(self, is_relayed):
        self.primary, self.standby = Node("a", place), Node("b", place)
        self.has_moved = False
        self.primary.make()
        self.primary.sql("CREATE DATABASE fall")
        self.standby.copy(self.primary)
        self.primary.wait_for_commits_of(self.standby.name)
        nodes = [self.primary, self.standby]
        self.relays = {n.name: Relay(n.port) for n in nodes} if is_relayed else {}
        ports = [self.relays[n.name].port if is_relayed else n.port for n in nodes]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        self.address = f"postgresql://market@{hosts}/fall?target_session_attrs=read-write"

    def take_over(self, after=2):
        """Waits as long as whoever watches over databases may need, and promotes the standby."""
        time.sleep(after)
        self.standby.promote()
        self.has_moved = True

    def mend(self):
        """Whoever fell follows the other one from now on."""
        if self.has_moved:
            # Who was put aside is not let back, or two would be the one that writes.
            self.primary.kill()
            self.primary, self.standby = self.standby, self.primary
        for relay in self.relays.values():
            relay.is_silent = False
            relay.cut()
        if self.has_moved:
            self.standby.come_back(self.primary)
        elif self.standby.is_gone:
            self.standby.go_on(self.primary)
        self.has_moved = False
        self.primary.wait_for_commits_of(self.standby.name)

    def stop(self):
        for node in (self.primary, self.standby):
            node.control("stop", "-m", "immediate", check=False)


class Solo:
    """A database on a disk that is soon full."""

    def __init__(self, is_relayed):
        self.primary = Node("c", place)
        self.primary.make()
        self.primary.sql(f"CREATE TABLESPACE small LOCATION '{small}'")
        self.primary.sql("CREATE DATABASE fall TABLESPACE small")
        self.address = f"postgresql://market@127.0.0.1:{self.primary.port}/fall"

    def mend(self):
        pass

    def stop(self):
        self.primary.control("stop", "-m", "immediate", check=False)


def kill(pair):
    pair.primary.kill()
    pair.take_over()


def stall(pair):
    pair.primary.signal(signal.SIGSTOP)
    pair.take_over()


def hole(pair):
    pair.relays[pair.primary.name].is_silent = True
    pair.take_over()


def standby_gone(pair):
    pair.standby.kill()
    time.sleep(2)
    pair.primary.wait_for_commits_of("")


def cut(pair):
    end = time.monotonic() + 5
    while time.monotonic() < end:
        for relay in pair.relays.values():
            relay.cut()
        time.sleep(0.5)


def backends_killed(pair):
    killed = 0
    while killed < 300:
        answer = pair.primary.sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                                  "WHERE datname = 'fall' AND pid <> pg_backend_pid()")
        killed += int(answer)
        time.sleep(0.05)


def full(solo):
    solo.primary.sql("CREATE TABLE filler (bytes text)", "fall")
    solo.primary.sql("ALTER TABLE filler ALTER bytes SET STORAGE EXTERNAL", "fall")
    size = 4_000_000
    while size > 1_000:
        done = solo.primary.sql(
            f"INSERT INTO filler SELECT repeat('x', {size}) RETURNING 1", "fall", check=False)
        if not done:
            size //= 4
    time.sleep(3)
    solo.primary.sql("DROP TABLE filler", "fall")
    solo.primary.sql("CHECKPOINT", "fall")


falls = [
    Fall("primary killed", kill),
    Fall("primary stands still", stall),
    Fall("way to primary lost", hole, by="relayed"),
    Fall("standby killed", standby_gone),
    Fall("connections cut", cut, by="relayed"),
    Fall("300 backends killed", backends_killed),
] + ([Fall("disk full", full, by="solo")] if small != "-" else [])


def run(fall, database, load):
    """One fall: what it cost, and what was too much."""
    time.sleep(2)
    load.round, begin = Round(), time.monotonic()
    fall.happen(database)
    back = time.monotonic()
    time.sleep(3)
    return load.round.result(back - begin, load.trying)


def rounds_of(fall):
    database = (Solo if fall.by == "solo" else Pair)(fall.by == "relayed")
    servers, load, results = [], None, []
    try:
        servers, ports = serve(program, database.address, folder)
        load = Load(ports, picture)
        load.start()
        time.sleep(2)
        for number in range(int(rounds)):
            results.append(run(fall, database, load))
            database.mend()
        time.sleep(1)
        load.stop()
        lost, doubled = load.losses()
        if load.longest > longest_request:
            load.truth.fail(f"a request took {load.longest:.1f} s")
        return results, lost, doubled, load.truth.wrong, len(load.truth.names)
    finally:
        if load:
            load.is_over = True
        for server in servers:
            server.kill()
            server.wait()
        database.stop()
        for name in os.listdir(folder):
            if name in ("a", "b", "c"):
                place.run("rm", "-rf", f"{folder}/{name}")


print(f"{'fall':22} {'database away':>14} {'writes refused':>15} {'longest request':>16} "
      f"{'reads (stale, refused)':>26} {'lost':>5} {'doubled':>8} {'wrong':>6}")
failures = []
for fall in falls:
    if wanted and fall.name not in wanted:
        continue
    results, lost, doubled, wrong, products = rounds_of(fall)

    def worst(key):
        return max(result[key] for result in results)

    reads = (f"{sum(r['reads'] for r in results)} ({sum(r['stale'] for r in results)}, "
             f"{sum(r['refused'] for r in results)})")
    print(f"{fall.name:22} {worst('gone'):12.1f} s {worst('write'):13.1f} s "
          f"{worst('longest'):14.1f} s {reads:>26} {len(lost):5} {len(doubled):8} {len(wrong):6}",
          flush=True)
    found = [m for result in results for m in result["mistakes"]] + lost + doubled + wrong
    failures += [f"{fall.name}: {mistake}" for mistake in found]
if small == "-":
    print("disk full: not tried, for no small disk could be mounted")
for failure in failures[:40]:
    print(failure)
sys.exit(1 if failures else 0)
