"""Kinds of falls of a database, and databases that they happen to."""
import os
import signal
import subprocess
import time

from fall_database import Node, Relay


class Fall:
    """What happens to a database: returns when it takes writes again."""

    def __init__(self, name, happen, by="pair"):
        self.name, self.happen, self.by = name, happen, by


class Disk:
    """A file system in memory that holds as much as one says."""

    def __init__(self, path):
        self.path = path
        self.table = f"{path}/table"

    def fill(self):
        used = os.statvfs(self.path)
        self.resize((used.f_blocks - used.f_bfree) * used.f_frsize)

    def make_room(self):
        self.resize(2 << 30)

    def resize(self, bytes):
        subprocess.run(["mount", "-o", f"remount,size={bytes}", self.path], check=True)


class Pair:
    """A primary and the standby that its commits wait for, perhaps behind relays, perhaps with tables on
    a disk for each that may be full."""

    def __init__(self, place, is_relayed, disks=()):
        self.primary, self.standby = Node("a", place), Node("b", place)
        self.disks = dict(zip("ab", disks))
        self.has_moved = False
        self.primary.make()
        if self.disks:
            self.primary.sql(f"CREATE TABLESPACE small LOCATION '{self.disks['a'].table}'")
        where = " TABLESPACE small" if self.disks else ""
        self.primary.sql(f"CREATE DATABASE fall{where}")
        self.copy()
        self.primary.wait_for_commits_of(self.standby.name)
        nodes = [self.primary, self.standby]
        self.relays = {n.name: Relay(n.port) for n in nodes} if is_relayed else {}
        ports = [self.relays[n.name].port if is_relayed else n.port for n in nodes]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        self.address = f"postgresql://market@{hosts}/fall?target_session_attrs=read-write"

    def copy(self):
        """Makes the standby from the primary."""
        leader, follower = (self.disks.get(n.name) for n in (self.primary, self.standby))
        moved = [f"--tablespace-mapping={leader.table}={follower.table}"] if leader else []
        self.standby.copy(self.primary, *moved)

    def renew(self):
        """Makes the standby anew, where it does not come back by itself."""
        self.standby.kill()
        self.standby.remove()
        disk = self.disks.get(self.standby.name)
        if disk:
            self.primary.place.run("find", disk.table, "-mindepth", "1", "-delete")
        self.primary.wait_for_commits_of("")
        self.copy()

    def take_over(self, after=2):
        """Waits as long as whoever watches over databases may need, and promotes the standby."""
        time.sleep(after)
        self.standby.promote()
        self.has_moved = True

    def mend(self):
        """Whoever fell follows the other one from now on."""
        has_moved, self.has_moved = self.has_moved, False
        if has_moved:
            # Who was put aside is not let back, or two would be the one that writes.
            self.primary.kill()
            self.primary, self.standby = self.standby, self.primary
        for relay in self.relays.values():
            relay.is_silent = False
            relay.cut()
        if has_moved:
            self.standby.come_back(self.primary)
        elif self.standby.is_gone:
            self.standby.go_on(self.primary)
        self.primary.wait_for_commits_of(self.standby.name)

    def stop(self):
        for node in (self.primary, self.standby):
            node.control("stop", "-m", "immediate", check=False)


class Solo:
    """A database on a disk that is soon full."""

    def __init__(self, place, disk):
        self.primary = Node("c", place)
        self.primary.make()
        self.primary.sql(f"CREATE TABLESPACE small LOCATION '{disk}'")
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


def filled(pair):
    """The disk of the primary takes nothing more for some seconds; that of the standby does."""
    disk = pair.disks[pair.primary.name]
    disk.fill()
    try:
        time.sleep(5)
    finally:
        disk.make_room()


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


falls_of_a_pair = [
    Fall("primary killed", kill),
    Fall("primary stands still", stall),
    Fall("way to primary lost", hole, by="relayed"),
    Fall("standby killed", standby_gone),
    Fall("connections cut", cut, by="relayed"),
    Fall("300 backends killed", backends_killed),
]
