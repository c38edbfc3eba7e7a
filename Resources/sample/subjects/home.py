"""Furniture, lamps and other things of the house."""

from kit import INK, STEEL, WHITE, ball, clear, dark, light, lit, side, tube
from subjects import subject


@subject((0, -150, 2.0), (0, 70, 1.9), scenes=("room", "studio"))
def chair(p, main, accent):
    for x0, x1 in ((-120, -140), (150, 172)):
        p.line([(x0, 40), (x1, 170)], dark(main, 0.45), 26)
    p.path("M-165 -255 Q0 -295 165 -255 L172 -150 Q0 -185 -172 -150 Z", fill=lit(main))
    p.line([(-160, -250), (-150, 60)], dark(main, 0.08), 30)
    p.line([(160, -250), (150, 60)], dark(main, 0.2), 30)
    for x in (-80, 0, 80):
        p.line([(x, -180), (x * 0.95, 50)], dark(main, 0.15), 20)
    p.path("M-190 90 L-135 25 L135 25 L190 90 Z",
           fill=("v", dark(accent, 0.15), light(accent, 0.1)))
    p.path("M-195 86 L195 86 L190 122 L-190 122 Z", fill=lit(main))
    for x0, x1 in ((-170, -205), (170, 205)):
        p.line([(x0, 115), (x1, 226)], main, 32)
        p.line([(x0 - 8, 115), (x1 - 8, 226)], light(main, 0.3), 7)
    p.line([(-186, 180), (186, 180)], dark(main, 0.2), 16)


@subject((-150, 20, 1.8), (225, 110, 2.0), scenes=("room", "studio"))
def sofa(p, main, accent):
    for x in (-290, 290):
        p.line([(x, 190), (x * 1.03, 232)], "#7a4a2b", 26)
    p.rect(-305, -190, 610, 320, r=60, fill=lit(main))
    p.line([(0, -180), (0, 40)], dark(main, 0.35), 7)
    for x in (-150, 150):
        for y in (-110, -30):
            p.oval(x, y, 9, fill=dark(main, 0.4))
    for x in (-280, 5):
        p.rect(x, 20, 275, 105, r=34, fill=("v", light(main, 0.3), main))
    p.rect(-320, 105, 640, 95, r=24, fill=("v", dark(main, 0.12), dark(main, 0.35)))
    for x in (-375, 265):
        p.rect(x, -75, 110, 280, r=50, fill=side(main), line=dark(main, 0.3), width=5)
    for x, turn, colour in ((-205, -14, accent), (195, 12, light(accent, 0.45))):
        with p.at(x, -10, turn):
            p.rect(-72, -72, 144, 136, r=26, fill=("d", light(colour, 0.25), colour,
                                                  dark(colour, 0.2)))
            p.line([(-50, 0), (50, 0)], clear("#ffffff", 0.5), 7)


@subject((-110, -130, 2.0), (70, 30, 2.0), scenes=("table", "room"))
def desk_lamp(p, main, accent):
    p.poly([(-235, -75), (-35, -190), (60, 235), (-390, 235)],
           fill=("v", clear("#fff0b0", 0.85), clear("#fff0b0", 0)))
    p.oval(150, 222, 150, 26, fill=dark(main, 0.35))
    p.oval(150, 208, 150, 26, fill=lit(main))
    p.line([(150, 205), (225, 0)], dark(main, 0.15), 24)
    p.line([(225, 0), (-30, -200)], main, 24)
    p.line([(222, -8), (-30, -206)], light(main, 0.4), 6)
    p.oval(225, 0, 27, fill=ball(accent))
    p.oval(150, 200, 24, fill=ball(accent))
    with p.at(-75, -170, turn=-30):
        p.oval(-8, 78, 108, 26, fill="#fff7cf")
        p.oval(-8, 82, 52, 30, fill=("r", "#ffffff", "#ffe58a"))
        p.path("M-46 -62 Q0 -90 46 -62 L116 72 Q0 104 -130 72 Z", fill=side(main))
        p.rect(-28, -92, 62, 40, r=14, fill=accent)


@subject((0, 130, 1.9), (40, -120, 1.7), scenes=("room", "table"))
def plant(p, main, accent):
    leaves = ((-300, -60), (-235, -190), (-95, -255), (70, -262), (225, -200), (300, -75),
              (-150, -80), (150, -95))
    for index, (x, y) in enumerate(leaves):
        tone = dark(accent, 0.28) if index % 2 else light(accent, 0.12)
        bend = 80 if x > 0 else -80
        p.path(f"M0 110 C{x * 0.2} {y * 0.4} {x - bend} {y - 20} {x} {y} "
               f"C{x + bend * 0.5} {y + 120} {x * 0.6} 70 0 110 Z",
               fill=("v", light(tone, 0.25), tone))
        p.path(f"M0 110 C{x * 0.2} {y * 0.4 + 30} {x * 0.6} {y * 0.8} {x * 0.93} {y * 0.93}",
               line=clear(light(tone, 0.6), 0.7), width=5)
    p.path("M-150 80 L-112 222 Q-106 240 -80 240 L80 240 Q106 240 112 222 L150 80 Z",
           fill=tube(main))
    p.rect(-166, 52, 332, 54, r=14, fill=tube(light(main, 0.12)))


