"""Look at a market that rests: is everything there that was promised, once, as it was left?"""
import concurrent.futures
import json
import random
import time

from soak_apis import Products

patience = 60
"""Seconds for which a server is asked that says that it cannot answer now."""


class Findings:
    """What was lost, doubled or wrong."""

    def __init__(self):
        self.lost, self.doubled, self.wrong = [], [], []
        self.photos = 0
        """Photos whose bytes were compared."""

    def sentences(self):
        return ([f"lost: {text}" for text in self.lost]
                + [f"doubled: {text}" for text in self.doubled]
                + [f"wrong: {text}" for text in self.wrong])


class Check:
    """One look by one server for each question, and by all of them for the list."""

    def __init__(self, load):
        self.load, self.alive, self.ended = load, load.truth.alive(), load.truth.ended()
        self.findings = Findings()

    def run(self, sample=None):
        """Looks at the photos of so many products, or of all."""
        for port in self.load.ports:
            self.check_list(port)
        records = list(self.alive.values())
        if sample is not None:
            records = random.sample(records, min(sample, len(records)))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(self.check_product, records))
        return self.findings

    def fetch(self, port, target):
        end = time.monotonic() + patience
        while True:
            status, content, _ = self.load.ask(99, "check", port, "GET", target,
                                               headers={"Cache-Control": "no-cache"})
            if status not in (0, 503) or time.monotonic() > end:
                return status, content
            time.sleep(0.2)

    def check_list(self, port):
        api, seen, page = Products(), {}, 1
        while True:
            status, content = self.fetch(port, f"/api/products?page_no={page}&items_per_page=500")
            if status != 200:
                return self.findings.wrong.append(f"page {page} of {port}: {status}")
            for product in api.listed(content):
                seen.setdefault(product.text[0].split()[1], []).append(product)
            if not json.loads(content)["hasNext"]:
                break
            page += 1
        due = {record.good.word: record for record in self.alive.values()}
        for word, record in due.items():
            found = seen.get(word, [])
            if not found:
                self.findings.lost.append(f"product {record.product} at {port}")
            elif found[0].text != record.good.text(record.revision):
                self.findings.wrong.append(f"product {record.product} says {found[0].text}")
        for word, found in seen.items():
            if len(found) > 1:
                self.findings.doubled.append(f"{[s.product for s in found]} at {port}")
            if found[0].product in self.ended:
                self.findings.wrong.append(f"product {found[0].product} is there again at {port}")
            elif word not in due:
                self.findings.doubled.append(f"nobody has {found[0].product}, {found[0].text}")
        return None

    def check_product(self, record):
        port = random.choice(self.load.ports)
        status, content = self.fetch(port, record.api.detail(record.product))
        if status != 200:
            return self.findings.lost.append(f"product {record.product} by {record.api.name}: {status}")
        seen = self.load.parse(record.api, content)
        complaint = record.complaint(seen, time.monotonic())
        if complaint:
            return self.findings.wrong.append(complaint)
        for path, photo in zip(seen.photos, record.good.photos(record.revision)):
            for target, due in ((path, photo), (path + "-small/thumbnail", None)):
                status, content = self.fetch(port, target)
                if status != 200:
                    self.findings.lost.append(f"photo {target} of {record.product}: {status}")
                elif due not in (None, content) or not content:
                    self.findings.wrong.append(f"photo {target} has other bytes")
            self.findings.photos += 1
        return None
