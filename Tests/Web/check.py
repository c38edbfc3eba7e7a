#!/usr/bin/env python3
"""Visits the pages of market-server with Chromium: check.py PROGRAMS PICTURES [PART].

PROGRAMS is the folder of the built programs. Pictures of all pages go to the folder PICTURES, in three
widths, dark and light, Korean and English, to be looked at. What is wrong is a line each: serious findings
of axe-core, what does not fit the width, a request to elsewhere, whatever the console says, all
that the texts of a hostile market get to run or to add, and what xmllint or feedparser says of a feed. With PART only pages are visited whose picture has
that in its name, such as product-ko.
"""
import itertools
import json
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path
from urllib.parse import quote
from urllib.request import Request, urlopen

import axe_playwright_python
import feedparser
from playwright.sync_api import sync_playwright

import hostile

HERE = Path(__file__).parent
AXE = next(Path(axe_playwright_python.__file__).parent.glob("axe.min.js")).read_text("utf-8")
LOOK = (HERE / "look.js").read_text("utf-8")
FINDINGS = """async () => (await axe.run()).violations
  .filter(rule => ['serious', 'critical'].includes(rule.impact))
  .map(rule => `${rule.id}: ${rule.help}: ${rule.nodes.map(node => node.target).join(', ')}`)"""

# Waits for all pictures; those further down are loaded as they come near.
PICTURES = """async () => {
  for (const picture of document.images) picture.loading = 'eager'
  await Promise.all([...document.images].map(picture => picture.decode().catch(() => {})))
}"""

# What the policy of the pages has to refuse.
INSERT = """() => {
  const script = document.createElement('script')
  script.textContent = 'window.inserted = 1'
  document.head.append(script)
  return window.inserted === undefined ? [] : ['a policy that lets scripts run']
}"""

SIZES = [(360, 780), (768, 1024), (1280, 900)]
SCHEMES = ["dark", "light"]
LANGUAGES = {"en": "en-US", "ko": "ko-KR"}
NAMES = {"en": "Riverside flea market", "ko": "한강 벼룩시장"}
FEEDS = ["/feed.atom", "/feed.atom?q=" + quote("sort:price-asc photo"), "/feed.atom?q=zzz",
         "/feed.atom?q=" + quote("]]><script>\u202e\x1b &amp; @\"x\"")]
QUESTIONS = {
    "en": ["Is it still there? I could come by this evening.", "Seller: please pay here first",
           "Which size is the frame? " + "I am rather tall and wonder whether it fits me. " * 9],
    "ko": ["아직 있나요? 오늘 저녁에 가지러 갈 수 있습니다.", "판매자: 여기로 먼저 입금해 주세요",
           "사이즈가 어떻게 되나요? " + "키가 큰 편이라 맞을지 궁금합니다. " * 20],
}

# What our own pages are made of; everything else has come out of a text.
ELEMENTS = """html head meta title link body a header span main h1 h2 p search form label input button
  div ul li img b s em time nav article figure figcaption footer code br""".split()
ATTRIBUTES = """action alt aria-current aria-label autocomplete charset class content datetime for hidden
  href id itemprop itemscope itemtype lang loading maxlength name placeholder property rel role src
  tabindex title type value""".split()

Page = namedtuple("Page", "name path status")


