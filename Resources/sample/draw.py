#!/usr/bin/env python3
"""Draws the pictures of the sample market.

    draw.py sheet FILE.png [small]    every product's first picture; small is as on a terminal
    draw.py product FILE.png NUMBER   the pictures of one product of the catalogue

Needs Python 3.11 and `pip install cairocffi numpy pillow`. The same recipe always gives the same
picture: nothing here is random.
"""

import sys
from dataclasses import dataclass

import cairocffi as cairo
import numpy
from PIL import Image, ImageFilter

import scenes
from kit import COLOURS, HEIGHT, WIDTH, Pen, clear
from subjects import SUBJECTS


@dataclass(frozen=True)
class Look:
    """How the pictures of one product look: a subject, its two colours and the place."""
    subject: str
    main: str
    accent: str
    palette: str


@dataclass(frozen=True)
class View:
    """Where one picture was taken: the scene, and how the subject stands in it."""
    scene: str
    palette: str
    x: float = 0
    y: float = 0
    turn: float = 0
    scale: float = 1
    mirror: bool = False


def views(look):
    """The five views of a product: whole, close, turned in another place, beside, closer."""
    thing = SUBJECTS[look.subject]
    partner = scenes.PARTNERS[look.palette]
    first, second = thing.scenes[0], thing.scenes[-1]
    closeups = [View(first, palette, -x * zoom, -y * zoom, scale=zoom)
                for (x, y, zoom), palette in zip(thing.details, (look.palette, partner))]
    tilt = 0 if thing.stands else -9
    sink = 18 if thing.stands else 0
    return [
        View(first, look.palette),
        closeups[0],
        View(second, partner, -14, sink, turn=tilt, scale=0.93, mirror=True),
        closeups[1],
        View(second, look.palette, 60, sink + 12, turn=-tilt * 1.6, scale=0.82),
    ]


def picture(look, view, size=(640, 480)):
    """Draws one view of a product as an RGB image of `size`, cropped to its shape."""
    factor = max(size[0] / WIDTH, size[1] / HEIGHT)
    ground = _layer(size, factor, lambda p: scenes.backdrop(p, view.scene, view.palette))
    thing = SUBJECTS[look.subject]

    def draw(p):
        with p.at(view.x, view.y, view.turn, view.scale, view.mirror):
            thing.draw(p, COLOURS[look.main], COLOURS[look.accent])

    things = _layer(size, factor, draw)
    for shadow in _shadows(things, factor, thing.stands and view.scale <= 1):
        ground.paste((24, 16, 38), (0, 0), shadow)
    ground.alpha_composite(things)
    ground.alpha_composite(_layer(size, factor, _light))
    return ground.convert("RGB")


def _light(p):
    """Light from the upper left, and corners that fall off."""
    p.rect(-400, -300, 800, 600, fill=("d", clear("#fff4d8", 0.16), clear("#fff4d8", 0),
                                       clear("#1a1030", 0.0), clear("#1a1030", 0.16)))


def _shadows(things, factor, stands):
    """Masks of the shadows that a layer throws: on what is behind it and where it stands."""
    alpha = things.getchannel("A")
    cast = Image.new("L", alpha.size)
    cast.paste(alpha, (round(16 * factor), round(14 * factor)))
    cast = cast.filter(ImageFilter.GaussianBlur(15 * factor))
    yield cast.point(lambda value: value * 0.42)
    box = alpha.getbbox()
    if stands and box:
        foot = alpha.crop((0, box[3] - round(46 * factor), alpha.width, box[3])).getbbox()
        left, right = foot[0] - 14 * factor, foot[2] + 14 * factor
        middle = (box[3] - 6 * factor) / factor - HEIGHT / 2
        contact = _layer(alpha.size, factor, lambda p: p.oval(
            (left + right) / 2 / factor - alpha.width / factor / 2, middle,
            (right - left) / 2 / factor, 22, fill="#000000"))
        contact = contact.getchannel("A").filter(ImageFilter.GaussianBlur(9 * factor))
        yield contact.point(lambda value: value * 0.5)


def _layer(size, factor, draw):
    """What `draw` does with a pen, as an RGBA image of `size`."""
    surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, *size)
    context = cairo.Context(surface)
    context.set_antialias(cairo.ANTIALIAS_BEST)
    context.translate(size[0] / 2, size[1] / 2)
    context.scale(factor, factor)
    draw(Pen(context))
    surface.flush()
    rows = numpy.frombuffer(surface.get_data(), numpy.uint8)
    pixels = rows.reshape(size[1], surface.get_stride() // 4, 4)[:, :size[0], [2, 1, 0, 3]]
    alpha = pixels[:, :, 3:].astype(numpy.uint16)
    straight = pixels[:, :, :3] * numpy.uint16(255) // numpy.maximum(alpha, 1)
    return Image.fromarray(
        numpy.concatenate([straight, alpha], axis=2).clip(0, 255).astype(numpy.uint8), "RGBA")


def contact_sheet(images, columns, gap=8):
    """Puts images of one size side by side."""
    width, height = images[0].size
    rows = -(-len(images) // columns)
    sheet = Image.new("RGB", (columns * (width + gap), rows * (height + gap)), "#18191e")
    for index, image in enumerate(images):
        spot = (index % columns * (width + gap), index // columns * (height + gap))
        sheet.paste(image.resize((width, height)), spot)
    return sheet


def as_on_a_terminal(image, cells=(52, 36), enlarged=5):
    """What half-block cells keep of a picture, enlarged for looking at."""
    small = image.resize(cells, Image.Resampling.BOX)
    return small.resize((cells[0] * enlarged, cells[1] * enlarged), Image.Resampling.NEAREST)


def main(arguments):
    import catalogue
    kind, target, *rest = arguments
    if kind == "product":
        look = catalogue.read()[int(rest[0])].look
        contact_sheet([picture(look, view) for view in views(look)], 3).save(target)
        return
    images = [picture(product.look, views(product.look)[0], (320, 240))
              for product in catalogue.read()]
    if rest == ["small"]:
        images = [as_on_a_terminal(image) for image in images]
    contact_sheet(images, 9).save(target)


if __name__ == "__main__":
    main(sys.argv[1:])
