"""Things of the kitchen."""

from kit import INK, STEEL, WHITE, ball, clear, dark, light, lit, side, tube
from subjects import subject


def _steam(p, x, y, colour="#ffffff"):
    for offset in (-45, 0, 45):
        px = x + offset
        p.path(f"M{px} {y} C{px - 26} {y - 28} {px + 26} {y - 44} {px} {y - 76}",
               line=clear(colour, 0.75), width=11)


@subject((-70, -150, 1.9), (215, 40, 2.1), scenes=("table", "studio"))
def mug(p, main, accent):
    p.path("M120 -95 C290 -130 300 130 105 120", line=dark(main, 0.3), width=58)
    p.path("M120 -95 C290 -130 300 130 105 120", line=main, width=44)
    p.path("M-235 -165 L-225 165 C-215 258 115 258 125 165 L135 -165 Z", fill=tube(main))
    with p.inside("M-235 -165 L-225 165 C-215 258 115 258 125 165 L135 -165 Z"):
        p.path("M-240 70 C-150 110 50 110 140 70 L140 140 C50 180 -150 180 -240 140 Z",
               fill=tube(accent))
        p.path("M-50 35 C-140 -30 -115 -95 -50 -50 C15 -95 40 -30 -50 35 Z", fill=accent)
    p.oval(-50, -165, 186, 52, fill=light(main, 0.4))
    p.oval(-50, -160, 164, 41, fill=("v", "#3b2015", "#8a5630"))
    p.oval(-90, -166, 60, 13, fill=clear("#f0d2a4", 0.6))
    _steam(p, -50, -182)


@subject((-30, 50, 1.7), (190, -60, 2.0), scenes=("tiles", "table"))
def kettle(p, main, accent):
    p.path("M-120 130 C-240 110 -215 -90 -290 -190 L-262 -206 C-180 -90 -190 40 -110 60 Z",
           fill=side(main))
    p.path("M115 -100 C300 -170 330 90 180 150", line=dark(accent, 0.25), width=48)
    p.path("M115 -100 C300 -170 330 90 180 150", line=accent, width=34)
    p.path("M-105 -120 L-180 200 Q-180 238 -140 238 L140 238 Q180 238 180 200 L105 -120 Z",
           fill=tube(main))
    p.oval(0, -122, 108, 30, fill=light(main, 0.35))
    p.path("M-92 -130 C-70 -190 70 -190 92 -130 Z", fill=tube(main))
    p.oval(0, -196, 28, 24, fill=ball(accent))
    p.path("M-128 -20 L-160 160", line=clear("#ffffff", 0.5), width=16)
    p.rect(-178, 196, 356, 42, r=14, fill=tube(dark(accent, 0.3)))


@subject((-10, 70, 1.8), (-110, -110, 2.3), scenes=("tiles", "studio"))
def espresso_machine(p, main, accent):
    p.rect(-270, 170, 540, 68, r=14, fill=lit(dark(main, 0.35)))
    p.rect(-250, 158, 500, 20, r=6, fill=("h", WHITE, STEEL, "#7e8794"))
    p.rect(70, -110, 190, 280, fill=side(dark(main, 0.15)))
    p.rect(-240, -90, 320, 250, fill=("v", dark(main, 0.62), dark(main, 0.4)))
    p.rect(-280, -240, 560, 170, r=26, fill=lit(main))
    p.rect(-280, -110, 560, 22, fill=("h", WHITE, STEEL, "#7e8794"))
    p.oval(-170, -165, 48, fill=WHITE, line=STEEL, width=9)
    p.line([(-170, -165), (-146, -188)], "#cf2f38", 8)
    for x, colour in ((-60, accent), (20, accent), (100, WHITE)):
        p.oval(x, -165, 24, fill=ball(colour), line=dark(main, 0.5), width=5)
    p.rect(-130, -88, 150, 48, r=8, fill=("h", WHITE, STEEL, "#7e8794"))
    p.rect(-100, -40, 90, 34, fill=("h", WHITE, STEEL, "#6d7683"))
    p.path("M-55 -24 L-290 0", line=INK, width=36)
    p.line([(-70, -4), (-70, 62)], "#6b3a1c", 8)
    p.line([(-42, -4), (-42, 62)], "#6b3a1c", 8)
    p.path("M14 90 C70 80 70 140 6 136", line=WHITE, width=16)
    p.path("M-125 62 L-110 140 Q-100 160 -56 160 Q-12 160 0 140 L14 62 Z", fill=tube("#fdfbf4"))
    p.oval(-55, 62, 69, 16, fill="#7a4722")
    p.line([(215, -90), (235, 60), (215, 110)], STEEL, 17)
    p.rect(-210, -262, 330, 26, r=8, fill=STEEL)
    for x in (-150, -50, 50):
        p.path(f"M{x - 40} -300 L{x + 40} -300 L{x + 30} -258 L{x - 30} -258 Z", fill=tube(accent))


@subject((-70, 20, 1.9), (245, 0, 2.2), scenes=("tiles", "table"))
def toaster_oven(p, main, accent):
    for x in (-270, 270):
        p.rect(x - 40, 205, 80, 34, r=8, fill=INK)
    p.rect(-350, -210, 700, 425, r=46, fill=lit(main), line=dark(main, 0.3))
    p.rect(-312, -150, 460, 300, r=26, fill=dark(main, 0.6))
    p.rect(-290, -130, 416, 260, r=18, fill=("v", "#ffb347", "#e8792b", "#7d3413"))
    p.path("M-225 60 C-250 -70 -130 -90 -82 -64 C-34 -90 86 -70 62 60 Z",
           fill=("v", "#f4cd8a", "#c98138", "#8f5220"))
    for x in (-160, -82, -4):
        p.line([(x - 14, -48), (x + 22, 30)], "#fbe6b8", 12)
    for y in (-95, 66, 100):
        p.line([(-288, y), (124, y)], clear("#fff1d8", 0.75), 6)
    p.path("M-290 -130 L-160 -130 L-250 130 L-290 130 Z", fill=clear("#ffffff", 0.16))
    p.rect(-250, -188, 336, 24, r=12, fill=("v", WHITE, STEEL, "#7e8794"))
    for y in (-110, 10, 130):
        p.oval(250, y, 52, fill=dark(main, 0.3))
        p.oval(250, y, 42, fill=ball(accent))
        p.line([(250, y), (268, y - 26)], WHITE, 8)


