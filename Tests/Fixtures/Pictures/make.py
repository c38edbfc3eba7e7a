#!/usr/bin/env python3
"""Makes the pictures that the tests of PictureKit decode. Needs Pillow with WebP.

Each shows a red, a green, a blue and a yellow quarter (from the top left, row by row), so that a
test can tell by the corners how it was turned.
"""
import os

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
RED, GREEN, BLUE, YELLOW = (220, 30, 30), (30, 180, 60), (40, 60, 220), (230, 210, 40)


def quarters(width, height):
    picture = Image.new("RGB", (width, height))
    for index, colour in enumerate((RED, GREEN, BLUE, YELLOW)):
        left, top = index % 2 * width // 2, index // 2 * height // 2
        picture.paste(colour, (left, top, left + width // 2, top + height // 2))
    return picture


def exif(orientation):
    """An EXIF block with an orientation and a place on the globe."""
    block = Image.Exif()
    block[0x0112] = orientation
    block[0x010F] = "Camera"
    block.get_ifd(0x8825).update({1: "N", 2: (37.0, 33.0, 58.0), 3: "E", 4: (126.0, 58.0, 40.0)})
    return block


# What brings an upright picture into the rows and columns of each orientation.
STORE = {
    1: None, 2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180, 4: Image.FLIP_TOP_BOTTOM,
    5: Image.TRANSPOSE, 6: Image.ROTATE_90, 7: Image.TRANSVERSE, 8: Image.ROTATE_270,
}


def save(picture, name, **options):
    picture.save(os.path.join(HERE, name), **options)


def main():
    upright = quarters(96, 64)
    for orientation, turn in STORE.items():
        stored = upright.transpose(turn) if turn is not None else upright
        save(stored, f"orientation-{orientation}.jpg", quality=90, exif=exif(orientation))

    save(upright, "baseline.jpg", quality=90, comment=b"a comment")
    save(upright, "progressive.jpg", quality=90, progressive=True)
    save(upright.convert("L"), "grey.jpg", quality=90)
    save(upright.convert("CMYK"), "cmyk.jpg", quality=90)
    save(upright, "oriented.png", exif=exif(6))
    save(upright, "oriented.webp", quality=90, exif=exif(6))

    save(upright, "plain.png")
    save(upright.quantize(4), "palette.png")
    wide = Image.new("I;16", (96, 64))
    wide.putdata([x * 65535 // 95 for _ in range(64) for x in range(96)])
    save(wide, "sixteen-bit.png")
    half = upright.convert("RGBA")
    half.paste((0, 0, 0, 0), (48, 0, 96, 64))
    save(half, "alpha.png")

    save(upright, "lossy.webp", quality=90)
    save(half, "lossy-alpha.webp", quality=90)
    save(half, "lossless-alpha.webp", lossless=True)
    noise = Image.effect_noise((48, 48), 90).convert("RGB")
    save(noise, "noisy.webp", lossless=True)
    save(noise, "noisy-lossy.webp", quality=90)
    frames = [upright, upright.transpose(Image.ROTATE_180)]
    save(frames[0], "moving.webp", save_all=True, append_images=frames[1:], lossless=True)

    save(upright, "still.gif", interlace=False)
    save(half, "alpha.gif", interlace=False)
    save(upright, "interlaced.gif", interlace=True)
    save(frames[0], "moving.gif", save_all=True, append_images=frames[1:], comment=b"a comment")


main()
