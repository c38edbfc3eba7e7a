"""Three machines, each with a member of etcd, Patroni and its PostgreSQL, and HAProxy before two servers
of a market: each machine dies in turn under load, and comes back. Prints what each death cost, and
fails where something was lost, doubled or wrong, or took too long."""
import json
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

from fall_database import Place, free_port, kill, processes_in
from fall_load import Load, Round, longest_request
from served import serve

program, programs, folder, picture_path = sys.argv[1:5]
prefix = sys.argv[5].split()
place = Place(folder, programs, prefix)
picture = open(picture_path, "rb").read()
# Whoever ends this ends what it has started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
patience = 120
"""Seconds for which machines are waited for."""


class Machine:
    """A member of etcd, and a PostgreSQL that Patroni looks after; all of it dies at once."""

    def __init__(self, number):
        self.name = f"n{number}"
        self.data = f"{folder}/{self.name}"
        self.client, self.peer, self.api, self.port = (free_port() for _ in range(4))
        self.running = []

    def start(self, machines, is_new=False):
        members = ",".join(f"{m.name}=http://127.0.0.1:{m.peer}" for m in machines)
        self.run(["etcd", "--name", self.name, "--data-dir", f"{self.data}.etcd",
                  "--listen-client-urls", f"http://127.0.0.1:{self.client}",
                  "--advertise-client-urls", f"http://127.0.0.1:{self.client}",
                  "--listen-peer-urls", f"http://127.0.0.1:{self.peer}",
                  "--initial-advertise-peer-urls", f"http://127.0.0.1:{self.peer}",
                  "--initial-cluster", members, "--initial-cluster-state", "new",
                  "--heartbeat-interval", "200", "--election-timeout", "2000"])
        if is_new:
            self.write(machines)
        self.run(["patroni", f"{self.data}.yml"])

    def run(self, command):
        log = open(f"{self.data}.log", "ab")
        self.running.append(subprocess.Popen(
            prefix + command, cwd=folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            start_new_session=True))

    def write(self, machines):
        hosts = [f"127.0.0.1:{m.client}" for m in machines]
        # JSON is YAML.
        place.write(f"{self.data}.yml", json.dumps({
            "scope": "market", "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.api}",
                        "connect_address": f"127.0.0.1:{self.api}"},
            "etcd3": {"hosts": hosts},
            "bootstrap": {
                "dcs": {
                    "ttl": 20, "loop_wait": 2, "retry_timeout": 5, "synchronous_mode": True,
                    "maximum_lag_on_failover": 1 << 20,
                    "postgresql": {
                        "use_pg_rewind": True,
                        "parameters": {"max_connections": 80, "shared_buffers": "32MB",
                                       "wal_keep_size": "256MB", "wal_log_hints": "on"},
                        "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust",
                                   "host replication all 127.0.0.1/32 trust"]}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "no-sync"]},
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}", "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": self.data, "bin_dir": programs, "pgpass": f"{self.data}.pass",
                "authentication": {"superuser": {"username": "market", "password": "market"},
                                   "replication": {"username": "copy", "password": "copy"},
                                   "rewind": {"username": "rewind", "password": "rewind"}},
                "parameters": {"unix_socket_directories": folder}}}))

    def die(self):
        """As if its plug were pulled."""
        doomed = [process.pid for process in self.running] + processes_in(self.data)
        for process in self.running:
            process.kill()
        for process in self.running:
            process.wait()
        kill(doomed)
        self.running = []

    def says(self, path):
        """Whether Patroni answers 200 to a question."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.api}{path}", timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False


def until(condition, what):
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"{what} does not come")
        time.sleep(0.1)


def proxy(machines):
    """HAProxy, which leads to whichever machine says that it is the primary, as POSTGRES.md says."""
    port = free_port()
    lines = "".join(f"  server {m.name} 127.0.0.1:{m.port} check port {m.api}\n" for m in machines)
    place.write(f"{folder}/haproxy.cfg", f"""
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:{port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
{lines}""")
    process = subprocess.Popen(["/usr/sbin/haproxy", "-db", "-q", "-f", f"{folder}/haproxy.cfg"])
    return process, port


def primary(machines):
    return next((m for m in machines if m.running and m.says("/primary")), None)


def takes_writes():
    """Whether the database itself acknowledges a write."""
    hosts = ",".join(f"127.0.0.1:{machine.port}" for machine in machines)
    place_of_all = f"postgresql://market@{hosts}/postgres?target_session_attrs=read-write"
    return place.run("psql", "-q", place_of_all, "-c", "CREATE TABLE IF NOT EXISTS probe (at int)",
                     "-c", "INSERT INTO probe VALUES (1)", check=False).returncode == 0


def is_whole(machines):
    """Whether all copies follow, and one of them is waited for by commits."""
    return (all(m.says("/primary") or m.says("/replica?lag=1MB") for m in machines)
            and any(m.says("/sync") for m in machines))


machines = [Machine(number) for number in (1, 2, 3)]
servers, load, results, proxying = [], None, [], None
try:
    for machine in machines:
        machine.start(machines, is_new=True)
    until(lambda: is_whole(machines), "the cluster")
    place.run("psql", "-q", "-h", "127.0.0.1", "-p", str(primary(machines).port), "-U", "market",
              "-d", "postgres", "-c", "CREATE DATABASE market")
    proxying, port = proxy(machines)
    servers = serve(program, f"postgresql://market@127.0.0.1:{port}/market"
                    "?target_session_attrs=read-write", folder)
    load = Load([server.port for server in servers], picture)
    load.start()
    time.sleep(3)
    print(f"{'machine':20} {'database away':>14} {'writes refused':>15} {'longest request':>16} "
          f"{'reads (stale, refused)':>26}", flush=True)
    for machine in machines:
        role = "primary" if machine is primary(machines) else "standby"
        load.round, begin = Round(), time.monotonic()
        machine.die()
        until(takes_writes, "a primary")
        gone = time.monotonic() - begin
        time.sleep(8)
        result = load.round.result(gone, load.trying)
        results.append(result)
        reads = f"{result['reads']} ({result['stale']}, {result['refused']})"
        print(f"{machine.name + ', ' + role:20} {gone:12.1f} s {result['write']:13.1f} s "
              f"{result['longest']:14.1f} s {reads:>26}", flush=True)
        machine.start(machines)
        until(lambda: is_whole(machines), f"{machine.name} again")
        time.sleep(3)
    load.stop()
    lost, doubled = load.losses()
    if load.longest > longest_request:
        load.truth.fail(f"a request took {load.longest:.1f} s")
finally:
    if load:
        load.is_over = True
    for server in servers:
        server.end()
    if proxying:
        proxying.kill()
        proxying.wait()
    for machine in machines:
        machine.die()
print(f"{len(load.truth.names)} products: {len(lost)} lost, {len(doubled)} doubled, "
      f"{len(load.truth.wrong)} wrong")
failures = [m for result in results for m in result["mistakes"]] + lost + doubled
for failure in (failures + load.truth.wrong)[:40]:
    print(failure)
sys.exit(1 if failures or load.truth.wrong else 0)
