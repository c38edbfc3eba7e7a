#!/usr/bin/env python3
"""Packs the catalogue and its pictures into two files, which `market` carries inside itself.

`sample.bin`, all numbers little-endian, a text or file being its length (u32) and its bytes:

    "OMS2", number of products (u32), then for each product, oldest first:
        number of fields (u32), then for each its name, a text, and its value:
            a text, UTF-8, or for numbers and amounts in hundredths an i64
        seller's name                                       text
        age in seconds                                      i64
        number of pictures (u32), then for each picture:
            width, height                                   u32, pixels
            picture                                         a JPEG, PNG or WebP file
            thumbnail                                       a JPEG file, 320 pixels or less

`english.bin` has what differs in English, of the same products in the same order:

    "OME2", number of products (u32), then for each product its fields and seller's name, as above
"""

import io
import struct
from pathlib import Path

from PIL import Image

import catalogue
from draw import picture, views

FILE = Path(__file__).with_name("sample.bin")
ENGLISH = Path(__file__).with_name("english.bin")

LANDSCAPE, PORTRAIT, SQUARE = (640, 480), (480, 640), (600, 600)


def main():
    products = catalogue.read()
    packed = [b"OMS2", _number(len(products))]
    for index, product in enumerate(products):
        packed += _product(product, index)
    FILE.write_bytes(b"".join(packed))
    ENGLISH.write_bytes(english(products))
    pictures = sum(product.pictures for product in products)
    print(f"{len(products)} products, {pictures} pictures, {FILE.stat().st_size:,} bytes")


def english(products):
    packed = [b"OME2", _number(len(products))]
    for product in products:
        packed += _words(product.english)
    return b"".join(packed)


def _words(words):
    yield _number(len(words.fields))
    for name, value in words.fields.items():
        yield _text(name)
        yield _text(value) if isinstance(value, str) else struct.pack("<q", value)
    yield _text(words.seller)


def _product(product, index):
    yield from _words(product.korean)
    yield struct.pack("<q", product.age)
    yield _number(product.pictures)
    for number, view in enumerate(views(product.look)[:product.pictures]):
        serial = index * 5 + number
        image = picture(product.look, view, _size(serial, number))
        yield _number(image.width)
        yield _number(image.height)
        yield _file(_encoded(image, serial))
        image.thumbnail((320, 320), Image.Resampling.LANCZOS)
        yield _file(_jpeg(image, 62))


def _size(serial, number):
    """Mostly landscape; some close-ups are taken upright or square, as people do."""
    if number in (1, 3):
        return {0: PORTRAIT, 1: SQUARE}.get(serial % 7, LANDSCAPE)
    return LANDSCAPE


def _encoded(image, serial):
    if serial % 65 == 5:
        return _png(image)
    return _webp(image) if serial % 3 == 2 else _jpeg(image, 65)


def _jpeg(image, quality):
    return _saved(image, "JPEG", quality=quality, optimize=True, progressive=False)


def _webp(image):
    return _saved(image, "WEBP", quality=72, method=6)


def _png(image):
    return _saved(image, "PNG", optimize=True)


def _saved(image, kind, **options):
    target = io.BytesIO()
    image.save(target, kind, **options)
    return target.getvalue()


def _number(value):
    return struct.pack("<I", value)


def _file(content):
    return _number(len(content)) + content


def _text(text):
    return _file(text.encode("utf-8"))


if __name__ == "__main__":
    main()
