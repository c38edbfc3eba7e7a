"""All that falls in a fleet: its database, a server, and the storage of its pictures."""
import subprocess
import time

from falls import Fall, falls_of_a_pair, filled


class Stage:
    """What a fleet stands on: a pair of databases, servers, and the way to the storage."""

    def __init__(self, pair, servers, storage):
        self.pair, self.servers, self.storage = pair, servers, storage

    def mend(self):
        try:
            self.pair.mend()
        except (RuntimeError, subprocess.SubprocessError) as error:
            print(f"the standby is made anew: {error}", flush=True)
            self.pair.renew()
            self.pair.mend()
        self.storage.is_silent, self.storage.pause = False, 0


def server_killed(stage):
    restart(stage, is_asked=False)


def server_replaced(stage):
    restart(stage, is_asked=True)


def restart(stage, is_asked):
    """Always the last one, so that the others show what hours do to a server."""
    server = stage.servers[-1]
    server.end(ask=is_asked)
    time.sleep(1)
    server.start()
    server.wait()


def storage_lost(stage):
    stage.storage.is_silent = True
    time.sleep(8)
    stage.storage.is_silent = False
    # Of what was under way nobody knows where it was.
    stage.storage.cut()


def storage_slow(stage):
    stage.storage.pause = 0.7
    time.sleep(10)
    stage.storage.pause = 0


def of_a_pair(fall):
    return Fall(fall.name, lambda stage: fall.happen(stage.pair), by="database")


def falls(has_disks):
    """In an order in which what moves the primary and what does not take turns."""
    of_database = [of_a_pair(fall) for fall in falls_of_a_pair]
    others = [Fall("server killed", server_killed, by="server"),
              Fall("storage lost", storage_lost, by="storage"),
              Fall("server replaced", server_replaced, by="server"),
              Fall("storage slow", storage_slow, by="storage")]
    if has_disks:
        others.append(of_a_pair(Fall("disk full", filled)))
    mixed = [fall for pair in zip(of_database, others) for fall in pair]
    return mixed + of_database[len(others):]
