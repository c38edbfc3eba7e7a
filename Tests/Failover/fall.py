"""Databases that fall under two servers of a market, with writers, editors and readers; prints what
each fall cost, and fails where something was lost, doubled or wrong, or took too long."""
import os
import signal
import sys
import time

from fall_database import Place
from fall_load import Load, Round, longest_request
from falls import Fall, Pair, Solo, falls_of_a_pair, full
from served import serve

program, programs, folder, picture_path, rounds = sys.argv[1:6]
prefix, small, wanted = sys.argv[6].split(), sys.argv[7], sys.argv[8:]
place = Place(folder, programs, prefix)
picture = open(picture_path, "rb").read()
# Whoever ends this ends what it has started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


falls = falls_of_a_pair + ([Fall("disk full", full, by="solo")] if small != "-" else [])


def run(fall, database, load):
    """One fall: what it cost, and what was too much."""
    time.sleep(2)
    load.round, begin = Round(), time.monotonic()
    fall.happen(database)
    back = time.monotonic()
    time.sleep(3)
    return load.round.result(back - begin, load.trying)


def rounds_of(fall):
    is_solo = fall.by == "solo"
    database = Solo(place, small) if is_solo else Pair(place, fall.by == "relayed")
    servers, load, results = [], None, []
    try:
        servers = serve(program, database.address, folder)
        load = Load([server.port for server in servers], picture)
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
            server.end()
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
