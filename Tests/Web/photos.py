#!/usr/bin/env python3
"""Sells a product with photos that a telephone sends: photos.py PROGRAMS PICTURES.

PROGRAMS is the folder of the built programs. The program runs in a terminal of 80 by 24 cells; its QR code is read
by zbarimg, also halved, turned and blurred; Chromium in the size of a telephone opens the page, with and without
JavaScript, in both languages, and sends two photos, which the product has in the end. A telephone that goes away and
a program that is killed leave neither port nor process. What is wrong is a line each.
"""
import fcntl
import os
import pty
import re
import select
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from shutil import which
from urllib.request import urlopen

import pyte
from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import sync_playwright

PHOTOS = Path(__file__).parent.parent / "Fixtures/Pictures"
CELL = (8, 16)
SENT = {"en": "✓ in the form", "ko": "✓ 양식에 들어감"}


class Terminal:
    """The program in a terminal, whose screen is read."""

    def __init__(self, program, home, *options):
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            environment = {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm-256color",
                           "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
            os.execve(program, [program, "--fresh", *options], environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def read(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and select.select([self.terminal], [], [], 0.05)[0]:
            try:
                self.stream.feed(os.read(self.terminal, 65536))
            except OSError:
                return

    def wait(self, pattern, seconds=20):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            if time.monotonic() > end:
                raise TimeoutError(f"{pattern} is not on the screen:\n{self.text}")
            self.read(0.1)
            time.sleep(0.05)

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, *keys):
        for key in keys:
            os.write(self.terminal, key.encode())
            time.sleep(0.15)
            self.read(0.2)

    def open_page(self):
        """Opens form and page, and returns the page's address."""
        self.wait("Local market|로컬 마켓")
        self.press("n")
        self.wait("New product|상품 등록")
        self.press("p")
        self.wait(r"open for|열려 있음|eth0|wlan0")
        if "U/" not in self.text:
            self.press("\r")
        self.wait(r"open for|열려 있음")
        self.read(0.5)
        return self.code(self.picture())

    def picture(self):
        """The screen as pixels: the upper and lower half of each cell."""
        image = Image.new("RGB", (80 * CELL[0], 24 * CELL[1]))
        draw = ImageDraw.Draw(image)
        for row in range(24):
            for column in range(80):
                cell = self.screen.buffer[row][column]
                ground, ink = color(cell.bg, "000000"), color(cell.fg, "ffffff")
                left, top = column * CELL[0], row * CELL[1]
                draw.rectangle((left, top, left + CELL[0], top + CELL[1]), ground)
                if cell.data == "▀":
                    draw.rectangle((left, top, left + CELL[0] - 1, top + CELL[1] // 2 - 1), ink)
        return image

    @staticmethod
    def code(image):
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            image.save(file.name)
            return subprocess.run(["zbarimg", "-q", "--raw", file.name], capture_output=True,
                                  text=True).stdout.strip()

    def end(self, number=signal.SIGKILL):
        os.kill(self.process, number)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def color(name, standard):
    return "#" + (standard if name == "default" else name if re.fullmatch("[0-9a-f]{6}", name) else
                  {"black": "000000", "white": "ffffff"}.get(name, standard))


def receivers():
    """Process ids of pages that are open."""
    found = subprocess.run(["pgrep", "-f", "receive-photos --listen"], capture_output=True, text=True)
    return set(found.stdout.split())


def gone(before, address):
    end = time.monotonic() + 5
    while receivers() - before and time.monotonic() < end:
        time.sleep(0.05)
    if receivers() - before:
        print("a page is left open")
    try:
        urlopen(address.lower(), timeout=2)
        print("the port is still open")
    except OSError:
        pass


def sell(programs, pictures, browser, language, scripts):
    before = receivers()
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal(f"{programs}/market", home, "--language", language)
        address = terminal.open_page()
        if not re.fullmatch(r"HTTP://[0-9.:]+/U/[A-Z2-7]{26}", address):
            print(f"{language}: the code says {address!r}")
            return terminal.end()
        whole = terminal.picture()
        half = whole.resize((whole.width // 2, whole.height // 2), Image.BOX)
        for name, image in [("halved", half), ("turned", whole.rotate(15, Image.BICUBIC, True)),
                            ("blurred", whole.filter(ImageFilter.GaussianBlur(1.5)))]:
            if terminal.code(image) != address:
                print(f"{language}: the code cannot be read {name}")
        context = browser.new_context(viewport={"width": 360, "height": 780}, java_script_enabled=scripts,
                                      locale={"en": "en-US", "ko": "ko-KR"}[language])
        page = context.new_page()
        page.on("console", lambda message: print(f"console: {message.text}"))
        page.goto(address)
        page.set_input_files("input[type=file]", [PHOTOS / "baseline.jpg", PHOTOS / "plain.png"])
        page.screenshot(path=f"{pictures}/photos-{language}-{'script' if scripts else 'plain'}.png")
        page.click("button")
        place = "#chosen b" if scripts else "#received b"
        page.wait_for_function("([place, text]) => [...document.querySelectorAll(place)].filter("
                               "each => each.textContent === text).length === 2",
                               arg=[place, SENT[language]]) if scripts else page.wait_for_selector(place)
        states = page.locator(place).all_text_contents()
        if states != [SENT[language]] * 2:
            print(f"{language}, scripts {scripts}: the page says {states}")
        page.screenshot(path=f"{pictures}/photos-{language}-sent.png")
        terminal.wait(r"2  plain\.\w+ .*B ✓")
        terminal.press("\r")
        gone(before, address)
        terminal.wait("2/5")
        context.close()
        list_product(terminal)
        terminal.end(signal.SIGTERM)
        with sqlite3.connect(f"{home}/.local/share/market/market.sqlite") as market:
            photos = market.execute("SELECT count(*) FROM product_picture JOIN product ON product.id = product"
                                    " WHERE name = 'Lamp with photos'").fetchone()[0]
        if photos != 2:
            print(f"{language}, scripts {scripts}: the product has {photos} photos:\n{terminal.text}")


def list_product(terminal):
    """Fills in the form, whose cursor says which field has the keys, and lists the product."""
    texts = {"Name|이름": "Lamp with photos", "Price|가격": "12000",
             "Description|설명": "A lamp with two photos from a telephone.", "Password|비밀번호": "sesame sesame",
             "Repeat|한 번 더": "sesame sesame"}
    for _ in range(14):
        terminal.press("\t")
        line = terminal.screen.display[terminal.screen.cursor.y][:16]
        for label in [label for label in texts if re.search(label, line)]:
            terminal.press(texts.pop(label))
    terminal.press("\x13")
    terminal.read(2)
    if re.search("Your name|Seller|판매자", terminal.text):
        terminal.press("Hana", "\r", "\r")
    terminal.press("y")
    terminal.read(4)


def kill(programs):
    """Kills the program while the page is open, and while a photo is on its way."""
    before = receivers()
    for half_way in (False, True):
        with tempfile.TemporaryDirectory() as home:
            terminal = Terminal(f"{programs}/market", home, "--language", "en")
            address = terminal.open_page()
            sender = None
            if half_way:
                sender = subprocess.Popen(["curl", "-s", "--limit-rate", "10k", "-F", f"photos=@{PHOTOS}/baseline.jpg",
                                           address.lower()], stdout=subprocess.DEVNULL)
                time.sleep(0.3)
            terminal.end()
            gone(before, address)
            if sender:
                sender.kill()
            left = [str(path) for path in Path(home).rglob("*") if path.suffix in (".jpg", ".png")]
            if left:
                print(f"files are left: {left}")


def main():
    programs, pictures = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    pictures.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        for language in ("en", "ko"):
            for scripts in (True, False):
                sell(programs, pictures, browser, language, scripts)
        browser.close()
    kill(programs)


main()