@subject((0, -60, 1.8), (110, 110, 2.3), scenes=("tiles", "room"))
def rice_cooker(p, main, accent):
    p.rect(-220, 205, 440, 36, r=12, fill=dark(main, 0.6))
    p.path("M-300 -90 C-330 60 -310 215 -240 222 L240 222 C310 215 330 60 300 -90 Z",
           fill=tube(main))
    p.path("M-300 -90 C-300 -250 -140 -262 0 -262 C140 -262 300 -250 300 -90 Z",
           fill=("v", light(main, 0.4), main, dark(main, 0.1)))
    p.path("M-304 -100 L304 -100 L306 -66 L-306 -66 Z", fill=tube(accent))
    p.oval(0, -190, 66, 25, fill=dark(main, 0.45))
    p.oval(0, -196, 30, 12, fill=STEEL)
    p.rect(-140, -20, 280, 190, r=30, fill=INK)
    p.rect(-105, 2, 210, 74, r=10, fill=("v", "#bff3de", "#77cdb0"))
    for x in (-76, -36, 18, 58):
        p.rect(x, 16, 22, 46, r=4, line="#1e4d43", width=7)
    for x, colour in ((-84, "#6d7683"), (-28, accent), (28, "#6d7683"), (84, "#6d7683")):
        p.oval(x, 122, 20, fill=ball(colour))


@subject((-120, 60, 1.8), (140, -40, 1.8), scenes=("table", "studio"))
def teapot(p, main, accent):
    p.path("M150 -40 C330 -150 390 110 170 140", line=dark(main, 0.3), width=42)
    p.path("M150 -40 C330 -150 390 110 170 140", line=main, width=28)
    p.path("M-170 120 C-280 100 -270 -20 -355 -110 L-300 -122 C-220 -70 -200 -10 -140 10 Z",
           fill=side(main))
    p.path("M-120 -100 C-280 -60 -260 200 -130 235 L130 235 C260 200 280 -60 120 -100 Z",
           fill=("r", light(main, 0.5), main, dark(main, 0.35)))
    p.path("M-216 90 C-120 140 120 140 216 90 L208 134 C120 180 -120 180 -208 134 Z", fill=accent)
    p.oval(0, -102, 128, 30, fill=dark(main, 0.25))
    p.path("M-118 -108 C-90 -190 90 -190 118 -108 Z", fill=("r", light(main, 0.5), main))
    p.oval(0, -190, 32, 28, fill=ball(accent))
    p.path("M-150 -30 C-180 20 -180 60 -172 80", line=clear("#ffffff", 0.6), width=16)


@subject((-150, 30, 2.0), (120, 40, 1.9), scenes=("table", "tiles"))
def plates(p, main, accent):
    for index, (rx, y) in enumerate(((330, 205), (320, 172), (310, 139))):
        p.oval(0, y, rx, 62, fill=("h", dark(main, 0.2), light(main, 0.3), main, dark(main, 0.35)))
        p.oval(0, y - 12, rx, 58, fill=light(main, 0.15 + index * 0.12))
    p.oval(0, 124, 220, 36, fill=("h", dark(main, 0.12), light(main, 0.4)))
    p.oval(0, 124, 262, 44, line=accent, width=9)
    for x, colour, r in ((-110, accent, 150), (150, main, 118)):
        p.path(f"M{x - r} {-20 - r * 0.5} C{x - r} {110} {x - r * 0.4} 132 {x} 132 "
               f"C{x + r * 0.4} 132 {x + r} 110 {x + r} {-20 - r * 0.5} Z", fill=tube(colour))
        p.oval(x, -20 - r * 0.5, r, r * 0.27, fill=light(colour, 0.45))
        p.oval(x, -12 - r * 0.5, r * 0.86, r * 0.2,
               fill=("v", dark(colour, 0.3), light(colour, 0.1)))


@subject((0, 60, 1.7), (0, -160, 2.1), scenes=("studio", "table"))
def vase(p, main, accent):
    for x, y, colour in ((-150, -170, accent), (120, -190, light(accent, 0.35)),
                         (-15, -235, dark(accent, 0.12)), (215, -90, accent)):
        p.path(f"M0 0 Q{x * 0.3} -80 {x} {y}", line="#3f7d4a", width=11)
        for dx, dy in ((0, -34), (33, -10), (20, 28), (-20, 28), (-33, -10)):
            p.oval(x + dx, y + dy, 31, fill=ball(colour))
        p.oval(x, y, 22, fill="#f8d978")
    p.path("M-20 -10 C-120 -30 -190 -80 -240 -60 C-190 0 -100 10 -20 10 Z", fill=lit("#4f9a58"))
    p.path("M-70 -30 C-60 40 -170 60 -160 150 C-150 225 -90 240 0 240 C90 240 150 225 160 150 "
           "C170 60 60 40 70 -30 Z", fill=tube(main))
    p.oval(0, -30, 71, 18, fill=dark(main, 0.4))
    p.path("M-156 120 C-80 160 80 160 156 120 L158 160 C90 200 -90 200 -158 160 Z",
           fill=clear(light(main, 0.6), 0.6))
