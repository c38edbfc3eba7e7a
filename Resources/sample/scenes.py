"""Backgrounds: the places where the things for sale were photographed."""

import math

from kit import clear, dark, light, mix

# wall, floor
PALETTES = dict(
    mint=("#bfe8d6", "#6fb79b"), sky=("#bfe0f5", "#e9d9bd"), sand=("#f3dfbd", "#b98552"),
    blush=("#fbd5cf", "#c98a80"), lilac=("#dccff4", "#8f78c2"), butter=("#fdeaab", "#d79c4a"),
    slate=("#5c6b80", "#39434f"), night=("#2b2f55", "#4a3b6b"), cream=("#f8efdf", "#cfae86"),
    sage=("#cfdcb8", "#8a9a63"), peach=("#ffcfa6", "#c5714a"), teal=("#2f8f92", "#1d5f6a"),
    rose=("#e0708a", "#8f3350"), pine=("#2f5c4c", "#8a6844"), snow=("#eef3f7", "#b9c6d3"),
    plum=("#5a3560", "#33203f"), sun=("#ffc35a", "#dd7d2f"), denim=("#3d5f96", "#263f69"),
)

# The palette of the second place where a product was photographed.
PARTNERS = dict(
    mint="cream", sky="sand", sand="teal", blush="snow", lilac="cream", butter="sky",
    slate="sand", night="lilac", cream="sage", sage="cream", peach="mint", teal="peach",
    rose="cream", pine="sand", snow="denim", plum="blush", sun="snow", denim="butter",
)

FLOOR = 165


def studio(p, wall, floor):
    """A paper roll that bends from the wall to the floor."""
    p.rect(-400, -300, 800, 600, fill=("v", light(wall, 0.25), wall, dark(wall, 0.12)))
    p.oval(0, -40, 520, 400, fill=("r", clear("#ffffff", 0.5), clear("#ffffff", 0)))
    p.rect(-400, FLOOR - 40, 800, 180, fill=("v", clear(floor, 0), clear(floor, 0.55)))
    p.rect(-400, FLOOR + 140, 800, 100, fill=clear(floor, 0.55))


def room(p, wall, floor):
    """A painted wall with a skirting board over floorboards, light falling from a window."""
    p.rect(-400, -300, 800, 600, fill=("h", light(wall, 0.3), wall, dark(wall, 0.1)))
    for x in (-330, -190):
        p.poly([(x, -300), (x + 110, -300), (x + 270, FLOOR), (x + 160, FLOOR)],
               fill=clear("#ffffff", 0.22))
    p.rect(-400, FLOOR, 800, 140, fill=("v", dark(floor, 0.12), floor, light(floor, 0.12)))
    for x in range(-900, 901, 150):
        p.line([(x * 0.55, FLOOR), (x, 300)], clear(dark(floor, 0.5), 0.3), 3)
    p.rect(-400, FLOOR - 22, 800, 22, fill=light(wall, 0.55))


def table(p, wall, floor):
    """A wooden table before a plain wall."""
    p.rect(-400, -300, 800, 600, fill=("v", light(wall, 0.3), wall, dark(wall, 0.08)))
    p.rect(-400, FLOOR - 15, 800, 170, fill=("v", light(floor, 0.18), floor, dark(floor, 0.2)))
    for y, x, w in ((190, -380, 300), (205, 40, 330), (238, -250, 420), (262, 150, 240),
                    (280, -390, 280)):
        p.line([(x, y), (x + w, y + 3)], clear(dark(floor, 0.5), 0.25), 4)
    p.rect(-400, FLOOR - 15, 800, 5, fill=light(floor, 0.5))


def tiles(p, wall, floor):
    """A tiled kitchen wall over a worktop."""
    p.rect(-400, -300, 800, 600, fill=("d", light(wall, 0.4), wall, dark(wall, 0.1)))
    for row in range(5):
        y = -300 + row * 92
        p.line([(-400, y), (400, y)], clear("#ffffff", 0.5), 5)
        for column in range(-3, 4):
            x = column * 160 + (80 if row % 2 else 0)
            p.line([(x, y), (x, y + 92)], clear("#ffffff", 0.5), 5)
    p.rect(-400, FLOOR - 15, 800, 160, fill=("v", light(floor, 0.25), floor, dark(floor, 0.15)))
    p.rect(-400, FLOOR - 15, 800, 6, fill=light(floor, 0.6))


def park(p, wall, floor):
    """Sky, a far row of trees and grass."""
    p.rect(-400, -300, 800, 600, fill=("v", mix(wall, "#5fb4ee", 0.55), light(wall, 0.55)))
    p.oval(250, -190, 52, fill=clear("#fff6d0", 0.9))
    for x, y, r in ((-270, -190, 36), (-225, -205, 48), (-170, -188, 34)):
        p.oval(x, y, r * 1.4, r * 0.8, fill=clear("#ffffff", 0.75))
    for index, x in enumerate(range(-400, 430, 92)):
        p.oval(x, 120, 85, 62 + 26 * math.sin(index * 2.1), fill=mix("#8fc6a0", wall, 0.35))
    grass = mix("#6fae4a", floor, 0.18)
    p.rect(-400, 118, 800, 182, fill=("v", light(grass, 0.25), grass, dark(grass, 0.2)))


def boards(p, wall, floor):
    """Seen from above: wooden boards."""
    tones = (floor, light(floor, 0.08), dark(floor, 0.06), light(floor, 0.14), floor)
    for index, tone in enumerate(tones):
        x = -400 + index * 160
        p.rect(x, -300, 160, 600, fill=("h", light(tone, 0.12), tone))
        p.line([(x, -300), (x, 300)], clear(dark(floor, 0.6), 0.4), 4)
        for y in (-220 + index * 37, 60 + index * 41):
            p.line([(x + 45, y), (x + 49, y + 150)], clear(dark(floor, 0.5), 0.18), 4)


def cloth(p, wall, floor):
    """Seen from above: a blanket with a wide check."""
    p.rect(-400, -300, 800, 600, fill=("d", light(wall, 0.25), wall))
    for offset in range(-400, 401, 200):
        p.rect(offset - 38, -300, 76, 600, fill=clear(floor, 0.28))
        p.rect(-400, offset - 38, 800, 76, fill=clear(floor, 0.28))


STANDING = dict(studio=studio, room=room, table=table, tiles=tiles, park=park)
LYING = dict(boards=boards, cloth=cloth)


def backdrop(p, scene, palette):
    wall, floor = PALETTES[palette]
    (STANDING | LYING)[scene](p, wall, floor)
