#!/usr/bin/env python3
"""Reads the code of a page for photos from the screens of real terminals by zbarimg: codes.py FOLDER [NAMES].

Each at 80x24 in each theme, the picture whole, halved, turned by 15 degrees and blurred. Pictures are kept in FOLDER.
foot runs within weston. Exit status 1 where a code cannot be read; a terminal that is not installed is told. MARKET
names another program than .build/release/market; market-server stands beside it.
"""
import pathlib
import re
import subprocess
import sys
import time

from check import MARKET, ROOT
from terminals import NEEDED, TERMINALS, Screen, missing

THEMES = ["dark", "light", "high-contrast", "colorblind"]
ADDRESS = re.compile(r"HTTP://[0-9.:]+/U/[A-Z2-7]{26}")
FORMS = {"whole": [], "halved": ["-resize", "50%"], "turned": ["-rotate", "15"], "blurred": ["-blur", "0x1.5"]}
WITHIN_WESTON = """#!/bin/sh
export XDG_RUNTIME_DIR="$HOME"
weston --backend=x11-backend.so --shell=kiosk-shell.so --socket=telephone --width=1100 --height=700 > weston.log 2>&1 &
while ! [ -S "$HOME/telephone" ]; do sleep 0.1; done
WAYLAND_DISPLAY=telephone exec foot -f "DejaVu Sans Mono:size=9" "$@"
"""


def read(picture, options):
    other = picture.with_suffix(".read.png")
    subprocess.run(["convert", picture, *options, other], check=True)
    return subprocess.run(["zbarimg", "-q", "--raw", other], capture_output=True, text=True).stdout.strip()


def photograph(screen, picture):
    """Opens a form and its page; at an address of a container the page is opened by a further key."""
    time.sleep(4)
    screen.press("n", wait=1.5)
    screen.press("p", wait=1.5)
    for _ in range(3):
        screen.picture(str(picture))
        if ADDRESS.fullmatch(read(picture, [])):
            return
        screen.press("Return", wait=2)


def main():
    lacking = [f"{program} ({package})" for program, package in NEEDED + [("zbarimg", "zbar-tools")] if missing(program)]
    if lacking:
        print("not installed: " + ", ".join(lacking))
        return 2
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/terminals").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "foot.sh").write_text(WITHIN_WESTON)
    words = {name: words for name, _, words in TERMINALS if name in ("xterm", "kitty")}
    words["foot"] = f"sh {folder}/foot.sh"
    failures = 0
    for name in sys.argv[2:] or words:
        lacking = [program for program in ([name, "weston"] if name == "foot" else [name]) if missing(program)]
        if lacking:
            print(f"{name}: not installed ({', '.join(lacking)})")
            continue
        for theme in THEMES:
            command = folder / "run.sh"
            command.write_text(f"#!/bin/sh\n{MARKET} --fresh --view list --language en --theme {theme}\n")
            command.chmod(0o755)
            picture = folder / f"code-{name}-{theme}.png"
            screen = Screen(words[name], (80, 24), [str(command)])
            try:
                photograph(screen, picture)
            finally:
                screen.end()
            unread = [form for form, options in FORMS.items() if not ADDRESS.fullmatch(read(picture, options))]
            failures += bool(unread)
            print(f"{name} {theme}: " + (f"unread {', '.join(unread)}" if unread else "ok"), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
