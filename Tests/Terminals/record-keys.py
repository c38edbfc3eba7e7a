#!/usr/bin/env python3
"""Records what each real terminal sends for each key, in Tests/Fixtures/TerminalKeys, one line a key: its name and the
bytes in hexadecimal, none where the terminal keeps the key for itself. Names as arguments record some terminals only."""

import os
import pathlib
import re
import select
import sys
import termios
import time
import tty

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Fixtures/TerminalKeys"
VARIANTS = {"xterm-sixel", "xterm-wide", "xterm-no-alternate"}
# Where it has a menu bar or help, the window manager's part of it would take the keyboard.
KEPT = {"urxvt": {"alt+s"}, "lxterminal": {"F1", "F10", "F11"}, "qterminal": {"F1", "F10", "F11", "F12"}, "konsole": {"F1", "F11"}}
EDITING = ["Up", "Down", "Left", "Right", "Home", "End", "Prior", "Next", "Insert", "Delete"]
KEYS = ([f"F{number}" for number in range(1, 13)] + [f"shift+F{number}" for number in (2, 3, 5)] + EDITING
        + [f"{modifier}+{key}" for modifier in ("shift", "ctrl", "alt") for key in EDITING if (modifier, key) != ("shift", "Insert")]
        + ["BackSpace", "Tab", "shift+Tab", "Escape", "Return", "KP_Enter", "alt+Return", "alt+BackSpace", "ctrl+space"]
        + [f"ctrl+{letter}" for letter in "abdeghklnprtuwxyz"] + [f"alt+{key}" for key in "abcdfgijklmnopqrstuvwxyz0123456789"])


def receive(path):
    """Runs in the terminal: sets the modes that the program sets, and writes all input to a file."""
    fd = sys.stdin.fileno()
    tty.setraw(fd)
    os.write(1, b"\x1b[?1036$p\x1b[?1039$p\x1b[c")
    answer = b""
    while select.select([fd], [], [], 2)[0]:
        answer += os.read(fd, 4096)
        if re.search(rb"\x1b\[\?[\d;]*c", answer):
            break
    for mode in re.findall(rb"\?(1036|1039);2\$y", answer):
        os.write(1, b"\x1b[?%sh" % mode)
    with open(path, "wb", buffering=0) as file:
        while True:
            file.write(os.read(fd, 4096))


def record(name, words):
    from terminals import FOCUSED, Screen
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "bytes"
        screen = Screen(words, (80, 24), [sys.executable, os.path.abspath(__file__), "--receive", str(path)])
        lines, start, last = [], time.time(), 0
        while not path.exists() and time.time() - start < 20:
            time.sleep(0.2)
        time.sleep(1)
        if name in FOCUSED:
            screen.focus()
        for key in KEYS:
            if key in KEPT.get(name, ()):
                continue
            screen.press(key, wait=0.12)
            data = path.read_bytes() if path.exists() else b""
            lines.append(f"{key} {data[last:].hex()}".strip())
            last = len(data)
        screen.end()
    heard = sum(" " in line for line in lines)
    print(f"{name}: {heard} of {len(lines)} keys")
    if heard > 60:
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return heard > 60


if __name__ == "__main__":
    if sys.argv[1:2] == ["--receive"]:
        receive(sys.argv[2])
    from terminals import TERMINALS, missing
    for name, package, words in TERMINALS:
        program = [word for word in words.split() if not word.startswith("-") and word != "dbus-run-session"][0]
        if name in VARIANTS or sys.argv[1:] and name not in sys.argv[1:]:
            continue
        print(f"{name}: not installed ({package})") if missing(program) else record(name, words)
