"""What falls cost those who asked meanwhile, and how much of the machine was left over."""
import time

from fall_load import longest_request


class Idle:
    """How much of the machine was left over."""

    def __init__(self):
        self.begin = self.read()

    def read(self):
        with open("/proc/stat") as stat:
            numbers = [int(word) for word in stat.readline().split()[1:9]]
        return numbers[3] + numbers[4], sum(numbers)

    def share(self):
        idle, total = (now - then for now, then in zip(self.read(), self.begin))
        return idle / max(1, total)


class Ledger:
    """What each kind of fall cost."""

    def __init__(self):
        self.rows = {}

    def note(self, name, round, gone, load):
        result = round.result(gone, load.trying if gone else {})
        requests = round.requests
        result["count"] = len(requests)
        result["longest"] = max((r[1] for r in requests), default=0)
        slow = [r for r in requests if r[1] > longest_request]
        result["slow"] = len(slow)
        for begin, taken, kind, status, _ in slow:
            at = time.strftime("%H:%M:%S", time.gmtime(time.time() - time.monotonic() + begin))
            print(f"slow: {kind} from {at} on took {taken:.1f} s, {status or 'broken'}: {name}",
                  flush=True)
        result["unanswered"] = sum(1 for r in requests if r[3] == 0)
        result["busy"] = sum(1 for r in requests if r[3] == 503)
        self.rows.setdefault(name, []).append(result)

    def show(self):
        print(f"{'fall':22} {'times':>5} {'lasted':>8} {'writes refused':>15} {'longest request':>16} "
              f"{'over 5 s':>9} {'requests':>9} {'503':>6} {'broken':>7} {'reads (stale, refused)':>24}")
        for name, results in self.rows.items():
            def worst(key):
                return max(result[key] for result in results)

            def total(key):
                return sum(result[key] for result in results)

            gone = f"{worst('gone'):.1f} s" if worst("gone") else "-"
            refused = f"{worst('write'):.1f} s" if worst("gone") else "-"
            reads = f"{total('reads')} ({total('stale')}, {total('refused')})"
            print(f"{name:22} {len(results):5} {gone:>8} {refused:>15} {worst('longest'):14.1f} s "
                  f"{total('slow'):9} {total('count'):9} {total('busy'):6} {total('unanswered'):7} "
                  f"{reads:>24}")
