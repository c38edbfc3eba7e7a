#!/usr/bin/env python3
"""Runs the market in real terminals on a virtual X server and judges by pixels what they show. Pictures are kept in the
folder named first; further names are terminals. Exit status 1 where a terminal fails; one that is not installed is told.

The program is built before: MARKET names another one than .build/release/market."""

import os
import pathlib
import sys
import time

from terminals import NEEDED, TERMINALS, Screen, missing

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MARKET = os.environ.get("MARKET", str(ROOT / ".build/release/market"))
SIZES = [(80, 24), (160, 45)]
# Colored pixels: pictures have tens of thousands, texts of the theme less than these.
PICTURES, TEXTS = 8_000, 2_000


class Failure(Exception):
    pass


def expect(condition, sentence):
    if not condition:
        raise Failure(sentence)


def colored(pixels):
    """How many pixels are not grey."""
    return sum(count for color, count in pixels.colors().items() if max(color) - min(color) > 24)


def tour(screen, folder, name, size):
    columns, rows = size

    def shot(what):
        return screen.picture(str(folder / f"{name}-{columns}x{rows}-{what}.png"))

    end = time.time() + 25
    while time.time() < end:
        time.sleep(1)
        grid = shot("grid")
        if colored(grid) > PICTURES:
            break
    time.sleep(1.5)
    grid = shot("grid")
    many = colored(grid)
    expect(many > PICTURES, f"no pictures: {many} colored pixels")
    if name == "xterm-wide":
        # The frame of the selected card stays one line.
        frame = grid.colors(2, 20, 24, 160)
        bright = max((count for color, count in frame.items() if max(color) - min(color) > 60), default=0)
        expect(bright > 60, f"a torn frame: {bright} pixels")
    screen.press("slash", wait=0.7)
    screen.type("zzzz")
    screen.press("Return", wait=2)
    empty = colored(shot("no-hits"))
    expect(empty < many / 4, f"pictures stay behind after a search without hits: {empty} colored pixels of {many}")
    screen.press("Escape", wait=0.7)
    screen.press("Escape", wait=2)
    screen.press("colon", wait=2)
    shot("menu")
    screen.press("Escape", wait=2)
    again = colored(shot("grid-again"))
    expect(again > many / 2, f"pictures do not come back: {again} colored pixels of {many}")
    screen.press("Return", wait=2.5)
    expect(colored(shot("detail")) > PICTURES / 4, "no picture of the product")
    screen.press("D", wait=1.5)
    shot("prompt")
    screen.press("Escape", wait=0.7)
    screen.press("q", wait=1)
    screen.press("n", wait=2)
    shot("form")
    screen.press("Escape", wait=1)
    screen.press("q", wait=2.5)
    left = colored(shot("end"))
    expect(left < TEXTS, f"something of a picture is left at the end: {left} colored pixels")


def main():
    lacking = [f"{program} ({package})" for program, package in NEEDED if missing(program)]
    if lacking:
        print("not installed: " + ", ".join(lacking))
        return 2
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/terminals")
    folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    for name, package, words in TERMINALS:
        program = [word for word in words.split() if not word.startswith("-") and word != "dbus-run-session"][0]
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        if missing(program):
            print(f"{name}: not installed ({package})")
            continue
        for size in SIZES:
            # The shell behind stays for the last picture.
            command = folder / "run.sh"
            command.write_text(f"#!/bin/sh\n{MARKET} --fresh --view grid --language en\nprintf 'the prompt$ '\nsleep 60\n")
            command.chmod(0o755)
            screen = Screen(words, size, [str(command)])
            try:
                tour(screen, folder, name, size)
                print(f"{name} {size[0]}x{size[1]}: ok")
            except Failure as failure:
                failures += 1
                print(f"{name} {size[0]}x{size[1]}: {failure}")
            finally:
                screen.end()
            sys.stdout.flush()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
