"""Servers of a market as processes, each at a port of its own, which may be killed and started again."""
import os
import subprocess

from fall_database import free_port


class Server:
    """One server; it keeps its port when it is started again."""

    def __init__(self, program, address, folder, number, options=()):
        self.port, self.process = free_port(), None
        self.log = f"{folder}/server-{number}.log"
        self.command = [program, "--store", address, "--listen", f"127.0.0.1:{self.port}",
                        "--trust-proxy", "--rate", "0", *options]

    def start(self):
        """Does not wait until it listens."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=log, text=True)

    def wait(self):
        """Returns when it listens."""
        if not self.process.stdout.readline().startswith("listening"):
            with open(self.log) as log:
                raise RuntimeError(f"a server does not start: {log.read()[-500:]}")

    def end(self, ask=False):
        """Ends it at once, or asks it to."""
        if self.process:
            (self.process.terminate if ask else self.process.kill)()
            self.process.wait()

    def kilobytes(self):
        """Memory that it has now."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def serve(program, address, folder, count=2, options=()):
    """Servers of one store; returns when all listen."""
    servers = [Server(program, address, folder, number, options)
               for number in range(1, count + 1)]
    try:
        for server in servers:
            server.start()
        for server in servers:
            server.wait()
    except BaseException:
        for server in servers:
            server.end()
        raise
    return servers
