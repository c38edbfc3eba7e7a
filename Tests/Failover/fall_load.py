"""Clients of a market whose database falls: what they were told, and whether it was true."""
import http.client
import json
import random
import threading
import time
import uuid

from forms import registration

secret = "open sesame"
longest_request = 5.0
"""Seconds that any request may take."""
grace = 1.0
"""Seconds for which writes may be refused beyond what the database itself takes."""
slack = 0.05
"""Time after which every server shows what was changed at another one."""


class Truth:
    """What was promised to somebody."""

    def __init__(self):
        self.lock = threading.Lock()
        self.prices = {}
        """By product: when which price was acknowledged, in order."""
        self.tried = {}
        self.names = {}
        self.wrong = []

    def know(self, product, price, at):
        with self.lock:
            self.prices.setdefault(product, []).append((at, price))

    def check(self, product, price, asked, age):
        """A price that was read at a moment, at most so old."""
        with self.lock:
            known = self.prices.get(product, [])
            least = max([value for at, value in known if at + slack <= asked - age], default=0)
            if not least <= price <= self.tried.get(product, 0):
                self.wrong.append(f"product {product} costs {price}, not {least} or more, age {age}")

    def fail(self, sentence):
        with self.lock:
            self.wrong.append(sentence)


class Round:
    """All that was asked during one fall."""

    def __init__(self):
        self.lock = threading.Lock()
        self.requests = []
        """When it began, how long it took, what it asked for, status, age."""
        self.waits = []
        """How long writes took until they were acknowledged, from when they were tried first."""

    def note(self, *request):
        with self.lock:
            self.requests.append(request)

    def result(self, gone, trying):
        """What it cost where the database was away for so many seconds, and what was too much; who still
        tries to write has begun at these times."""
        with self.lock:
            requests = list(self.requests)
        now = time.monotonic()
        write = max(self.waits + [now - begin for begin in list(trying.values())], default=99)
        longest = max([r[1] for r in requests], default=99)
        reads = [r for r in requests if r[2] in ("page", "detail")]
        pages = sum(1 for r in reads if r[2] == "page" and r[3] != 200)
        mistakes = []
        if longest > longest_request:
            mistakes.append(f"a request took {longest:.1f} s")
        if write > gone + grace:
            mistakes.append(f"a write was refused for {write:.1f} s, the database {gone:.1f} s away")
        if pages:
            mistakes.append(f"{pages} first pages were refused")
        return dict(gone=gone, write=write, longest=longest, reads=len(reads),
                    stale=sum(1 for r in reads if r[4] is not None),
                    refused=sum(1 for r in reads if r[3] != 200), mistakes=mistakes)


