#!/usr/bin/env python3
"""Sells a product with photos that a telephone sends: photos.py PROGRAMS PICTURES.

PROGRAMS is the folder of the built programs. The program runs in a terminal of 80 by 24 cells, on a market of this
machine, on one of a server over https, and as a guest of that over ssh. Its QR code is read by zbarimg in each theme,
also halved, turned and blurred; Chromium in the size of a telephone opens the page, with and without JavaScript, in
both languages, and sends two photos, which the product has in the end. Needs nginx, sshd and zbarimg. What is wrong
is a line each.
"""
import fcntl
import getpass
import os
import pty
import re
import select
import signal
import socket
import sqlite3
import ssl
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from shutil import which
from urllib.error import HTTPError
from urllib.request import urlopen

import pyte
from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
PHOTOS = ROOT / "Tests/Fixtures/Pictures"
USER = getpass.getuser()
CELL = (8, 16)
SENT = {"en": "✓ in the form", "ko": "✓ 양식에 들어감"}


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for_port(port):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"nothing listens at port {port}")


class Local:
    """The market of a home, with pages of this machine."""

    address = r"HTTP://[0-9.:]+/U/[A-Z2-7]{26}"

    def __init__(self, programs):
        self.programs, self.environment = programs, {}

    def command(self, home, language):
        return [f"{self.programs}/market", "--fresh", "--language", language]

    def store(self, home):
        return f"{home}/.local/share/market/market.sqlite"

    def end(self):
        pass


