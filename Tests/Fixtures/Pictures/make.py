#!/usr/bin/env python3
"""Makes the pictures that the tests of PictureKit decode. Needs Pillow with WebP, and `cjpeg`.

Each shows a red, a green, a blue and a yellow quarter (from the top left, row by row), so that a
test can tell by the corners how it was turned.
"""
import os
import struct
import subprocess
import tempfile
import zlib

from PIL import Image, ImageCms

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


def fixed(value):
    """A number of a profile: 16 bits before and 16 behind the point."""
    return struct.pack(">i", round(value * 65536))


def display_p3():
    """An ICC profile of Display P3, as telephones write it."""
    def xyz(*values):
        return b"XYZ " + bytes(4) + b"".join(map(fixed, values))

    curve = b"para" + struct.pack(">IHH", 0, 3, 0)
    curve += b"".join(map(fixed, (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)))
    name = "Display P3".encode("utf-16-be")
    text = b"mluc" + struct.pack(">III", 0, 1, 12) + b"enUS" + struct.pack(">II", len(name), 28) + name
    tags = {
        b"desc": text, b"cprt": text, b"wtpt": xyz(0.9642, 1.0, 0.8249),
        b"rXYZ": xyz(0.51512, 0.2412, -0.00105), b"gXYZ": xyz(0.29198, 0.69225, 0.04189),
        b"bXYZ": xyz(0.1571, 0.06657, 0.78407), b"rTRC": curve, b"gTRC": curve, b"bTRC": curve,
    }
    table, data, start = b"", b"", 132 + 12 * len(tags)
    for tag, body in tags.items():
        table += tag + struct.pack(">II", start + len(data), len(body))
        data += body + bytes(-len(body) % 4)
    head = struct.pack(">I4sI4s4s4s", start + len(data), b"", 0x04000000, b"mntr", b"RGB ", b"XYZ ")
    head += bytes(12) + b"acsp" + bytes(28) + fixed(0.9642) + fixed(1.0) + fixed(0.8249)
    return head + bytes(128 - len(head)) + struct.pack(">I", len(tags)) + table + data


def chunk(name, payload):
    """A chunk of a PNG file."""
    return struct.pack(">I", len(payload)) + name + payload + struct.pack(">I", zlib.crc32(name + payload))


def with_chunk(name, added):
    """A PNG file of these fixtures with a chunk before its pixels."""
    with open(os.path.join(HERE, name), "rb") as file:
        whole = file.read()
    return whole[:33] + added + whole[33:]


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

    profile, flat = display_p3(), Image.new("RGB", (96, 64), (200, 60, 40))
    for name in "p3.jpg", "p3.png", "p3.webp":
        save(flat, name, quality=95, icc_profile=profile, exif=exif(1))
    save(flat, "broken-profile.jpg", quality=95, icc_profile=profile[:200])
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    save(flat, "srgb.jpg", quality=95, icc_profile=srgb)
    save(flat, "flat.png")
    with open(os.path.join(HERE, "code-points.png"), "wb") as file:
        file.write(with_chunk("flat.png", chunk(b"cICP", bytes([12, 13, 0, 1]))))
    with open(os.path.join(HERE, "gamma.png"), "wb") as file:
        file.write(with_chunk("flat.png", chunk(b"gAMA", struct.pack(">I", 100_000))))
    with tempfile.TemporaryDirectory() as folder:
        upright.save(folder + "/upright.ppm")
        coded = subprocess.run(
            ["cjpeg", "-arithmetic", "-quality", "90", folder + "/upright.ppm"],
            capture_output=True, check=True)
    with open(os.path.join(HERE, "arithmetic.jpg"), "wb") as file:
        file.write(coded.stdout)


if __name__ == "__main__":
    main()
