"""Clients of both APIs that sell for hours: they register, edit, delete, read and search at their pace."""
import json
import random
import threading
import time
import uuid

from fall_load import Load
from soak_apis import Items, Products
from soak_goods import Good
from soak_truth import Record, SoakTruth

most = 30
"""Products that one client has at a time."""


class SoakLoad(Load):
    """Twenty clients of each API, who can all be told to rest."""

    pause = 0.25

    def __init__(self, ports, clients, rest):
        super().__init__(ports, None)
        self.truth = SoakTruth()
        self.clients, self.rest = clients, rest
        self.gate = threading.Condition()
        self.is_quiet = False
        self.resting = set()

    def start(self):
        for number in range(2 * self.clients):
            thread = threading.Thread(target=self.run, args=[self.sell, number], daemon=True)
            self.threads.append(thread)
            thread.start()

    def run(self, kind, number):
        super().run(kind, number)
        with self.gate:
            self.resting.add(number)
            self.gate.notify_all()

    def be_quiet(self):
        """Returns when nobody asks for anything and everything asked for is known."""
        with self.gate:
            self.is_quiet = True
            if not self.gate.wait_for(lambda: len(self.resting) == len(self.threads), 120):
                self.truth.fail("a client does not come to rest")

    def go_on(self):
        with self.gate:
            self.is_quiet = False
            self.gate.notify_all()

    def stop(self):
        self.is_over = True
        self.go_on()
        super().stop()

    def breathe(self, number):
        time.sleep(random.uniform(0.5, 1.5) * self.rest)
        with self.gate:
            self.resting.add(number)
            self.gate.notify_all()
            self.gate.wait_for(lambda: not self.is_quiet or self.is_over)
            self.resting.discard(number)

    def sell(self, number):
        api = (Items if number % 2 else Products)()
        mine = []
        while True:
            self.breathe(number)
            if self.is_over:
                return
            step = self.choose(len(mine))
            if step == self.register:
                mine.append(self.register(number, api))
            elif step == self.delete:
                self.delete(number, api, mine.pop(random.randrange(len(mine))))
            else:
                step(number, api, random.choice(mine))
            mine = [record for record in mine if record]

    def choose(self, count):
        if count < 3:
            return self.register
        if count >= most:
            return self.delete
        steps = {self.register: 12, self.delete: 9, self.edit: 18, self.read_own: 14,
                 self.read_other: 16, self.read_page: 16, self.search: 8, self.look: 10}
        return random.choices(list(steps), steps.values())[0]

    def register(self, number, api):
        record = Record(Good(), api)
        method, target, body, headers = api.registration(record.good)
        headers = {**headers, "Idempotency-Key": uuid.uuid4().hex}
        content, _ = self.insist(number, "registration", method, target, body, headers)
        if not content:
            return None
        record.product = self.parse(api, content).product
        record.know(0)
        self.truth.add(record)
        self.truth.count("registrations")
        if random.random() < 0.1:
            again, _ = self.insist(number, "repeat", method, target, body, headers)
            if again and self.parse(api, again).product != record.product:
                self.truth.fail(f"product {record.product} was doubled by a repeat")
            self.truth.count("repeats")
        return record

    def edit(self, number, api, record):
        revision = record.revision + 1
        record.tried = revision
        content, port = self.insist(number, "edit", *api.edit(record.product, record.good, revision))
        if not content:
            return
        record.know(revision)
        self.truth.count("edits")
        # One's own writes are seen at the same server, whatever has happened since.
        self.read(number, "own", api, record, port, is_writer=True)

    def delete(self, number, api, record):
        record.is_dying = True

        def insist(method, target, body):
            return self.insist(number, "deletion", method, target, body, is_deletion=True)

        if api.delete(record.product, insist):
            record.died = time.monotonic()
            self.truth.count("deletions")

    def read_own(self, number, api, record):
        self.read(number, "detail", api, record, random.choice(self.ports))

    def read_other(self, number, api, record):
        alive = list(self.truth.alive().values())
        if alive:
            self.read(number, "detail", api, random.choice(alive), random.choice(self.ports))

    def read(self, number, kind, api, record, port, is_writer=False):
        """Reads a product, and gives what was seen."""
        asked = time.monotonic()
        status, content, age = self.ask(number, kind, port, "GET", api.detail(record.product))
        if status == 200:
            seen = self.parse(api, content)
            # Whoever wrote it there is shown nothing older.
            self.truth.check_seen(seen, asked if is_writer else asked - age)
            return seen
        if status == 404:
            if not record.is_dying and record.revisions[0][0] < asked - age:
                self.truth.fail(f"product {record.product} is not there, age {age}")
        elif status not in (0, 503):
            self.truth.fail(f"{kind}: {status} {content[:150]!r}")
        return None

    def read_page(self, number, api, record):
        asked = time.monotonic()
        status, content, age = self.ask(
            number, "page", random.choice(self.ports), "GET", api.page)
        if status == 200:
            for seen in api.listed(content):
                self.truth.check_seen(seen, asked - age)
        elif status not in (0, 503):
            self.truth.fail(f"page: {status} {content[:150]!r}")

    def search(self, number, api, record):
        target = api.search(record.good.word)
        if not target:
            return self.read_page(number, api, record)
        asked = time.monotonic()
        status, content, age = self.ask(
            number, "search", random.choice(self.ports), "GET", target)
        if status == 200:
            found = api.listed(content)
            for seen in found:
                self.truth.check_seen(seen, asked - age)
            is_old = record.revisions[0][0] + 1 < asked - age
            if [seen.product for seen in found] != [record.product] and is_old:
                self.truth.fail(f"product {record.product} is not found by {record.good.word}")
        elif status not in (0, 503):
            self.truth.fail(f"search: {status} {content[:150]!r}")
        return None

    def look(self, number, api, record):
        """Looks at the photos of one's own product."""
        seen = self.read(number, "detail", api, record, random.choice(self.ports))
        if not seen or record.good.text(record.revision) != seen.text:
            return
        due = record.good.photos(record.revision)
        for path, photo in zip(seen.photos, due):
            status, content, _ = self.ask(
                number, "photo", random.choice(self.ports), "GET", path)
            if status == 200 and content != photo:
                self.truth.fail(f"photo {path} has other bytes")
            elif status not in (0, 200, 503):
                self.truth.fail(f"photo {path} of product {record.product}: {status}")

    @staticmethod
    def parse(api, content):
        return api.seen(json.loads(content))
