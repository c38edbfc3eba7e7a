#!/usr/bin/env python3
"""Sends photos from telephones in trouble: photo_troubles.py PROGRAMS.

Two programs and a dozen telephones at once, a telephone that goes away half-way, a thousand guessed tokens, a page
that is opened twice, a full disk (as root, who may mount one) and kill -9 at each step, on this machine's pages and on
a server's over https. What the form has is lost nowhere, and no port, process or file is left. What is wrong is a line
each.
"""
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from base64 import b32encode
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

from PIL import Image

from photos import PHOTOS, Local, Server, Terminal, gone, receivers

PHOTO = (PHOTOS / "baseline.jpg").read_bytes()
TAKEN, NOT_TAKEN = "✓ in the form", "not taken"


def flaw(condition, sentence, terminal=None):
    if not condition:
        print(sentence + (f"\n{terminal.text}" if terminal else ""))


def photo(number):
    """A photo unlike the others."""
    file = BytesIO()
    Image.new("RGB", (64, 48), (number * 20, 255 - number * 20, 90)).save(file, "JPEG")
    return file.getvalue()


def curl(*words):
    """What the page answers, without its status line."""
    return subprocess.run(["curl", "-sk", "--max-time", "60", *words], capture_output=True, text=True).stdout


class Telephone:
    """A browser with cookies of its own."""

    def __init__(self, address):
        self.address, self.jar = address.lower(), tempfile.NamedTemporaryFile()

    def visit(self):
        return curl("-c", self.jar.name, "-b", self.jar.name, self.address)

    def send(self, name="bike.jpg", photo=PHOTO):
        with tempfile.NamedTemporaryFile() as file:
            file.write(photo)
            file.flush()
            return curl("-b", self.jar.name, "-F", f"photos=@{file.name};filename={name};type=image/jpeg", self.address)

    def leave_half_way(self):
        """Sends half of a photo, and goes away without a word."""
        scheme, host, port, path = re.fullmatch(r"(\w+)://([^:/]+):(\d+)(.*)", self.address).groups()
        line = socket.create_connection((host, int(port)))
        if scheme == "https":
            line = ssl._create_unverified_context().wrap_socket(line, server_hostname=host)
        cookies = re.findall(r"photos\t(\S+)", Path(self.jar.name).read_text())
        line.sendall((f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 100000\r\nCookie: photos="
                      f"{''.join(cookies)}\r\nContent-Type: multipart/form-data; boundary=X\r\n\r\n--X\r\n"
                      'Content-Disposition: form-data; name="photos"; filename="lost.jpg"\r\n\r\n').encode() + PHOTO)
        time.sleep(0.3)
        line.close()


class Form:
    """A program with a form and an open page."""

    def __init__(self, place):
        self.before, self.place, self.home = receivers(), place, tempfile.TemporaryDirectory()
        self.start()
        self.address = self.terminal.open_page()

    def start(self):
        self.terminal = Terminal(self.place.command(self.home.name, "en"), self.home.name, **self.place.environment)

    def has(self, names):
        self.terminal.wait(rf"{len(names)}  {re.escape(names[-1][:6])}.*B ✓")
        flaw(not re.search(rf"\n.* {len(names) + 1}  \w+\.jpg", self.terminal.text), "the form has more", self.terminal)

    def end(self):
        self.terminal.end()
        self.home.cleanup()


def crowd(place):
    forms = [Form(place), Form(place)]
    telephones = [Telephone(forms[number % 2].address) for number in range(12)]
    with ThreadPoolExecutor(12) as pool:
        pages = list(pool.map(Telephone.visit, telephones))
        if isinstance(place, Local):
            # The first browser of each page may send; the others are asked about, eight at most.
            flaw(sum("<form" in page for page in pages) == 2, "not one browser a page may send")
            first = [telephone for telephone, page in zip(telephones, pages) if "<form" in page]
            answers = list(pool.map(Telephone.send, first))
            flaw(all(TAKEN in answer for answer in answers), f"the first browsers were refused: {answers}")
        else:
            sent = [pool.submit(telephone.send, "bike.jpg", photo(number))
                    for number, telephone in enumerate(telephones)]
            while not all(each.done() for each in sent):
                for form in forms:
                    form.terminal.read(0.1)
            answers = [each.result() for each in sent]
            flaw(all(any(text in answer for text in (TAKEN, NOT_TAKEN, "not confirmed it yet")) for answer in answers),
                 f"not all telephones got an answer: {answers}")
    for form in forms:
        form.has(["bike.jpg"] * (1 if isinstance(place, Local) else 5))
        form.end()


def half_way(place):
    form = Form(place)
    telephone = Telephone(form.address)
    telephone.visit()
    telephone.leave_half_way()
    flaw(TAKEN in telephone.send(), "after a telephone went away the next photo is not taken")
    form.has(["bike.jpg"])
    form.terminal.press("\r")
    gone(form.before, form.address)
    form.terminal.wait("1/5")
    form.end()


