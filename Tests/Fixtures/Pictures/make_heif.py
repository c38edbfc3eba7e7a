#!/usr/bin/env python3
"""Makes the HEIC and AVIF files that the tests of PictureKit decode. Needs pillow-heif, `heif-enc` and `avifenc`.

They show the quarters of `make.py`, or the color 200, 60, 40 of Display P3.
"""
import ctypes
import glob
import os
import subprocess
import tempfile

import pillow_heif
from PIL import Image

import make

pillow_heif.register_heif_opener()


def encode(picture, name, *options, others=()):
    """Encodes pictures by heif-enc, the first as the primary one."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, one in enumerate((picture, *others)):
            files.append(f"{folder}/{number}.png")
            one.save(files[-1], icc_profile=one.info.get("icc_profile"))
        subprocess.run(
            ["heif-enc", *files, "-q", "80", "-o", os.path.join(make.HERE, name), *options],
            check=True, capture_output=True)


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("subcode", ctypes.c_int), ("message", ctypes.c_char_p)]


class Library:
    """The library within pillow-heif, for what no program offers."""

    def __init__(self):
        folder = os.path.dirname(pillow_heif.__file__)
        self.functions = ctypes.CDLL(glob.glob(folder + "/../pillow_heif.libs/libheif*")[0])
        self.context = ctypes.c_void_p(self.call("heif_context_alloc", returns=ctypes.c_void_p))
        self.encoder = ctypes.c_void_p()
        hevc = 1
        self.call("heif_context_get_encoder_for_format", self.context, hevc, ctypes.byref(self.encoder))
        self.call("heif_encoder_set_lossy_quality", self.encoder, 80)

    def call(self, name, *arguments, returns=Error):
        function = getattr(self.functions, name)
        function.restype = returns
        result = function(*arguments)
        assert not isinstance(result, Error) or result.code == 0, (name, result.message)
        return result

    def image(self, picture):
        """A picture in the library's memory."""
        rgb, interleaved, channel = 1, 10, 10
        image, stride = ctypes.c_void_p(), ctypes.c_int()
        self.call("heif_image_create", *picture.size, rgb, interleaved, ctypes.byref(image))
        self.call("heif_image_add_plane", image, channel, *picture.size, 8)
        plane = self.call(
            "heif_image_get_plane", image, channel, ctypes.byref(stride), returns=ctypes.c_void_p)
        line, pixels = picture.width * 3, picture.tobytes()
        for row in range(picture.height):
            ctypes.memmove(plane + row * stride.value, pixels[row * line:(row + 1) * line], line)
        return image

    def write(self, name):
        self.call("heif_context_write_to_file", self.context, os.path.join(make.HERE, name).encode())


def encode_grid(tiles, rows, columns, name):
    """Encodes tiles of one size as one picture, as telephones do."""
    library = Library()
    images = (ctypes.c_void_p * len(tiles))(*map(library.image, tiles))
    library.call(
        "heif_context_encode_grid", library.context, images, ctypes.c_uint16(columns),
        ctypes.c_uint16(rows), library.encoder, None, ctypes.byref(ctypes.c_void_p()))
    library.write(name)


def encode_turned(picture, orientation, name, primaries=None):
    """Encodes a picture with the boxes that turn and mirror it as an EXIF orientation does.

    `primaries` are those of its box nclx, with the transfer function of sRGB; None writes no such box.
    """
    library = Library()
    image = library.image(picture)
    options = library.call("heif_encoding_options_alloc", returns=ctypes.c_void_p)
    # The member `image_orientation` of `heif_encoding_options`.
    ctypes.c_int.from_address(options + 20).value = orientation
    if primaries is not None:
        # The box is left out otherwise, for programs that are no longer in use.
        ctypes.c_uint8.from_address(options + 16).value = 0
        profile = library.call("heif_nclx_color_profile_alloc", returns=ctypes.c_void_p)
        for place, value in (4, primaries), (8, 13), (12, 6):
            ctypes.c_int.from_address(profile + place).value = value
        ctypes.c_uint8.from_address(profile + 16).value = 1
        library.call("heif_image_set_nclx_color_profile", image, ctypes.c_void_p(profile))
    library.call(
        "heif_context_encode_image", library.context, image, library.encoder,
        ctypes.c_void_p(options), None)
    library.write(name)


def main():
    upright = make.quarters(96, 64)
    encode(upright, "still.heic")
    encode(upright, "still.avif", "-A")
    for orientation, turn in make.STORE.items():
        stored = upright.transpose(turn) if turn is not None else upright
        encode_turned(stored, orientation, f"orientation-{orientation}.heic")
    upright.save(os.path.join(make.HERE, "metadata.heic"), quality=80, exif=make.exif(6), xmp=b"<x:XMP/>")
    encode(upright, "several.heic", others=[Image.new("RGB", (96, 64)), Image.new("RGB", (64, 64))])
    half = upright.convert("RGBA")
    half.paste((0, 0, 0, 0), (48, 0, 96, 64))
    encode(half, "alpha.heic")
    flat = Image.new("RGB", (96, 64), (200, 60, 40))
    encode_turned(flat, 1, "code-points.heic", primaries=12)
    with tempfile.TemporaryDirectory() as folder:
        flat.save(folder + "/flat.png")
        subprocess.run(
            ["avifenc", "--cicp", "12/13/6", folder + "/flat.png", os.path.join(make.HERE, "code-points.avif")],
            check=True, capture_output=True)
    flat.info["icc_profile"] = make.display_p3()
    encode(flat, "p3.heic")
    deep = Image.new("I;16", (96, 64))
    deep.putdata([x * 65535 // 95 for _ in range(64) for x in range(96)])
    encode(deep, "ten-bit.heic", "-b", "10")
    tiles = [make.quarters(128, 128).crop((x, y, x + 64, y + 64)) for y in (0, 64) for x in (0, 64)]
    encode_grid(tiles, 2, 2, "grid.heic")
    encode(make.quarters(9600, 6400), "large.avif", "-A", "-t", "1024")


if __name__ == "__main__":
    main()
