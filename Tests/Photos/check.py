#!/usr/bin/env python3
"""Takes photos of all kinds in with `market` and compares what is stored: check.py PROGRAM.

HEIC is compared with the picture that it was made from, the others with what Chromium draws. Needs
Pillow, pillow-heif, heif-enc, cjpeg, avifenc and chromium. Prints a line for each that differs.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

import kinds

GRID = (8, 6)
# Mean and largest difference of areas: what lossy coding and other ways of scaling change.
MEAN, LARGEST = 3, 12
# Chromium decodes no arithmetic coding, turns no WebP, and may draw the second frame of a film.
UNLIKE_BROWSERS = ("arithmetic.jpg", "oriented.webp", "moving.gif")


def areas(picture):
    return picture.convert("RGB").resize((160, 120), Image.BOX).resize(GRID, Image.BOX)


def browser(names, folder):
    """What Chromium draws of each file, 160 x 120 pixels."""
    columns = 8
    rows = -(-len(names) // columns)
    images = "".join(f"<img src='{name}'>" for name in names)
    page = Path(folder, "page.html")
    page.write_text(
        "<style>*{margin:0;padding:0}body{width:1280px;font-size:0;line-height:0}"
        f"img{{width:160px;height:120px}}</style>{images}")
    shot = Path(folder, "shot.png")
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb",
         "--hide-scrollbars", f"--screenshot={shot}", f"--window-size=1280,{rows * 120}", page.as_uri()],
        check=True, capture_output=True, timeout=120)
    whole = Image.open(shot).convert("RGB")
    places = [(index % columns * 160, index // columns * 120) for index in range(len(names))]
    return {name: whole.crop((x, y, x + 160, y + 120)) for name, (x, y) in zip(names, places)}


def take_in(program, names, folder):
    """The stored picture of each file, by a market of its own."""
    home = Path(folder, "home")
    home.mkdir()
    environment = dict(os.environ, HOME=str(home))
    subprocess.run([program, "import", "/dev/null", "--store", f"{folder}/market.sqlite"],
                   env=environment, capture_output=True)
    for name in names:
        made = subprocess.run(
            [program, "new", "--store", f"{folder}/market.sqlite", "--name", "Photo " + name,
             "--price", "1000", "--currency", "KRW", "--description", "ten characters",
             "--photo", f"{folder}/{name}", "--seller", "Hana", "--language", "en"],
            input=b"openmarket1\n", env=environment, capture_output=True)
        if made.returncode != 0 or made.stderr.strip():
            print(f"{name}: {made.returncode} {made.stderr.decode().strip()}")
    subprocess.run([program, "export", f"{folder}/out.ndjson", "--store", f"{folder}/market.sqlite"],
                   env=environment, capture_output=True, check=True)
    rows = [json.loads(line) for line in open(f"{folder}/out.ndjson")]
    return {
        row["name"].removeprefix("Photo "): f"{folder}/out.ndjson.pictures/" + os.path.basename(row["pictures"][0])
        for row in rows if row.get("pictures")}


def main():
    program, wrong = os.path.abspath(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as folder:
        references = dict(kinds.all_kinds(folder))
        drawn = [name for name in references if not name.endswith(".heic") and name not in UNLIKE_BROWSERS]
        references.update(browser(drawn, folder))
        stored = take_in(program, list(references), folder)
        for name, reference in references.items():
            if name not in stored:
                print(f"{name}: not taken in")
                wrong += 1
                continue
            picture = Image.open(stored[name])
            difference = ImageStat.Stat(ImageChops.difference(areas(picture), areas(reference)))
            mean, largest = max(difference.mean), max(high for _, high in difference.extrema)
            left = [key for key in ("exif", "icc_profile", "xmp", "comment") if picture.info.get(key)]
            size = os.path.getsize(stored[name])
            if mean > MEAN or largest > LARGEST or left or size > 400_000:
                print(f"{name}: mean {mean:.1f}, largest {largest}, {left}, {size} bytes")
                wrong += 1
        print(f"{len(references)} photos, {wrong} of them wrong")
    sys.exit(wrong > 0)


main()