def guesses(place):
    form = Form(place)
    root = form.address.lower().rpartition("/")[0]
    tokens = [b32encode(os.urandom(17))[:26].decode() for _ in range(1000)]
    with tempfile.NamedTemporaryFile("w") as words:
        words.write("".join(f'url = "{root}/{token}"\noutput = /dev/null\nwrite-out = "%{{http_code}}\\n"\n'
                            for token in tokens))
        words.flush()
        statuses = curl("-K", words.name).split()
    flaw(set(statuses) == {"404"} and len(statuses) == 1000, f"guessed tokens were answered with {set(statuses)}")
    telephone = Telephone(form.address)
    flaw("<form" in telephone.visit(), "guesses have claimed the page")
    flaw(TAKEN in telephone.send(), "after guesses nothing is taken")
    form.end()


def twice(place):
    form = Form(place)
    first, second = Telephone(form.address), Telephone(form.address)
    first.visit()
    page = second.visit()
    if isinstance(place, Local):
        flaw("<form" not in page, "a second browser may send")
        form.terminal.wait("Another telephone wants to send photos")
        form.terminal.press("y")
        flaw("<form" in second.visit(), "an admitted browser may not send")
    flaw(TAKEN in first.send() and NOT_TAKEN not in second.send("two.jpg", photo(1)),
         "a page that is open twice does not take from both")
    form.has(["bike.jpg", "two.jpg"])
    form.end()


def large(place):
    """A photo as the page sends it without its script, just below 20 MB."""
    form = Form(place)
    telephone = Telephone(form.address)
    telephone.visit()
    answer = telephone.send("large.jpg", PHOTO + bytes((20 << 20) - len(PHOTO)))
    flaw(TAKEN in answer or "confirmed" in answer, f"a photo of 20 MB: {answer[-200:]}")
    form.has(["large.jpg"])
    answer = telephone.send("larger.jpg", PHOTO + bytes(20 << 20))
    flaw("20 MB" in answer, f"a photo above 20 MB: {answer[-200:]}")
    form.end()


def kill(place):
    """Kills the program at each step; the page of this machine is gone, and the draft has what the form had."""
    for step in ("opened", "visited", "half-way", "taken", "closed"):
        form = Form(place)
        telephone = Telephone(form.address)
        if step != "opened":
            telephone.visit()
        if step == "half-way":
            telephone.leave_half_way()
        if step in ("taken", "closed"):
            flaw(TAKEN in telephone.send(), f"{step}: the photo is not taken")
            form.has(["bike.jpg"])
        if step == "closed":
            form.terminal.press("\r")
            form.terminal.wait("1/5")
        # A draft is saved a moment after each change.
        time.sleep(2)
        form.terminal.end()
        if isinstance(place, Local):
            gone(form.before, form.address)
        left = [str(path) for path in Path(form.home.name).rglob("photo*") if path.is_file()]
        flaw(len(left) == (step in ("taken", "closed")), f"{step}: files of photos: {left}")
        form.start()
        form.terminal.wait("Newest")
        if left:
            form.terminal.press("n")
            form.terminal.wait("Drafts")
            form.terminal.press("\r")
            form.terminal.wait("1/5")
        form.end()


def kill_server(server):
    """Kills the server while a page is open: after a new start the page goes on."""
    form = Form(server)
    telephone = Telephone(form.address)
    telephone.visit()
    server.kill()
    server.start()
    flaw(TAKEN in telephone.send(), "after the server's new start the photo is not taken", form.terminal)
    form.has(["bike.jpg"])
    form.end()


def full_disk(programs):
    """A server whose disk is full says so to the telephone, and goes on."""
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() != 0 or subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder], stderr=subprocess.DEVNULL).returncode:
            return print("full disk: not tried, as that needs root", file=sys.stderr)
        own = tempfile.TemporaryDirectory()
        server = Server(programs, own.name, disk=folder)
        try:
            form = Form(server)
            telephone = Telephone(form.address)
            answer = telephone.send("large.jpg", PHOTO + bytes(8 << 20))
            flaw("no room" in answer, f"a full disk: {answer[-300:]}")
            flaw(TAKEN in telephone.send(), "after a full disk the next photo is not taken", form.terminal)
            form.has(["bike.jpg"])
            form.end()
        finally:
            server.end()
            subprocess.run(["umount", "-l", folder])
            own.cleanup()


def main():
    programs = Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(programs, folder)
        try:
            for place in (Local(programs), server):
                for trouble in (crowd, half_way, guesses, twice, large, kill):
                    if not wanted or trouble.__name__ in wanted:
                        trouble(place)
            if not wanted or "kill_server" in wanted:
                kill_server(server)
        finally:
            server.end()
    if not wanted or "full_disk" in wanted:
        full_disk(programs)


main()