class Server:
    """A market of a server behind nginx, as SERVING.md configures it, with pages of its own."""

    def __init__(self, programs, folder, disk=None):
        self.programs, self.folder, self.disk = programs, folder, disk or folder
        self.port, self.plain = free_port(), free_port()
        self.public = f"https://localhost:{self.port}"
        self.address = f"HTTPS://LOCALHOST:{self.port}/U/[A-Z2-7]{{26}}"
        self.environment = {"SSL_CERT_FILE": f"{folder}/certificate.pem"}
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
             f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"], check=True, capture_output=True)
        blocks = re.findall(r"```nginx\n(.*?)```", (ROOT / ".github/SERVING.md").read_text("utf-8"), re.S)
        inside, outside = (block.replace("127.0.0.1:8080", f"127.0.0.1:{self.plain}").replace("/var/log/nginx", folder)
                           for block in blocks[:2])
        places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("proxy", "fastcgi", "uwsgi", "scgi"))
        Path(folder, "nginx.conf").write_text(
            f"daemon off; user {USER}; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\nhttp {{\n{outside}\n"
            f"client_body_temp_path {folder}/body; {places}"
            f"server {{ listen 127.0.0.1:{self.port} ssl; server_name localhost;\n"
            f"ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;\n{inside}\n}}\n}}\n")
        self.proxy = subprocess.Popen(
            ["nginx", "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf", "-p", folder],
            stderr=subprocess.DEVNULL)
        self.start()
        wait_for_port(self.port)

    def start(self):
        self.process = subprocess.Popen(
            [f"{self.programs}/market-server", "--listen", f"127.0.0.1:{self.plain}", "--store", self.store(None),
             "--rate", "0", "--trust-proxy", "--public-url", self.public],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_port(self.plain)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def command(self, home, language):
        return [f"{self.programs}/market", "--fresh", "--language", language, "--server", self.public]

    def store(self, home):
        return f"{self.disk}/served.sqlite"

    def end(self):
        for process in (self.process, self.proxy):
            process.terminate()
            process.wait()


class Guests(Server):
    """Guests over ssh of such a server, let in by the sshd of this machine."""

    def __init__(self, programs, folder):
        super().__init__(programs, folder)
        self.door = free_port()
        for key in ("host", "guest"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{key}"], check=True)
        Path(folder, "sshd_config").write_text(
            f"Port {self.door}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\nUsePAM no\n"
            "StrictModes no\nPermitRootLogin yes\nAuthenticationMethods publickey\nAuthorizedKeysFile none\n"
            'AuthorizedKeysCommand /bin/echo restrict,pty,environment=\\"MARKET_KEY=%f\\" %t %k\n'
            f"AuthorizedKeysCommandUser {USER}\nPermitUserEnvironment MARKET_*\nAcceptEnv COLORTERM\n"
            f"ForceCommand exec {programs}/market guest --server http://127.0.0.1:{self.plain} --language LANGUAGE "
            f"--state {folder}/guests\n")
        self.daemon = None

    def command(self, home, language):
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()
        config = Path(self.folder, "sshd_config").read_text().replace("LANGUAGE", language)
        Path(self.folder, f"sshd_{language}").write_text(config)
        os.makedirs("/run/sshd", exist_ok=True)
        self.daemon = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", f"{self.folder}/sshd_{language}"],
                                       stderr=subprocess.DEVNULL)
        wait_for_port(self.door)
        return ["ssh", "-tt", "-p", str(self.door), "-F", "/dev/null", "-i", f"{self.folder}/guest", "-o",
                "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o",
                "LogLevel=ERROR", "-o", "SendEnv=COLORTERM", f"{USER}@127.0.0.1"]

    def end(self):
        super().end()
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()


class Terminal:
    """The program in a terminal, whose screen is read."""

    def __init__(self, words, home, **variables):
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            environment = {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm-256color",
                           "COLORTERM": "truecolor", "LANG": "C.UTF-8", **variables}
            os.execvpe(words[0], words, environment)
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
        self.wait("Newest|최신순")
        self.press("n")
        self.wait("New product|상품 등록")
        self.press("p")
        self.wait(r"HTTPS?://|eth0|wlan0")
        if not re.search("HTTPS?://", self.text):
            self.press("\r")
        self.wait("HTTPS?://")
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
    """Says where a page is still open."""
    end = time.monotonic() + 5
    while (receivers() - before or is_open(address)) and time.monotonic() < end:
        time.sleep(0.05)
    if receivers() - before or is_open(address):
        print(f"the page is left open: {address}")


def is_open(address):
    trusting = ssl._create_unverified_context()
    try:
        return urlopen(address.lower(), timeout=2, context=trusting).status == 200
    except HTTPError as error:
        return error.code != 404
    except OSError:
        return False


def read_codes(programs):
    """Reads the code in each theme, also halved, turned and blurred."""
    for theme in ("dark", "light", "high-contrast", "colorblind"):
        with tempfile.TemporaryDirectory() as home:
            terminal = Terminal(Local(programs).command(home, "en") + ["--theme", theme], home)
            address = terminal.open_page()
            whole = terminal.picture()
            half = whole.resize((whole.width // 2, whole.height // 2), Image.BOX)
            for name, image in [("whole", whole), ("halved", half), ("turned", whole.rotate(15, Image.BICUBIC, True)),
                                ("blurred", whole.filter(ImageFilter.GaussianBlur(1.5)))]:
                if not re.fullmatch(Local.address, terminal.code(image)) or terminal.code(image) != address:
                    print(f"{theme}: the code cannot be read {name}")
            terminal.end()


def sell(place, pictures, browser, language, scripts):
    before, name = receivers(), type(place).__name__.lower()
    case = f"{name}, {language}, {'with' if scripts else 'without'} scripts"
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal(place.command(home, language), home, **place.environment)
        address = terminal.open_page()
        if not re.fullmatch(place.address, address):
            print(f"{case}: the code says {address!r}\n{terminal.text}")
            return terminal.end()
        context = browser.new_context(viewport={"width": 360, "height": 780}, java_script_enabled=scripts,
                                      locale={"en": "en-US", "ko": "ko-KR"}[language], ignore_https_errors=True)
        page = context.new_page()
        page.on("console", lambda message: print(f"console: {message.text}"))
        page.goto(address)
        page.set_input_files("input[type=file]", [PHOTOS / "baseline.jpg", PHOTOS / "plain.png"])
        page.screenshot(path=f"{pictures}/photos-{name}-{language}-{'script' if scripts else 'plain'}.png")
        page.click("button")
        place_of_state = "#chosen b" if scripts else "#received b"
        page.wait_for_function("([place, text]) => [...document.querySelectorAll(place)].filter("
                               "each => each.textContent === text).length === 2", arg=[place_of_state, SENT[language]]
                               ) if scripts else page.wait_for_selector(place_of_state)
        states = page.locator(place_of_state).all_text_contents()
        if states != [SENT[language]] * 2:
            print(f"{case}: the page says {states}")
        page.screenshot(path=f"{pictures}/photos-{name}-{language}-sent.png")
        terminal.wait(r"2  plain\.\w+ .*B ✓")
        terminal.press("\r")
        gone(before, address)
        terminal.wait("2/5")
        context.close()
        title = f"Lamp {name} {language} {scripts}"
        list_product(terminal, title)
        terminal.end(signal.SIGTERM)
        with sqlite3.connect(place.store(home)) as market:
            photos = market.execute("SELECT count(*) FROM product_picture JOIN product ON product.id = product"
                                    " WHERE name = ?", (title,)).fetchone()[0]
        if photos != 2:
            print(f"{case}: the product has {photos} photos:\n{terminal.text}")


def list_product(terminal, title):
    """Fills in the form, whose cursor says which field has the keys, and lists the product."""
    texts = {"Name|이름": title, "Price|가격": "12000",
             "Description|설명": "A lamp with two photos from a telephone.", "Password|비밀번호": "sesame sesame",
             "Repeat|한 번 더": "sesame sesame"}
    for _ in range(14):
        terminal.press("\t")
        line = terminal.screen.display[terminal.screen.cursor.y][:16]
        for label in [label for label in texts if re.search(label, line)]:
            terminal.press(texts.pop(label))
    terminal.press("\x13")
    terminal.wait("y (?:Yes|예)|Your name|Seller|판매자")
    if not re.search("y (?:Yes|예)", terminal.text):
        terminal.press("Hana", "\r")
        terminal.read(1)
    if not re.search("y (?:Yes|예)", terminal.text):
        terminal.press("\r")
    terminal.wait("y (?:Yes|예)")
    terminal.press("y")
    # The form closes once the market has the product.
    terminal.wait(r"\A(?!(?s:.*)(?:New product|상품 등록))")


def main():
    programs, pictures = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    pictures.mkdir(parents=True, exist_ok=True)
    read_codes(programs)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as served, tempfile.TemporaryDirectory() as guests:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        for place in (Local(programs), Server(programs, served), Guests(programs, guests)):
            for language in ("en", "ko"):
                for scripts in (True, False):
                    sell(place, pictures, browser, language, scripts)
            place.end()
        browser.close()


if __name__ == "__main__":
    main()