@subject((-120, -90, 1.8), (110, 90, 1.8), scenes=("room", "studio"))
def bookshelf(p, main, accent):
    p.rect(-300, -275, 600, 515, r=8, fill=dark(main, 0.55))
    colours = (accent, "#f4b12f", "#2a66c8", "#f6ead2", "#ee5d4e", "#2f9a5b", "#6c4cc0", "#f28fb1")
    for row, (y, start, stop) in enumerate(((-110, -275, 170), (60, -110, 275), (222, -275, 60))):
        x, index = start, row * 3
        while x < stop - 26:
            w, h = 30 + index * 13 % 22, 104 + index * 29 % 38
            p.rect(x, y - h, w, h, r=4, fill=side(colours[index % 8]))
            p.rect(x, y - h + 18, w, 9, fill=clear("#ffffff", 0.45))
            x, index = x + w + 3, index + 1
    p.oval(215, -140, 34, fill=ball("#4f9a58"))
    p.oval(240, -168, 26, fill=ball("#6ab56a"))
    p.path("M186 -134 L250 -134 L240 -108 L196 -108 Z", fill=tube("#f7f6f2"))
    p.path("M-240 58 L-240 -20 Q-195 -60 -150 -20 L-150 58 Z", fill=tube(accent))
    p.rect(110, 130, 130, 92, r=8, fill=lit("#f6ead2"), line=accent, width=12)
    for y in (-288, -110, 60, 222):
        p.rect(-312, y, 624, 24, fill=lit(main))
    for x in (-320, 292):
        p.rect(x, -290, 28, 535, r=6, fill=side(main))


@subject((-60, -40, 1.9), (160, -130, 2.0), scenes=("table", "room"))
def sewing_machine(p, main, accent):
    p.rect(-350, 150, 700, 88, r=22, fill=lit(main))
    p.rect(-350, 136, 420, 24, r=8, fill=("h", WHITE, STEEL, "#8b93a0"))
    p.path("M130 160 L130 -60 L-150 -60 L-150 60 Q-150 90 -190 90 L-260 90 Q-290 90 -290 60 "
           "L-290 -120 Q-290 -215 -190 -215 L240 -215 Q310 -215 310 -140 L310 160 Z",
           fill=("v", light(main, 0.3), main, dark(main, 0.18)), line=dark(main, 0.3), width=5)
    p.line([(-220, 90), (-220, 140)], STEEL, 14)
    p.rect(-252, 122, 64, 16, r=5, fill=STEEL)
    p.oval(322, -90, 40, 72, fill=side(STEEL))
    p.oval(322, -90, 22, 44, fill=side(accent))
    p.line([(170, -215), (170, -285)], STEEL, 10)
    p.rect(128, -292, 84, 74, r=12, fill=tube(accent))
    p.line([(170, -285), (-120, -235), (-225, -150), (-220, 90)], accent, 5)
    p.oval(220, -110, 50, fill=WHITE, line=dark(main, 0.3), width=7)
    p.line([(220, -110), (246, -136)], accent, 10)
    p.oval(220, 30, 36, fill=ball(accent))
    p.path("M-120 -140 C-90 -190 -50 -100 -10 -140 C20 -175 50 -110 80 -145",
           line=clear(accent, 0.9), width=11)
    p.path("M-350 158 C-270 142 -200 168 -60 158 L-20 215 C-150 238 -300 205 -350 220 Z",
           fill=("h", light(accent, 0.5), accent))


@subject((0, -40, 1.7), (0, 190, 2.0), scenes=("room", "studio"))
def fan(p, main, accent):
    p.oval(0, 225, 170, 26, fill=dark(main, 0.3))
    p.oval(0, 212, 170, 26, fill=lit(main))
    p.rect(-22, 110, 44, 110, r=10, fill=tube(main))
    p.oval(0, -65, 205, fill=clear("#ffffff", 0.4), line=main, width=22)
    for turn in (0, 120, 240):
        with p.at(0, -65, turn):
            p.path("M0 0 C-120 -60 -110 -180 -10 -182 C80 -170 70 -70 0 0 Z",
                   fill=("v", light(accent, 0.3), accent))
    for turn in range(0, 360, 15):
        with p.at(0, -65, turn):
            p.line([(0, -50), (0, -198)], clear(dark(main, 0.3), 0.55), 4)
    for r in (120, 165):
        p.oval(0, -65, r, line=clear(dark(main, 0.3), 0.5), width=4)
    p.oval(0, -65, 50, fill=ball(main), line=dark(main, 0.3), width=5)
    p.oval(0, -65, 18, fill=accent)


