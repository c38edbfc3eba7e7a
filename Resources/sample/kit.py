"""A small drawing kit on cairo: colours, shaded fills and a pen.

Coordinates are those of an 800 x 600 picture with the origin in its middle, y downwards.
A fill is a colour ("#rrggbb" or "#rrggbbaa") or a gradient over the bounding box of the shape:
("v", top, ..., bottom), ("h", left, ..., right), ("d", top left, ..., bottom right) or
("r", middle, ..., edge).
"""

import contextlib
import math
import re

import cairocffi as cairo

WIDTH, HEIGHT = 800, 600

INK = "#1b1a24"
STEEL = "#c9ced6"
WHITE = "#fbfaf7"

COLOURS = dict(
    coral="#ee5d4e", red="#cf2f38", wine="#7d2038", orange="#f2852c", amber="#f4b12f",
    butter="#f8d978", lime="#a3c93f", green="#2f9a5b", forest="#1f5b43", mint="#7fd3b6",
    teal="#158a8e", sky="#4fb0e4", blue="#2a66c8", navy="#1d2f5c", violet="#6c4cc0",
    lilac="#b79be8", pink="#f28fb1", blush="#f7c6c4", brown="#7a4a2b", oak="#c98d4e",
    sand="#e0c39a", cream="#f6ead2", white="#f7f6f2", silver="#c4cad3", grey="#7d8794",
    slate="#46505f", black="#23232b",
)


def channels(colour):
    """Red, green, blue and alpha, each 0 to 1."""
    digits = colour.lstrip("#")
    values = [int(digits[i:i + 2], 16) / 255 for i in range(0, len(digits), 2)]
    return tuple(values) if len(values) == 4 else (*values, 1.0)


def mix(colour, other, share):
    """`colour` with `share` (0 to 1) of `other` in it."""
    pairs = zip(channels(colour)[:3], channels(other)[:3])
    return "#" + "".join(f"{round((a + (b - a) * share) * 255):02x}" for a, b in pairs)


def light(colour, share=0.25):
    return mix(colour, "#fff8ec", share)


def dark(colour, share=0.25):
    return mix(colour, "#120e22", share)


def clear(colour, alpha):
    """`colour` with `alpha` (0 to 1)."""
    return f"{colour[:7]}{round(alpha * 255):02x}"


def lit(colour):
    """A face under light from above."""
    return ("v", light(colour, 0.22), colour, dark(colour, 0.22))


def side(colour):
    """A face that turns away from light on the left."""
    return ("h", light(colour, 0.2), colour, dark(colour, 0.3))


def tube(colour):
    """A standing cylinder."""
    return ("h", dark(colour, 0.25), light(colour, 0.3), colour, dark(colour, 0.2),
            dark(colour, 0.42))


def ball(colour):
    """A sphere with its light in the middle."""
    return ("r", light(colour, 0.5), colour, dark(colour, 0.35))


class Pen:
    """Draws filled and outlined shapes on a cairo context."""

    def __init__(self, context):
        self.context = context
        context.set_line_cap(cairo.LINE_CAP_ROUND)
        context.set_line_join(cairo.LINE_JOIN_ROUND)

    @contextlib.contextmanager
    def at(self, x=0, y=0, turn=0, scale=1, mirror=False):
        """Moves the origin to (x, y), turned clockwise by `turn` degrees."""
        self.context.save()
        self.context.translate(x, y)
        self.context.rotate(math.radians(turn))
        self.context.scale(-scale if mirror else scale, scale)
        yield
        self.context.restore()

    @contextlib.contextmanager
    def inside(self, commands):
        """Clips what is drawn to a path."""
        self.context.save()
        self._trace(commands)
        self.context.clip()
        yield
        self.context.restore()

    def path(self, commands, fill=None, line=None, width=6):
        """A path in the letters M, L, C, Q and Z of SVG, all absolute."""
        self._trace(commands)
        self._paint(fill, line, width)

    def poly(self, points, fill=None, line=None, width=6):
        self._points(points)
        self.context.close_path()
        self._paint(fill, line, width)

    def line(self, points, colour, width=6):
        self._points(points)
        self._paint(None, colour, width)

    def rect(self, x, y, w, h, r=0, fill=None, line=None, width=6):
        """A rectangle from its top left corner, with corners of radius `r`."""
        r = min(r, w / 2, h / 2)
        c = self.context
        c.new_path()
        for cx, cy, quarter in ((x + w - r, y + r, -1), (x + w - r, y + h - r, 0),
                                (x + r, y + h - r, 1), (x + r, y + r, 2)):
            c.arc(cx, cy, r, quarter * math.pi / 2, (quarter + 1) * math.pi / 2)
        c.close_path()
        self._paint(fill, line, width)

    def oval(self, x, y, rx, ry=None, fill=None, line=None, width=6):
        c = self.context
        c.new_path()
        c.save()
        c.translate(x, y)
        c.scale(rx, ry or rx)
        c.arc(0, 0, 1, 0, 2 * math.pi)
        c.restore()
        c.close_path()
        self._paint(fill, line, width)

    def arc(self, x, y, r, start, end, colour, width=6):
        """Part of a circle, in degrees clockwise from the right."""
        self.context.new_path()
        self.context.arc(x, y, r, math.radians(start), math.radians(end))
        self._paint(None, colour, width)

    def _points(self, points):
        self.context.new_path()
        for x, y in points:
            self.context.line_to(x, y)

    def _trace(self, commands):
        c = self.context
        c.new_path()
        for letter, rest in re.findall(r"([MLCQZ])([^MLCQZ]*)", commands):
            n = [float(word) for word in re.findall(r"-?[\d.]+", rest)]
            if letter == "M":
                c.move_to(*n)
            elif letter == "L":
                for i in range(0, len(n), 2):
                    c.line_to(*n[i:i + 2])
            elif letter == "C":
                for i in range(0, len(n), 6):
                    c.curve_to(*n[i:i + 6])
            elif letter == "Q":
                for i in range(0, len(n), 4):
                    self._quadratic(*n[i:i + 4])
            else:
                c.close_path()

    def _quadratic(self, x1, y1, x2, y2):
        x0, y0 = self.context.get_current_point()
        self.context.curve_to(x0 + (x1 - x0) * 2 / 3, y0 + (y1 - y0) * 2 / 3,
                              x2 + (x1 - x2) * 2 / 3, y2 + (y1 - y2) * 2 / 3, x2, y2)

    def _paint(self, fill, line, width):
        if fill:
            self._source(fill)
            self.context.fill_preserve()
        if line:
            self._source(line)
            self.context.set_line_width(width)
            self.context.stroke_preserve()
        self.context.new_path()

    def _source(self, fill):
        if isinstance(fill, str):
            self.context.set_source_rgba(*channels(fill))
            return
        axis, *stops = fill
        x0, y0, x1, y1 = self.context.path_extents()
        if axis == "r":
            mx, my, r = x0 + (x1 - x0) * 0.42, y0 + (y1 - y0) * 0.38, max(x1 - x0, y1 - y0) * 0.62
            gradient = cairo.RadialGradient(mx, my, 0, mx, my, r)
        else:
            gradient = cairo.LinearGradient(
                x0, y0, x0 if axis == "v" else x1, y0 if axis == "h" else y1)
        for index, stop in enumerate(stops):
            gradient.add_color_stop_rgba(index / (len(stops) - 1), *channels(stop))
        self.context.set_source(gradient)
