"""Things to wear."""

from kit import STEEL, WHITE, ball, clear, dark, light, lit, side
from subjects import subject


def _sneaker(p, main, accent):
    p.path("M-340 150 L340 150 C352 200 340 214 310 214 L-320 214 C-350 214 -352 180 -340 150 Z",
           fill=("v", "#ffffff", "#dcd6c8"))
    p.path("M-345 155 C-350 60 -345 -60 -320 -130 C-290 -150 -200 -150 -165 -125 "
           "C-140 -60 -60 -20 40 20 C150 60 340 50 345 155 Z",
           fill=("v", light(main, 0.25), main, dark(main, 0.2)), line=dark(main, 0.4), width=6)
    p.path("M200 66 C290 70 345 95 345 155 L190 155 C230 120 225 90 200 66 Z", fill="#fdfaf2")
    p.path("M-345 40 L-250 40 L-262 155 L-345 155 Z", fill=accent)
    p.path("M-220 140 C-120 130 20 100 90 40 C60 110 -60 152 -220 152 Z", fill=accent)
    p.path("M-165 -125 C-200 -90 -290 -90 -322 -128 C-310 -150 -200 -155 -165 -125 Z",
           fill=dark(main, 0.55))
    for x, y in ((-125, -50), (-80, -22), (-32, 2), (18, 24)):
        p.line([(x - 26, y + 42), (x + 30, y - 16)], WHITE, 15)
    p.line([(-335, 182), (320, 182)], accent, 9)


@subject((60, 20, 1.9), (-180, 10, 1.8), scenes=("studio", "room"))
def sneakers(p, main, accent):
    with p.at(48, -92, turn=-5, scale=0.9):
        _sneaker(p, dark(main, 0.14), dark(accent, 0.1))
    with p.at(-22, 28, scale=0.99):
        _sneaker(p, main, accent)


@subject((0, -40, 1.7), (0, 40, 2.2), stands=False, scenes=("studio", "cloth"))
def jacket(p, main, accent):
    p.path("M-40 -262 C-40 -300 30 -300 20 -262", line="#6d7683", width=9)
    for x in (-1, 1):
        with p.at(mirror=x > 0):
            p.path("M-120 -215 C-240 -180 -270 -60 -330 165 L-228 205 C-215 120 -190 40 -165 -20 Z",
                   fill=("d", light(main, 0.25), main, dark(main, 0.2)), line=dark(main, 0.4),
                   width=5)
            p.path("M-330 165 L-228 205 L-238 238 L-340 196 Z", fill=lit(accent))
    p.path("M-70 -240 C-110 -220 -150 -210 -185 -190 L-190 215 L190 215 L185 -190 "
           "C150 -210 110 -220 70 -240 Q0 -190 -70 -240 Z",
           fill=("h", light(main, 0.15), main, dark(main, 0.22)), line=dark(main, 0.4), width=5)
    p.rect(-195, 205, 390, 42, r=14, fill=lit(accent))
    p.path("M-72 -245 Q0 -190 72 -245 L50 -275 Q0 -240 -50 -275 Z", fill=lit(accent))
    p.line([(0, -205), (0, 206)], STEEL, 12)
    p.rect(-9, -130, 18, 38, r=5, fill="#f4b12f")
    for x in (-140, 60):
        p.line([(x, 85), (x + 80, 110)], dark(main, 0.5), 13)
    p.oval(102, -95, 38, fill=accent)
    p.path("M102 -122 L110 -103 L130 -101 L115 -88 L120 -68 L102 -79 L84 -68 L89 -88 L74 -101 "
           "L94 -103 Z", fill=WHITE)


@subject((0, -110, 1.8), (0, 80, 1.9), stands=False, scenes=("boards", "cloth"))
def sweater(p, main, accent):
    body = "M-95 -230 L-185 -200 L-185 225 L185 225 L185 -200 L95 -230 Q0 -170 -95 -230 Z"
    for x in (-1, 1):
        with p.at(mirror=x > 0):
            p.path("M-150 -215 C-230 -190 -320 0 -355 110 L-258 160 L-180 10 Z", fill=side(main))
            p.path("M-355 110 L-258 160 L-276 192 L-372 142 Z", fill=lit(dark(main, 0.25)))
    p.path(body, fill=("h", light(main, 0.2), main, dark(main, 0.15)))
    with p.inside(body):
        for row, y in enumerate((-110, -55, 0)):
            for x in range(-210, 211, 60):
                shift = 30 if row % 2 else 0
                p.poly([(x + shift, y - 26), (x + shift + 26, y), (x + shift, y + 26),
                        (x + shift - 26, y)], fill=accent if row % 2 else "#fdf6e6")
        for y in (-160, 55, 95):
            p.line([(-190, y), (190, y)], accent, 13)
        for x in range(-180, 181, 24):
            p.line([(x, 188), (x, 225)], clear("#000000", 0.25), 9)
    p.path("M-100 -232 Q0 -160 100 -232 L80 -256 Q0 -205 -80 -256 Z", fill=lit(dark(main, 0.25)))


