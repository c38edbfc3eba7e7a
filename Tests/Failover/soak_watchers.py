"""Two hundred clients that follow what changes, by streams and by polls, leave and come back; a program
that is asked, a line of JSON each, whether all of them know everything."""
import asyncio
import collections
import json
import random
import sys
import time


class Told:
    """All changes that anybody was told, and who knows which."""

    def __init__(self, count):
        self.numbers = {}
        self.kinds = collections.Counter()
        """By product and kind: how many different ones."""
        self.known = [bytearray() for _ in range(count)]

    def note(self, watcher, change):
        """Whether it was news for that watcher."""
        key = (change["id"], change["kind"], change.get("version"))
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.numbers)
            self.kinds[key[:2]] += 1
        known = self.known[watcher]
        known.extend(bytes(max(0, number + 1 - len(known))))
        was_known = known[number]
        known[number] = 1
        return not was_known

    def missing(self, due):
        """What nobody was told, and how many changes each watcher lacks that others know."""
        untold = []
        for product, (edits, has_died) in due.items():
            product = int(product)
            for kind, least in (("listed", 1), ("changed", edits), ("deleted", int(has_died))):
                if self.kinds[product, kind] < least:
                    untold.append(f"{kind} of {product}")
        total = len(self.numbers)
        lacks = {watcher: total - known.count(1) for watcher, known in enumerate(self.known)
                 if total > known.count(1)}
        return untold, lacks


class Watchers:
    def __init__(self, ports, count):
        self.ports, self.count = ports, count
        self.told = Told(count)
        self.figures = collections.Counter()
        self.places = [None] * count
        self.may_leave = True
        self.begun = asyncio.Event()

    async def watch(self, number):
        """Follows for ever; every fourth one asks by polls."""
        follow = self.poll if number % 4 == 3 else self.stream
        server = number
        while True:
            server += 1
            port = self.ports[server % len(self.ports)]
            try:
                wait = await follow(number, port)
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, ValueError):
                self.figures["ends"] += 1
                wait = random.random()
            await asyncio.sleep(wait)

    async def ask(self, number, port, target, headers=""):
        """Status, headers and what is to be read behind them."""
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection("127.0.0.1", port, limit=1 << 20), 5)
        try:
            writer.write(f"GET {target} HTTP/1.1\r\nHost: market\r\nConnection: close\r\n"
                         f"X-Forwarded-For: 198.51.100.{number + 1}\r\n{headers}\r\n".encode())
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 45)
        except BaseException:
            writer.close()
            raise
        lines = head.decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        return int(lines[0].split()[1]), fields, reader, writer

    async def stream(self, number, port):
        """Seconds after which it comes back."""
        place = self.places[number]
        status, fields, reader, writer = await self.ask(
            number, port, "/api/changes", "Accept: text/event-stream\r\n"
            + (f"Last-Event-ID: {place}\r\n" if place else ""))
        try:
            if status != 200:
                return self.refused(status, fields)
            leaves = time.monotonic() + random.uniform(20, 240)
            while True:
                size = int(await asyncio.wait_for(reader.readline(), 45) or b"-1", 16)
                if size <= 0:
                    self.figures["ends"] += 1
                    return random.random()
                chunk = await reader.readexactly(size + 2)
                for event in chunk[:-2].decode().split("\n\n"):
                    self.take(number, event)
                if self.may_leave and time.monotonic() > leaves:
                    self.figures["leavings"] += 1
                    return random.uniform(0, 15)
        finally:
            writer.close()

    def take(self, number, event):
        fields = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line)
        kind = fields.get("event")
        if kind == "product":
            self.note(number, json.loads(fields["data"]))
        elif kind == "reset":
            self.figures["resets"] += 1
        if "id" in fields:
            self.set_place(number, fields["id"])

    async def poll(self, number, port):
        place = self.places[number]
        target = f"/api/changes?after={place}&wait=20" if place else "/api/changes?wait=0"
        status, fields, reader, writer = await self.ask(number, port, target)
        try:
            if status != 200:
                return self.refused(status, fields)
            answer = json.loads(await asyncio.wait_for(
                reader.readexactly(int(fields["content-length"])), 10))
        finally:
            writer.close()
        for change in answer["changes"]:
            if change["event"] == "product":
                self.note(number, change)
        self.figures["resets"] += bool(answer.get("reset"))
        self.figures["polls"] += 1
        self.set_place(number, answer["place"])
        if self.may_leave and random.random() < 0.02:
            self.figures["leavings"] += 1
            return random.uniform(0, 15)
        return 0.2

    def refused(self, status, fields):
        self.figures["refusals"] += 1
        if status != 503:
            self.figures[f"answers {status}"] += 1
        return min(5, int(fields.get("retry-after", 1))) + random.random()

    def note(self, number, change):
        self.figures["events"] += 1
        self.figures["told again"] += not self.told.note(number, change)

    def set_place(self, number, place):
        self.places[number] = place
        if all(self.places):
            self.begun.set()

    async def answer(self, due):
        """What is missing once all have come back, or after a minute."""
        self.may_leave = False
        end = time.monotonic() + 60
        while True:
            untold, lacks = self.told.missing(due)
            if not untold and not lacks or time.monotonic() > end:
                self.may_leave = True
                return {"untold": untold, "lacks": lacks, "changes": len(self.told.numbers),
                        **self.figures}
            await asyncio.sleep(0.5)

    async def run(self):
        tasks = [asyncio.create_task(self.watch(number)) for number in range(self.count)]
        await self.begun.wait()
        print("watching", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(await self.answer(json.loads(line))), flush=True)
            for task in tasks:
                if task.done():
                    task.result()


async def main():
    await Watchers([int(port) for port in sys.argv[2:]], int(sys.argv[1])).run()


asyncio.run(main())
