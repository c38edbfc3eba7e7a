#!/usr/bin/env python3
"""Counts the instructions of the release programs under callgrind, beside limits: the same on any machine.

Beside them stand system calls, page faults, threads and memory, which differ a little from run to run.

usage: counts.py FOLDER-OF-PROGRAMS [long]

A key or a request is the difference of two runs, one of which has more of them, by their number; what other
threads do meanwhile differs, so that the least of some runs counts. Exits with
1 where a limit is exceeded.
"""

import base64
import fcntl
import http.client
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios

# Millions of instructions at most where no other unit is named, by what is counted.
LIMITS = {
    "start to first frame, 66 products": 21,
    "start to first frame, 100,000 products": 21,
    "system calls before the first frame": 400,
    "page faults before the first frame": 750,
    "threads at the first frame": 5,
    "memory at rest, MB": 20,
    "memory at rest of its own, MB": 5,
    "key in the list, 80x24": 1.0,
    "system calls of a key in the list": 12,
    "key held beside the detail, 160x50": 2.2,
    "key beside the detail with its picture": 12,
    "grid scrolled by a row, 160x50": 25,
    "grid scrolled by a row, KB written": 24,
    "first grid, blocks, 160x50": 230,
    "first grid, blocks, KB written": 75,
    "first grid, kitty, 160x50": 2250,
    "first grid, kitty, KB written": 580,
    "first grid, sixel, 160x50": 2300,
    "first grid, sixel, KB written": 1150,
    "market show 1": 9,
    "market list of 66": 10,
    "market list of 100,000": 2800,
    "page from memory": 0.018,
    "page, new": 1.2,
    "search for a word": 1.75,
    "search for a word, 100,000 products": 3,
    "that in times of one of 1,000": 1.5,
    "registration with a picture": 68,
    "edit": 66.5,
    "page after an edit": 0.5,
}
WORDS = ["red", "bike", "lamp", "cup", "chair", "desk", "book", "mug"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
# The method that shows a frame, by its mangled name.
SHOW = "*TerminalKit0A6ScreenC4show*"
FRAME_END = b"\x1b[?2026l"
# Seconds without output after which a program has drawn what it had to.
QUIET = 0.7
# The same where pictures are drawn and the terminal answers.
QUIET_WITH_PICTURES = 5
# Seconds after which a program is stuck.
PATIENCE = 120
# Seconds without a frame after which a key that is held had none of its own.
STUCK = 10
# Times that keys are held again where a frame came between them.
MOST_TRIES = 20


class Counter:
    """Runs programs, without what debuggers need, in a home of their own."""

    def __init__(self, programs, home):
        self.home, self.file = home, home / "callgrind"
        # Whether the terminal says that it has taken what was written, without which few pictures are sent.
        self.answers = False
        self.programs = {}
        for name in ("market", "market-server"):
            self.programs[name] = home / name
            subprocess.run(["strip", "--strip-debug", "-o", self.programs[name], programs / name], check=True)
        self.slow_timers = home / "slow-timers.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.slow_timers, ROOT / "Tests/Load/Counts/slow_timers.c"],
                       check=True)
        self.environment = {
            "HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "TZ": "UTC"}

    def command(self, name, *words, options=()):
        return ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={self.file}", *options,
                str(self.programs[name]), *words]

    def counted(self, part=""):
        """Millions of instructions of the run that has ended, or of a part of it."""
        text = pathlib.Path(f"{self.file}{part}").read_text()
        return int(re.search(r"^(?:summary|totals): (\d+)", text, re.M)[1]) / 1e6

    def plain(self, *words, given=b""):
        """Runs `market` as it is."""
        subprocess.run([self.programs["market"], *words], check=True, env=self.environment, input=given,
                       stdout=subprocess.DEVNULL, cwd=self.home)

    def run(self, *words):
        """Instructions of a command."""
        subprocess.run(self.command("market", *words), check=True, env=self.environment, cwd=self.home,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return self.counted()

    def start(self, columns, rows, *words):
        """Instructions until the first frame has been shown."""
        self.press("", columns, rows, self.command("market", *words, options=[f"--dump-after={SHOW}"]))
        return self.counted(".1")

    def calls_before_frame(self, columns, rows, *words):
        """System calls of all threads before the first frame is written."""
        self.press("", columns, rows, ["strace", "-f", "-o", str(self.file), str(self.programs["market"]), *words])
        lines = [line for line in self.file.read_text().splitlines() if "resumed>" not in line]
        return next(number for number, line in enumerate(lines) if " write(" in line and "1049h" in line)

    def rest(self, columns, rows, *words):
        """Page faults and threads when the first frame has come; then MB of memory, and of it what is the program's own."""
        def figures(process, terminal):
            self.read(terminal, PATIENCE)
            faults = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[7]
            threads = re.search(r"^Threads:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text(), re.M)[1]
            while self.read(terminal, QUIET):
                pass
            rollup = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
            memory = [int(re.search(rf"^{name}:\s+(\d+)", rollup, re.M)[1]) / 1e3 for name in ("Rss", "Private_Dirty")]
            return [int(faults), int(threads), *memory]

        return self.press("", columns, rows, [str(self.programs["market"]), *words], watch=figures)

    def calls(self, keys, columns, rows, *words):
        """System calls of a run on a terminal in which keys are pressed."""
        command = ["strace", "-f", "-c", "-o", str(self.file), str(self.programs["market"]), *words]
        self.press(keys, columns, rows, command)
        return int(next(line for line in self.file.read_text().splitlines() if line.endswith(" total")).split()[3])

    def screen(self, keys, columns, rows, *words, is_held=False):
        """Instructions and bytes of a run on a terminal in which keys are pressed."""
        for _ in range(MOST_TRIES):
            if self.press(keys, columns, rows, self.command("market", *words), is_held):
                return self.counted(), self.bytes / 1e3
        sys.exit(f"{MOST_TRIES} times something was drawn between keys that are held")

    def press(self, keys, columns, rows, command, is_held=False, watch=None):
        """Runs a command on a terminal in which keys are pressed, each when the last was shown; what `watch` tells.

        Held keys follow each frame at once; timers run slowly meanwhile, so that no detail follows. False where
        another frame came between them, such as one with a late picture. Without keys the program is told to
        end as soon as it has shown something.
        """
        self.bytes, is_clean = 0, True
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.home)
            preloaded = {"LD_PRELOAD": str(self.slow_timers)} if is_held else {}
            os.execvpe(command[0], command, self.environment | preloaded)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        watched = watch(process, terminal) if watch else None
        if keys:
            self.settle(terminal, process)
        else:
            self.read(terminal, 0 if watch else PATIENCE)
        for key in keys:
            os.write(terminal, key.encode())
            if is_held:
                is_clean = is_clean and self.frame(terminal)
            else:
                self.settle(terminal, process)
        while is_held and self.read(terminal, QUIET):
            is_clean = False
        os.write(terminal, b"q")
        while self.read(terminal, PATIENCE):
            pass
        _, status = os.waitpid(process, 0)
        if status != 0:
            sys.exit(f"{command}: ended with {status}")
        return watched if watch else is_clean

    def settle(self, terminal, process):
        """Waits until something was written and nothing more comes."""
        if not self.read(terminal, PATIENCE):
            os.kill(process, signal.SIGKILL)
            sys.exit("the program shows nothing")
        while self.read(terminal, QUIET_WITH_PICTURES if self.answers else QUIET):
            pass

    def frame(self, terminal):
        """Waits for one frame; false where none came, as where two keys that undo each other share one, or more."""
        written = b""
        while not written.endswith(FRAME_END):
            more = self.read(terminal, STUCK)
            if not more:
                return False
            written += more
        return written.count(FRAME_END) == 1

    def read(self, terminal, patience):
        """What was written in time; empty where nothing was."""
        ready, _, _ = select.select([terminal], [], [], patience)
        try:
            written = os.read(terminal, 1 << 16) if ready else b""
        except OSError:
            return b""
        self.bytes += len(written)
        if self.answers:
            os.write(terminal, b"\x1b[0n" * written.count(b"\x1b[5n"))
        return written

    def server(self, requests, store):
        """Instructions of a server that answers some requests, one after the other."""
        process = subprocess.Popen(
            self.command("market-server", "--listen", "127.0.0.1:0", "--rate", "0", "--store", store),
            env=self.environment, cwd=self.home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        port = next(int(found[1]) for line in process.stdout if (found := re.search(r"127\.0\.0\.1:(\d+)", line)))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        for method, target, body in requests:
            connection.request(method, target, body, {"Content-Type": "application/json"} if body else {})
            answer = connection.getresponse()
            answer.read()
            if answer.status >= 400:
                sys.exit(f"{method} {target}: {answer.status}")
        connection.close()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        return self.counted()


def each(count, few, many):
    """What one of `count` more costs."""
    return (many - few) / count


def page(size=20, search=""):
    words = f"&search_value={search}" if search else ""
    return "GET", f"/api/products?page_no=1&items_per_page={size}{words}", None


def registration(number):
    picture = base64.b64encode((ROOT / "Tests/Fixtures/Pictures/plain.png").read_bytes()).decode()
    return "POST", "/item", json.dumps({
        "title": f"Lamp {number}", "descriptions": "Warm light.", "price": 1000, "currency": "KRW", "stock": 1,
        "password": "a password", "images": [picture]})


def edit(product, price):
    return "PATCH", f"/item/{product}", json.dumps({"price": price, "password": "openmarket"})


def measure(counter, is_long):
    """What is counted, with its millions of instructions, as it comes."""
    small, thousand, large = "small.sqlite", "thousand.sqlite", "large.sqlite"
    counter.plain("sample", "--store", small)
    counter.plain("generate", "100000" if is_long else "1000", "--store", large)
    yield "market show 1", counter.run("show", "1", "--store", small)
    yield "market list of 66", counter.run("list", "--store", small)
    if is_long:
        yield "market list of 100,000", counter.run("list", "--store", large)

    def frames(keys, columns, rows, *words, store=small, is_held=False):
        runs = [counter.screen(keys, columns, rows, "--language", "en", "--store", store, *words, is_held=is_held)
                for _ in range(3)]
        return [min(column) for column in zip(*runs)]

    def least(measure, *words, store=small):
        return min(measure(160, 50, "--language", "en", "--store", store, *words) for _ in range(6))

    # The first start makes files of the person's.
    frames("j", 160, 50)
    yield "start to first frame, 66 products", least(counter.start)
    if is_long:
        yield "start to first frame, 100,000 products", least(counter.start, store=large)
    yield "system calls before the first frame", least(counter.calls_before_frame)
    yield from zip([
        "page faults before the first frame", "threads at the first frame", "memory at rest, MB",
        "memory at rest of its own, MB"], least(counter.rest))

    def keys(count, few, many, *size_and_view, is_held=False):
        return [each(count, *column) for column in zip(
            frames(few, *size_and_view, is_held=is_held), frames(many, *size_and_view, is_held=is_held))]

    yield "key in the list, 80x24", keys(8, "jk", "jk" * 5, 80, 24, "--view", "list")[0]
    few, many = (min(counter.calls(pressed, 80, 24, "--language", "en", "--store", small, "--view", "list")
                     for _ in range(3)) for pressed in ("jk", "jk" * 5))
    yield "system calls of a key in the list", each(8, few, many)
    yield "key held beside the detail, 160x50", keys(20, "jk", "jk" * 11, 160, 50, "--view", "list", is_held=True)[0]
    yield "key beside the detail with its picture", keys(8, "jk", "jk" * 5, 160, 50, "--view", "list")[0]
    scroll = keys(4, "jjjj", "j" * 8, 160, 50, "--view", "grid")
    yield "grid scrolled by a row, 160x50", scroll[0]
    yield "grid scrolled by a row, KB written", scroll[1]
    counter.answers = True
    bare, _ = frames("l", 160, 50, "--view", "grid", "--pictures", "none")
    for method in ("blocks", "kitty", "sixel"):
        counted, written = frames("l", 160, 50, "--view", "grid", "--pictures", method)
        yield f"first grid, {method}, 160x50", counted - bare
        yield f"first grid, {method}, KB written", written
    counter.answers = False

    def served(*requests, store=small):
        return counter.server([page(), *requests], store)

    def search(store=small):
        return each(8, served(store=store), served(*[page(search=word) for word in WORDS], store=store))

    rest = served()
    yield "page from memory", each(100, rest, served(*[page()] * 100))
    yield "page, new", each(8, rest, served(*[page(size) for size in range(11, 19)]))
    yield "search for a word", search()
    if is_long:
        counter.plain("generate", "1000", "--store", thousand)
        few, many = search(thousand), search(large)
        yield "search for a word, 100,000 products", many
        yield "that in times of one of 1,000", many / few
    yield "registration with a picture", each(4, rest, served(*[registration(number) for number in range(4)]))
    edits = served(*[edit(1, price) for price in range(1001, 1005)])
    yield "edit", each(4, rest, edits)
    yield "page after an edit", each(
        4, edits, served(*[request for price in range(2001, 2005) for request in (edit(1, price), page())]))


def main():
    programs, is_long = pathlib.Path(sys.argv[1]).resolve(), "long" in sys.argv[2:]
    exceeded = False
    with tempfile.TemporaryDirectory() as home:
        counter = Counter(programs, pathlib.Path(home))
        print(f"{'millions of instructions, or what is named':<44}{'counted':>10}{'limit':>10}")
        for name, count in measure(counter, is_long):
            limit = LIMITS[name]
            exceeded |= count > limit
            print(f"{name:<44}{count:>10.3f}{limit:>10.3f}{'  exceeded' if count > limit else ''}", flush=True)
    sys.exit(exceeded)


main()
