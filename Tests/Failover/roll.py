"""Clients of a market behind a proxy, for some seconds; fails where one request does."""
import http.client
import json
import sys
import threading
import time
from collections import Counter

from forms import registration

port, picture_path, seconds = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
picture = open(picture_path, "rb").read()
end = time.monotonic() + seconds
lock = threading.Lock()
answers, failures, longest = Counter(), [], 0.0
secret = "open sesame"


class Client:
    """One connection, made again where the proxy ends it between two requests."""

    def __init__(self, seller):
        self.headers = {"identifier": seller, "Host": "market.example"}
        self.connection = None

    def ask(self, kind, method, target, body=None, headers=None):
        global longest
        begin = time.monotonic()
        try:
            self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            self.connection.request(method, target, body, {**self.headers, **(headers or {})})
            response = self.connection.getresponse()
            status, content = response.status, response.read()
        except OSError as error:
            status, content = repr(error), b""
        finally:
            self.connection.close()
        with lock:
            longest = max(longest, time.monotonic() - begin)
            answers[kind] += 1
            if not isinstance(status, int) or status >= 300:
                failures.append(f"{kind}: {status} {content[:120]!r}")
                return None
        return content


def write(number):
    client = Client(f"seller-{number}")
    while time.monotonic() < end:
        body, headers = registration(picture, secret, price=42000, discounted_price=2000)
        answer = client.ask("registration", "POST", "/api/products", body, headers)
        if answer is None:
            continue
        product = json.loads(answer)["id"]
        client.ask("edit", "PATCH", f"/api/products/{product}",
                   json.dumps({"secret": secret, "price": 39000}))
        detail = client.ask("detail", "GET", f"/api/products/{product}")
        if detail is not None and json.loads(detail)["price"] != 39000:
            with lock:
                failures.append(f"product {product} is not as it was left")
        if product % 4 == 0:
            path = client.ask("deletion 1", "POST", f"/api/products/{product}/archived",
                              json.dumps({"secret": secret}))
            if path is not None:
                client.ask("deletion 2", "DELETE", path.decode().strip('"'))


def read():
    client = Client("reader")
    while time.monotonic() < end:
        client.ask("page", "GET", "/api/products?page_no=1&items_per_page=20")
        client.ask("search", "GET", "/api/products?search_value=lamp")
        client.ask("items", "GET", "/items/1")
        client.ask("web page", "GET", "/")


threads = [threading.Thread(target=write, args=[number]) for number in range(3)]
threads += [threading.Thread(target=read) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(", ".join(f"{count} {kind}" for kind, count in sorted(answers.items())))
print(f"{sum(answers.values())} requests, {len(failures)} failed, the longest took {longest:.2f} s")
for failure in failures[:10]:
    print(failure)
sys.exit(1 if failures or not answers else 0)