class Load:
    """Writers, editors and readers, each at an address of its own."""

    pause = 0.05
    """Seconds after which is asked again what was not done."""

    def __init__(self, ports, picture):
        self.ports, self.picture = ports, picture
        self.truth = Truth()
        self.round = Round()
        self.is_over = False
        self.threads = []
        self.longest = 0
        """Seconds that any request took, in a round or between two."""
        self.trying = {}
        """By client: since when it tries to write."""

    def start(self, writers=3, editors=3, readers=4):
        kinds = [self.write] * writers + [self.edit] * editors + [self.read] * readers
        for number, kind in enumerate(kinds):
            thread = threading.Thread(target=self.run, args=[kind, number], daemon=True)
            self.threads.append(thread)
            thread.start()

    def stop(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()

    def run(self, kind, number):
        try:
            kind(number)
        except Exception as error:  # A client that broke has proven nothing.
            self.truth.fail(f"{kind.__name__}: {error!r}")

    def ask(self, number, kind, port, method, target, body=None, headers={}):
        """Status, body and age of one answer; status 0 where there is none."""
        begin = time.monotonic()
        status, content, age = 0, b"", None
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request(method, target, body, {
                "identifier": f"seller-{number}", "X-Forwarded-For": f"192.0.2.{number + 1}",
                **headers})
            response = connection.getresponse()
            status, content = response.status, response.read()
            age = response.getheader("Age")
            if status == 503 and not response.getheader("Retry-After"):
                self.truth.fail(f"{kind}: 503 without Retry-After")
        except OSError:
            pass
        finally:
            connection.close()
        taken = time.monotonic() - begin
        self.longest = max(self.longest, taken)
        self.round.note(begin, taken, kind, status, age)
        return status, content, int(age or 0)

    def insist(self, number, kind, method, target, body, headers={}, is_deletion=False):
        """Asks one server after the other until one has done it; what it said, and which one.

        A deletion that nobody answered may have been done: then nothing is there any more, and the
        content is empty."""
        begin, turn, is_first = time.monotonic(), number, True
        self.trying[number] = begin
        while True:
            turn += 1
            port = self.ports[turn % len(self.ports)]
            status, content, _ = self.ask(number, kind, port, method, target, body, headers)
            if status in (200, 201, 202) or is_deletion and not is_first and status == 404:
                del self.trying[number]
                self.round.waits.append(time.monotonic() - begin)
                return b"" if status == 404 else content, port
            is_first = False
            if status not in (0, 503):
                del self.trying[number]
                self.truth.fail(f"{kind}: {status} {content[:150]!r}")
                return None, port
            time.sleep(self.pause)

    def write(self, number):
        while not self.is_over:
            name = f"lamp {uuid.uuid4().hex}"
            body, headers = registration(self.picture, secret, name=name)
            self.truth.names[name] = None
            content, _ = self.insist(number, "registration", "POST", "/api/products", body, headers)
            if content:
                product = json.loads(content)["id"]
                self.truth.names[name] = product
                self.truth.tried[product] = 1000
                self.truth.know(product, 1000, time.monotonic())

    def edit(self, number):
        body, headers = registration(self.picture, secret, name=f"chair {uuid.uuid4().hex}")
        content, _ = self.insist(number, "registration", "POST", "/api/products", body, headers)
        product, price = json.loads(content)["id"], 1000
        while not self.is_over:
            price += 1
            self.truth.tried[product] = price
            content, port = self.insist(
                number, "edit", "PATCH", f"/api/products/{product}",
                json.dumps({"secret": secret, "price": price}))
            if not content:
                return
            self.truth.know(product, price, time.monotonic())
            # One's own writes are seen at the same server, whatever has happened since.
            status, content, age = self.ask(
                number, "own", port, "GET", f"/api/products/{product}")
            if status == 200 and json.loads(content)["price"] != price:
                self.truth.fail(f"own product {product} is not as it was left, age {age}")

    def read(self, number):
        while not self.is_over:
            time.sleep(0.01)
            port = random.choice(self.ports)
            status, content, age = self.ask(
                number, "page", port, "GET", "/api/products?page_no=1&items_per_page=10")
            if status == 200:
                json.loads(content)
            edited = [p for p, prices in list(self.truth.prices.items()) if len(prices) > 1]
            if not edited:
                continue
            product, asked = random.choice(edited), time.monotonic()
            status, content, age = self.ask(
                number, "detail", port, "GET", f"/api/products/{product}")
            if status == 200:
                self.truth.check(product, json.loads(content)["price"], asked, age)
            elif status not in (0, 503):
                self.truth.fail(f"detail: {status}")

    def losses(self):
        """What is not as it was promised, at each server once all is quiet."""
        lost, doubled = [], []
        for port in self.ports:
            seen, page = {}, 1
            while True:
                status, content, _ = self.ask(
                    99, "check", port, "GET", f"/api/products?page_no={page}&items_per_page=500")
                answer = json.loads(content)
                for product in answer["pages"]:
                    seen.setdefault(product["name"], []).append(product)
                if not answer["hasNext"]:
                    break
                page += 1
            for name, product in self.truth.names.items():
                found = seen.get(name, [])
                if len(found) > 1:
                    doubled.append(name)
                if product is not None and [p["id"] for p in found] != [product]:
                    lost.append(name)
            prices = {p["id"]: p["price"] for found in seen.values() for p in found}
            for product, known in self.truth.prices.items():
                if not known[-1][1] <= prices.get(product, 0) <= self.truth.tried[product]:
                    lost.append(f"{product} costs {prices.get(product)}, not {known[-1][1]}")
        return lost, doubled