@subject((0, 0, 1.8), (0, -200, 2.0), stands=False, scenes=("cloth", "boards"))
def watch(p, main, accent):
    with p.at(0, 0, turn=-22, scale=0.98):
        p.path("M-100 -150 L-84 -345 L84 -345 L100 -150 Z", fill=side(accent))
        p.path("M-100 150 L-80 345 L80 345 L100 150 Z", fill=side(accent))
        for y in (210, 255, 300):
            p.oval(0, y, 13, fill=dark(accent, 0.6))
        p.rect(168, -26, 50, 52, r=10, fill=STEEL)
        p.oval(0, 0, 192, fill=("d", WHITE, STEEL, "#606976"))
        p.oval(0, 0, 160, fill=("d", light(main, 0.3), main, dark(main, 0.3)))
        for turn in range(0, 360, 30):
            with p.at(0, 0, turn):
                p.line([(0, -138), (0, -112)], WHITE, 12)
        p.oval(0, 66, 36, fill=dark(main, 0.35), line=clear("#ffffff", 0.6), width=4)
        p.line([(0, 66), (14, 44)], "#f4b12f", 6)
        p.line([(0, 0), (-58, -46)], WHITE, 17)
        p.line([(0, 0), (66, -84)], WHITE, 12)
        p.oval(0, 0, 15, fill="#f4b12f")
        p.path("M-120 -70 C-80 -130 -10 -140 20 -138", line=clear("#ffffff", 0.35), width=14)


@subject((-150, 0, 1.9), (170, 0, 1.9), stands=False, scenes=("cloth", "boards"))
def sunglasses(p, main, accent):
    for x in (-1, 1):
        with p.at(mirror=x > 0):
            p.path("M-335 -60 C-350 -190 -250 -200 -200 -190", line=dark(main, 0.15), width=26)
            p.path("M-350 -80 C-350 -110 -60 -120 -40 -75 C-20 120 -120 170 -190 168 "
                   "C-290 165 -350 70 -350 -80 Z",
                   fill=("v", dark(accent, 0.6), accent, light(accent, 0.5)), line=main, width=34)
            p.path("M-300 -40 L-220 -65 L-260 60 Z", fill=clear("#ffffff", 0.4))
    p.path("M-48 -60 C-30 -100 30 -100 48 -60", line=main, width=30)


@subject((0, -60, 1.8), (110, 110, 1.9), scenes=("studio", "table"))
def handbag(p, main, accent):
    p.path("M-150 -60 C-150 -320 150 -320 150 -60", line=dark(accent, 0.3), width=34)
    p.path("M-150 -60 C-150 -320 150 -320 150 -60", line=accent, width=22)
    p.path("M-250 -85 L250 -85 C290 20 310 140 300 205 Q296 240 260 240 L-260 240 "
           "Q-296 240 -300 205 C-310 140 -290 20 -250 -85 Z",
           fill=("h", light(main, 0.3), main, dark(main, 0.3)), line=dark(main, 0.4), width=6)
    p.path("M-262 -90 L262 -90 C270 40 120 90 0 92 C-120 90 -270 40 -262 -90 Z",
           fill=("v", light(main, 0.35), dark(main, 0.08)), line=dark(main, 0.4), width=6)
    p.path("M-236 -72 C-230 30 -110 66 0 70 C110 66 230 30 236 -72", line=light(main, 0.6), width=4)
    p.rect(-36, 58, 72, 62, r=14, fill=("d", "#fff0b8", "#e0ad3c", "#9c6f1c"))
    p.oval(0, 90, 11, fill=dark(main, 0.4))
    for x in (-150, 150):
        p.oval(x, -66, 22, fill=ball("#e0ad3c"))