@subject((-110, -80, 1.9), (120, 60, 1.9), scenes=("table", "room"))
def books(p, main, accent):
    stack = ((-290, 165, 580, 74, main, 0), (-250, 92, 540, 72, accent, 0),
             (-300, 14, 560, 76, "#f4b12f", 0), (-220, -56, 470, 68, "#2a8f8c", 0),
             (-250, -136, 430, 76, light(main, 0.35), -3))
    for x, y, w, h, colour, turn in stack:
        with p.at(x, y, turn):
            p.rect(0, 0, w, h, r=10, fill=lit(colour))
            p.rect(w - 70, 9, 74, h - 18, r=4, fill=("v", "#fffaf0", "#e8dcc4"))
            for line in (0.35, 0.65):
                p.line([(w - 66, h * line), (w, h * line)], "#cbbd9f", 3)
            p.rect(50, 0, 16, h, fill=clear("#ffffff", 0.5))
            p.rect(110, h * 0.35, 170, h * 0.3, r=4, fill=clear("#ffffff", 0.65))
    p.path("M-30 -225 Q-34 -262 -4 -282", line="#5d3a22", width=12)
    p.path("M-22 -246 C10 -285 50 -280 66 -262 C44 -232 4 -230 -22 -246 Z", fill=lit("#5fae4e"))
    p.path("M-30 -222 C-80 -250 -128 -216 -116 -170 C-106 -136 50 -136 58 -170 "
           "C68 -216 20 -250 -30 -222 Z", fill=ball("#d8323c"))
    p.path("M120 165 L150 165 L150 240 L135 222 L120 240 Z", fill="#cf2f38")


@subject((0, -20, 1.8), (110, -150, 2.0), scenes=("room", "table"))
def clock(p, main, accent):
    for x in (-150, 150):
        p.line([(x * 0.8, 150), (x, 228)], dark(main, 0.2), 30)
    for x, turn in ((-120, -32), (120, 32)):
        with p.at(x, -190, turn):
            p.path("M-78 30 C-78 -70 78 -70 78 30 Z", fill=lit(accent))
    p.line([(0, -190), (0, -260)], STEEL, 16)
    p.rect(-40, -278, 80, 26, r=12, fill=lit(main))
    p.oval(0, 10, 228, fill=("d", light(main, 0.35), main, dark(main, 0.3)))
    p.oval(0, 10, 184, fill=("v", "#fffdf6", "#f1e9d8"))
    for turn in range(0, 360, 30):
        with p.at(0, 10, turn):
            p.line([(0, -160), (0, -136 if turn % 90 else -122)], INK, 13)
    p.line([(0, 10), (-66, -52)], INK, 20)
    p.line([(0, 10), (82, -86)], INK, 14)
    p.line([(0, 40), (0, -120)], accent, 6)
    p.oval(0, 10, 16, fill=accent)


@subject((0, -120, 1.9), (0, 110, 1.8), scenes=("cloth", "room"))
def teddy_bear(p, main, accent):
    for x in (-1, 1):
        p.oval(x * 118, -215, 58, fill=ball(main))
        p.oval(x * 118, -212, 32, fill=light(main, 0.45))
        with p.at(x * 175, 40, -x * 38):
            p.oval(0, 0, 58, 112, fill=ball(main))
    p.oval(0, 90, 170, 158, fill=ball(main))
    p.oval(0, 110, 108, 104, fill=light(main, 0.4))
    for x in (-1, 1):
        p.oval(x * 140, 192, 78, 68, fill=ball(main))
        p.oval(x * 146, 196, 44, 40, fill=light(main, 0.45))
    p.oval(0, -112, 162, 142, fill=ball(main))
    p.oval(0, -72, 76, 58, fill=light(main, 0.55))
    p.oval(0, -98, 30, 21, fill=INK)
    p.path("M0 -78 L0 -58 M-34 -50 Q-14 -36 0 -58 Q14 -36 34 -50", line=INK, width=8)
    for x in (-66, 66):
        p.oval(x, -138, 18, fill=INK)
        p.oval(x - 5, -144, 6, fill=WHITE)
    p.path("M0 22 L-92 -14 L-92 62 Z M0 22 L92 -14 L92 62 Z", fill=lit(accent))
    p.oval(0, 22, 24, fill=dark(accent, 0.15))