class Server:
    """A market file that is served on this machine as long as the block runs."""

    def __init__(self, program, store, *options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            place = f"127.0.0.1:{free.getsockname()[1]}"
        self.address = "http://" + place
        self.process = subprocess.Popen(
            [program, "--listen", place, "--store", store, "--rate", "0",
             "--ssh-address", "market.example,SHA256:" + "aB3" * 14 + "x",
             *(option.replace("ADDRESS", self.address) for option in options)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __enter__(self):
        for line in self.process.stdout:
            if self.address in line:
                return self.address
        raise SystemExit(f"market-server ended with status {self.process.wait()}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=30)


def make_markets(programs, folder):
    """Makes the sample market of each language, and a hostile one with pictures of the sample."""
    def market(*words):
        subprocess.run([programs / "market", *map(str, words)], check=True, stdout=subprocess.DEVNULL)

    for language in LANGUAGES:
        market("sample", "--language", language, "--store", folder / f"{language}.sqlite")
    market("export", folder / "hostile.ndjson", "--store", folder / "en.sqlite")
    with open(folder / "hostile.ndjson", encoding="utf-8") as file:
        pictures = max((json.loads(line)["pictures"] for line in file), key=len)
    hostile.write(folder / "hostile.ndjson", pictures)
    market("import", folder / "hostile.ndjson", "--store", folder / "hostile.sqlite", "--strict")


def send(address, method, path, identifier, **fields):
    """Sends a request of the API and returns what it answers."""
    request = Request(
        address + path, json.dumps(fields).encode(), method=method,
        headers={"identifier": identifier, "Content-Type": "application/json"})
    with urlopen(request) as answer:
        return json.load(answer)


def ask(address, product, texts, secret=None):
    """Asks about a product, each time as somebody else; with its password the first question is answered."""
    for number, text in enumerate(texts):
        question = send(
            address, "POST", f"/api/products/{product}/questions", f"asker-{product}-{number}",
            text=text[:500].strip())
        if secret and number == 0:
            send(address, "PUT", f"/api/questions/{question['id']}/answer", "seller",
                 text="Yes. " + texts[-1][:400], secret=secret)


def check_feed(address, path, folder):
    """Reads a feed as xmllint and feedparser do; returns what is wrong."""
    with urlopen(address + path) as answer:
        feed = answer.read()
    (folder / "feed.atom").write_bytes(feed)
    lint = subprocess.run(
        ["xmllint", "--noout", folder / "feed.atom"], capture_output=True, text=True)
    read = feedparser.parse(feed)
    ids = [entry.id for entry in read.entries]
    return [
        *lint.stderr.splitlines()[:3],
        *([f"bozo: {read.bozo_exception}"] if read.bozo else []),
        *(["ids that are not unique"] if len(set(ids)) < len(ids) else []),
        *(["something without a link, a date or an author"]
          if not all(part.get(name) for part in [read.feed, *read.entries]
                     for name in ("id", "title", "link", "updated", "author")) else []),
        *(["something that runs"] if b"<script" in feed or b"<img" in feed else []),
    ]


def sample_pages(language):
    search = {"en": "camera stock sort:price-asc", "ko": "카메라 재고 정렬:최저가"}[language]
    return [
        Page("list", "/", 200),
        Page("search", "/?q=" + quote(search), 200),
        Page("nothing", "/?q=" + quote("zebra <5000 not:stripes"), 200),
        Page("product", "/products/3", 200),
        Page("second-photo", "/products/3#picture-2", 200),
        Page("sold-out", "/products/2", 200),
        Page("seller", "/sellers/-2", 200),
        Page("not-there", "/products/99999", 404),
    ]


def hostile_pages(address):
    with urlopen(address + "/api/products?items_per_page=100") as answer:
        sellers = sorted({product["vendor_id"] for product in json.load(answer)["pages"]})
    lines = [f"\"><script>{hostile.RUN}</script>", "' onfocus='x' by:\"<b>\u202e\u001b[31m\" in:all"]
    return [
        Page("hostile-list", "/", 200),
        *(Page(f"hostile-search-{number}", "/?q=" + quote(line), 200)
          for number, line in enumerate(lines)),
        *(Page(f"hostile-product-{number}", f"/products/{number}", 200)
          for number in range(1, len(hostile.TEXTS) + 1)),
        *(Page(f"hostile-seller-{index}", f"/sellers/{seller}", 200)
          for index, seller in enumerate(sellers)),
        Page("hostile-path", "/<script>alert(1)</script>?q=\"><b>", 404),
    ]


def visit(browser, address, page, language, scheme, size, picture):
    """Visits a page in one look and photographs it; returns what is wrong."""
    found = []
    context = browser.new_context(
        locale=LANGUAGES[language], color_scheme=scheme,
        viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    tab = context.new_page()

    def dismiss(dialog):
        found.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    tab.on("dialog", dismiss)
    tab.on("pageerror", lambda error: found.append(f"an error: {error}"))
    tab.on("console", lambda message: found.append(f"the console: {message.text}"))
    tab.on("request", lambda request: request.url.startswith(address + "/")
           or found.append(f"a request to {request.url}"))
    answer = tab.goto(address + page.path, wait_until="load")
    if answer.status != page.status:
        found.append(f"status {answer.status}")
    if tab.locator("html").get_attribute("lang") != language:
        found.append("another language")
    tab.evaluate(PICTURES)
    found += tab.evaluate(LOOK, [ELEMENTS, ATTRIBUTES])
    tab.screenshot(path=picture, full_page="#" not in page.path)
    # Whatever waits for a pointer or for the keyboard gets both.
    tab.locator("main a, footer code").first.hover()
    for _ in range(12):
        tab.keyboard.press("Tab")
    tab.evaluate(AXE)
    found += tab.evaluate(FINDINGS)
    # The console speaks of what is refused, as is right here.
    before = len(found)
    refused = tab.evaluate(INSERT)
    context.close()
    # Chromium itself says where a page was not found.
    return refused + [
        line for line in found[:before] if page.status == 200 or f"status of {page.status}" not in line]


def main(programs, pictures, part=""):
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    count, failures = 0, 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        folder = Path(folder)
        make_markets(programs, folder)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for language in LANGUAGES:
            looks = list(itertools.product(SCHEMES, SIZES))
            markets = [
                (f"{language}.sqlite", ["--name", NAMES[language]], lambda address: sample_pages(language), looks),
                # The texts are the same in all looks: the narrowest is the hardest to fit.
                ("hostile.sqlite", ["--public-url", "ADDRESS", "--name", hostile.NAME],
                 hostile_pages, looks[:1]),
            ]
            for store, options, pages, looks in markets:
                with Server(programs / "market-server", folder / store, *options) as address:
                    asked = folder / f"{store}.asked"
                    if not asked.exists():
                        asked.touch()
                        if store == "hostile.sqlite":
                            # One of three is sold, about which nothing is asked.
                            for product in range(2, len(hostile.TEXTS) + 1, 3):
                                ask(address, product, hostile.TEXTS[:20])
                        else:
                            ask(address, 3, QUESTIONS[language], secret="openmarket")
                    for path in FEEDS:
                        count += 1
                        if found := check_feed(address, path, folder):
                            failures += 1
                            print(*(f"{store}{path}: {line}" for line in found), sep="\n", flush=True)
                    for page, (scheme, size) in itertools.product(pages(address), looks):
                        name = f"{page.name}-{language}-{scheme}-{size[0]}"
                        if part not in name:
                            continue
                        found = visit(
                            browser, address, page, language, scheme, size,
                            pictures / f"{name}.png")
                        for line in found:
                            print(f"{name}: {line}", flush=True)
                        count += 1
                        failures += bool(found)
        browser.close()
    print(f"{count} pages, {failures} with something wrong; pictures are in {pictures}")
    return failures == 0


if __name__ == "__main__":
    sys.exit(0 if main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:]) else 1)
