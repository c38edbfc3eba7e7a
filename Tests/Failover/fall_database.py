"""Databases that fall: two PostgreSQL servers of which one follows the other, one on a small disk, and
ways to them that may be closed."""
import os
import select
import signal
import socket
import subprocess
import threading
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Node:
    """One server in a folder of its own, at a port of this machine."""

    settings = """
listen_addresses = '127.0.0.1'
max_connections = 100
wal_log_hints = on
wal_keep_size = 256MB
hot_standby = on
synchronous_commit = on
shared_buffers = 32MB
max_wal_size = 512MB
"""

    def __init__(self, name, place):
        self.name, self.place = name, place
        self.data = f"{place.folder}/{name}"
        self.port = free_port()
        self.is_gone = False

    def control(self, *words, check=True):
        return self.place.run("pg_ctl", "-s", "-w", "-D", self.data, *words, check=check)

    def make(self):
        self.place.run("initdb", "-D", self.data, "-U", "market", "-A", "trust", "-E", "UTF8",
                       "--locale=C.UTF-8", "--no-sync")
        self.set(self.settings)
        self.start()

    def set(self, text):
        self.place.write(f"{self.data}/postgresql.conf", text + f"\nport = {self.port}\n"
                         f"unix_socket_directories = '{self.place.folder}'\n")

    def start(self):
        self.is_gone = False
        self.control("start", "-l", f"{self.place.folder}/{self.name}.log")

    def sql(self, text, database="postgres", check=True):
        return self.place.run("psql", "-q", "-X", "-A", "-t", "-h", self.place.folder, "-p",
                              str(self.port), "-U", "market", "-d", database, "-c", text,
                              check=check).stdout.strip()

    def wait_for_commits_of(self, follower):
        """A name of a follower that commits wait for; none for nobody."""
        self.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{follower}'")
        self.sql("SELECT pg_reload_conf()")

    def follow(self, leader):
        self.place.write(f"{self.data}/standby.signal", "")
        self.set(f"primary_conninfo = 'host=127.0.0.1 port={leader.port} user=market "
                 f"application_name={self.name}'\nprimary_slot_name = ''\n")
        self.go_on(leader)

    def go_on(self, leader):
        self.start()
        end = time.monotonic() + 30
        while "streaming" not in leader.sql("SELECT state FROM pg_stat_replication"):
            if time.monotonic() > end:
                with open(f"{self.place.folder}/{self.name}.log") as log:
                    raise RuntimeError(f"{self.name} does not follow: {log.read()[-2000:]}")
            time.sleep(0.1)

    def copy(self, leader, *options):
        self.place.run("pg_basebackup", "-h", self.place.folder, "-p", str(leader.port), "-U",
                       "market", "-D", self.data, "--checkpoint=fast", "--no-sync", *options)
        self.place.run("rm", "-f", f"{self.data}/postgresql.auto.conf")
        self.follow(leader)

    def come_back(self, leader):
        """Follows whoever has taken over, and says so of itself only from its next checkpoint on."""
        leader.sql("CHECKPOINT")
        self.place.run("pg_rewind", "-D", self.data, "--no-sync", "--source-server",
                       f"host=127.0.0.1 port={leader.port} user=market dbname=postgres")
        self.place.run("rm", "-f", f"{self.data}/postgresql.auto.conf")
        self.follow(leader)

    def remove(self):
        self.place.run("rm", "-rf", self.data)

    def promote(self):
        self.control("promote")

    def processes(self):
        return processes_in(self.data)

    def signal(self, number):
        for process in self.processes():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def kill(self):
        """As if the machine were gone; once, for others may have the numbers of its processes then."""
        if self.is_gone:
            return
        self.is_gone = True
        kill(self.processes())


def processes_in(data):
    """The numbers of the processes of the server in a folder."""
    try:
        with open(f"{data}/postmaster.pid") as file:
            first = file.readline().strip()
    except FileNotFoundError:
        return []
    children = subprocess.run(["ps", "--ppid", first, "-o", "pid="], capture_output=True,
                              text=True).stdout.split()
    return [int(first)] + [int(child) for child in children]


def kill(processes):
    """Ends processes at once; returns when they are gone."""
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    end = time.monotonic() + 10
    # What nobody has taken note of still counts as running for whoever starts it again.
    while time.monotonic() < end and any(os.path.exists(f"/proc/{p}") for p in processes):
        time.sleep(0.01)


class Place:
    """Where servers of databases are: a folder, their programs, and who runs them."""

    def __init__(self, folder, programs, prefix):
        self.folder, self.programs, self.prefix = folder, programs, prefix

    def run(self, program, *words, check=True):
        path = f"{self.programs}/{program}"
        command = self.prefix + [path if os.path.exists(path) else program, *words]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60) \
            if program != "pg_ctl" else self.controlled(command)
        if check and done.returncode != 0:
            raise RuntimeError(f"{program} {' '.join(words)}: {done.stderr}")
        return done

    def controlled(self, command):
        # The server that it starts keeps what it is given: no pipe that somebody reads to its end.
        with open(f"{self.folder}/control.log", "ab") as log:
            return subprocess.run(command, cwd=self.folder, stdout=log, stderr=log, timeout=60,
                                  stdin=subprocess.DEVNULL)

    def write(self, path, text):
        subprocess.run(self.prefix + ["sh", "-c", 'cat >>"$1"', "sh", path], input=text, text=True,
                       check=True)


class Relay:
    """A port that leads to another one, as long as it does."""

    def __init__(self, port):
        self.target = port
        self.is_silent = False
        self.pause = 0
        """Seconds for which it holds back whatever comes."""
        self.pairs = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        pair = (client, None)
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
            pair = (client, server)
            with self.lock:
                self.pairs.add(pair)
            while True:
                for end in select.select(pair, [], [])[0]:
                    bytes = end.recv(65536)
                    if not bytes:
                        return
                    time.sleep(self.pause)
                    # What is taken while it is silent goes nowhere.
                    if not self.is_silent:
                        (server if end is client else client).sendall(bytes)
        except (OSError, ValueError):
            pass
        finally:
            with self.lock:
                self.pairs.discard(pair)
            for end in pair:
                if end:
                    end.close()

    def cut(self):
        with self.lock:
            for pair in self.pairs:
                for end in pair:
                    try:
                        end.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass
