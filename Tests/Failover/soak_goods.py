"""What a product says at each of its revisions, so that nothing has to be kept to know it later."""
import hashlib
import random
import struct
import uuid
import zlib

base = 1_000
"""Price of the first revision; each one costs one more."""
sides = [32, 64, 96, 220]
"""Pixels of a side of a photo; the largest ones have 145 KB."""


class Good:
    """A product that somebody sells, by its own word, which is in its name."""

    def __init__(self):
        self.word = uuid.uuid4().hex[:12]

    def text(self, revision):
        """Name, description, price and stock."""
        return (f"lamp {self.word} {revision}", f"Revision {revision} of {self.word}, warm light.",
                base + revision, revision % 7)

    def series(self, revision):
        """Which of its sets of photos it has: each fourth revision brings another one."""
        return revision // 4

    def changes_photos(self, revision):
        return revision == 0 or self.series(revision) != self.series(revision - 1)

    def photos(self, revision):
        series = self.series(revision)
        return [photo(f"{self.word} {series} {place}") for place in range(1 + series % 2)]


def photo(seed):
    """A photo of noise as a PNG file, which is its own each time."""
    noise = random.Random(seed)
    side = noise.choice(sides)
    rows = b"".join(b"\0" + noise.randbytes(3 * side) for _ in range(side))

    def chunk(kind, content):
        return (struct.pack(">I", len(content)) + kind + content
                + struct.pack(">I", zlib.crc32(kind + content)))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))


def name_of(photo):
    """The hash by which a market calls a photo."""
    return hashlib.blake2b(photo, digest_size=32).hexdigest()
