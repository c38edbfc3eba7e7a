"""Cameras, computers and games."""

from kit import INK, STEEL, WHITE, ball, clear, dark, light, lit, side, tube
from subjects import subject


@subject((0, 40, 1.7), (-205, -160, 2.2), scenes=("table", "studio"))
def film_camera(p, main, accent):
    p.path("M-120 -120 L-80 -215 L80 -215 L120 -120 Z", fill=("h", WHITE, STEEL, "#7e8794"))
    p.rect(-265, -190, 110, 80, r=10, fill=("h", WHITE, STEEL, "#7e8794"))
    p.rect(165, -180, 90, 70, r=10, fill=("h", WHITE, STEEL, "#7e8794"))
    p.oval(-100, -165, 16, fill="#cf2f38")
    p.rect(-340, -135, 680, 375, r=44, fill=("h", WHITE, STEEL, "#98a1ad"))
    p.rect(-340, -62, 680, 232, fill=lit(main))
    for x in range(-320, 330, 32):
        p.line([(x, -50), (x, 158)], clear("#000000", 0.14), 6)
    p.rect(-60, -190, 120, 55, r=8, fill=INK)
    p.rect(-46, -180, 92, 36, r=6, fill=("d", "#bfe3ff", "#3d6b95"))
    p.oval(0, 50, 188, fill=("d", WHITE, STEEL, "#646c78"))
    p.oval(0, 50, 164, fill=("d", "#4a4a55", "#131218"))
    p.oval(0, 50, 138, line=accent, width=8)
    p.oval(0, 50, 112, fill=("r", "#7fb6e8", "#27497a", "#0b1020"))
    p.oval(0, 50, 56, fill="#0c0f1c")
    p.oval(-38, 12, 32, 22, fill=clear("#ffffff", 0.75))
    p.oval(42, 92, 14, fill=clear("#c59bff", 0.7))
    p.rect(205, -105, 96, 34, r=8, fill=accent)


@subject((-60, -80, 1.6), (-120, 190, 2.0), scenes=("table", "studio"))
def laptop(p, main, accent):
    p.rect(-275, -250, 550, 375, r=24, fill=lit(main), line=dark(main, 0.35), width=6)
    p.rect(-250, -226, 500, 328, r=8, fill=("v", dark(accent, 0.72), dark(accent, 0.5)))
    p.rect(-250, -226, 110, 328, fill=dark(accent, 0.8))
    for index, (w, tone) in enumerate(((230, "#f4b12f"), (160, accent), (280, "#7fd3b6"),
                                       (120, "#f28fb1"), (210, accent), (250, WHITE))):
        y = -190 + index * 46
        p.rect(-110 + index % 3 * 26, y, w, 20, r=6, fill=light(tone, 0.1))
        p.rect(-230, y, 64, 14, r=6, fill=clear("#ffffff", 0.35))
    p.path("M-275 125 L275 125 L375 215 Q380 238 350 238 L-350 238 Q-380 238 -375 215 Z",
           fill=("v", light(main, 0.35), main))
    p.path("M-250 138 L250 138 L300 190 L-300 190 Z", fill=dark(main, 0.6))
    for row in range(3):
        y = 143 + row * 16
        for column in range(11):
            x = -238 - row * 15 + column * (45 + row * 2.6)
            p.rect(x, y, 34 + row * 2, 11, r=3, fill=light(main, 0.3))
    p.path("M-85 198 L85 198 L95 222 L-95 222 Z", fill=dark(main, 0.15))
    p.rect(-375, 224, 750, 16, r=8, fill=dark(main, 0.4))


@subject((-200, -20, 2.2), (220, 60, 2.2), stands=False, scenes=("boards", "cloth"))
def keyboard(p, main, accent):
    with p.at(0, 0, turn=-7):
        p.rect(-365, -165, 730, 330, r=34, fill=lit(main), line=dark(main, 0.4), width=7)
        rows = ((14, ()), (14, (13,)), (13, (12,)), (12, (0, 11)), (7, (3,)))
        for row, (keys, special) in enumerate(rows):
            wide = 330 if keys == 7 else 0
            unit = (680 - wide) / (keys - (1 if wide else 0))
            x = -340
            for key in range(keys):
                w = wide if wide and key == 3 else unit
                warm = key in special or (row == 0 and key == 0)
                tone = accent if warm else ("#fbf6ea" if 0 < key < keys - 1 else light(main, 0.45))
                y = -140 + row * 57
                p.rect(x + 2, y + 2, w - 4, 53, r=9, fill=dark(tone, 0.4))
                p.rect(x + 7, y + 2, w - 14, 42, r=8, fill=("v", light(tone, 0.3), tone))
                if not wide:
                    p.rect(x + 14, y + 12, 12, 5, r=2, fill=clear(INK, 0.5))
                x += w
    p.path("M-60 -172 C-80 -230 20 -240 0 -310", line=accent, width=15)


@subject((0, -180, 1.9), (-200, 80, 2.0), scenes=("studio", "table"))
def headphones(p, main, accent):
    p.path("M-235 90 C-290 -330 290 -330 235 90", line=dark(main, 0.3), width=64)
    p.path("M-235 90 C-290 -330 290 -330 235 90", line=main, width=48)
    p.path("M-150 -172 C-90 -248 90 -248 150 -172", line=light(accent, 0.1), width=34)
    for side_sign in (-1, 1):
        with p.at(side_sign * 215, 95, mirror=side_sign > 0):
            p.rect(-30, -170, 34, 120, r=14, fill=STEEL)
            p.rect(-8, -130, 108, 270, r=54, fill=lit(dark(accent, 0.25)))
            p.rect(-105, -142, 118, 294, r=59, fill=side(main), line=dark(main, 0.4), width=5)
            p.oval(-55, 5, 34, 74, fill=("v", light(accent, 0.35), accent))
            p.oval(-55, 5, 16, 38, fill=dark(main, 0.2))


@subject((-110, 30, 1.9), (160, 30, 1.9), stands=False, scenes=("cloth", "studio"))
def controller(p, main, accent):
    p.path("M-190 -165 C-80 -205 -70 -145 0 -145 C70 -145 80 -205 190 -165 C300 -130 385 120 340 "
           "200 C300 255 225 190 170 105 C140 70 -140 70 -170 105 C-225 190 -300 255 -340 200 "
           "C-385 120 -300 -130 -190 -165 Z",
           fill=("v", light(main, 0.35), main, dark(main, 0.3)), line=dark(main, 0.45), width=7)
    p.rect(-95, -128, 190, 100, r=20, fill=dark(main, 0.55))
    p.rect(-70, -112, 140, 12, r=6, fill=accent)
    p.path("M-235 -95 L-185 -95 L-185 -58 L-148 -58 L-148 -8 L-185 -8 L-185 29 L-235 29 L-235 -8 "
           "L-272 -8 L-272 -58 L-235 -58 Z", fill=lit("#2c2b34"))
    for x, y, colour in ((210, -90, "#f4b12f"), (267, -33, "#e0403f"), (210, 24, "#43b06c"),
                         (153, -33, "#3f8fe0")):
        p.oval(x, y, 33, fill=ball(colour), line=INK, width=4)
    for x in (-100, 100):
        p.oval(x, 62, 66, fill=dark(main, 0.55))
        p.oval(x, 56, 48, fill=ball("#3a3944"))
        p.oval(x, 54, 30, fill="#25242c")
    p.oval(0, 0, 20, fill=light(accent, 0.2))


@subject((0, -60, 1.5), (-180, -120, 2.0), scenes=("table", "room"))
def monitor(p, main, accent):
    p.path("M-60 130 L60 130 L85 220 L-85 220 Z", fill=("h", WHITE, STEEL, "#6d7683"))
    p.rect(-170, 208, 340, 32, r=14, fill=("h", WHITE, STEEL, "#7e8794"))
    p.rect(-375, -270, 750, 430, r=24, fill=lit(main))
    p.rect(-352, -248, 704, 378, r=8, fill=("d", dark(accent, 0.2), accent, "#ffb86b"))
    with p.inside("M-352 -248 L352 -248 L352 130 L-352 130 Z"):
        p.oval(140, -70, 74, fill="#fff3d0")
        p.poly([(-380, 130), (-150, -100), (20, 40), (160, -60), (400, 130)],
               fill=("v", dark(accent, 0.45), dark(accent, 0.7)))
        p.poly([(-200, -50), (-150, -100), (-95, -55), (-150, -35)], fill="#fdf6ea")
        p.poly([(-352, -248), (-60, -248), (-300, 130), (-352, 130)], fill=clear("#ffffff", 0.12))
    p.oval(320, 145, 6, fill="#7fe3a0")


@subject((-140, -120, 2.0), (120, 60, 1.8), stands=False, scenes=("boards", "cloth"))
def board_game(p, main, accent):
    p.rect(-345, -235, 470, 470, r=14, fill=lit(light(main, 0.1)), line=dark(main, 0.4), width=8)
    for row in range(8):
        for column in range(8):
            tone = "#fbf0d8" if (row + column) % 2 else main
            p.rect(-317 + column * 52, -207 + row * 52, 52, 52, fill=tone)
    for x, y, tone in ((-291, -181, INK), (-135, -129, INK), (-239, -25, accent),
                       (-31, 79, accent), (-187, 131, accent), (21, -77, INK), (73, 131, accent)):
        p.oval(x, y + 22, 30, 12, fill=clear("#000000", 0.35))
        p.path(f"M{x - 28} {y + 24} L{x - 12} {y - 20} L{x + 12} {y - 20} L{x + 28} {y + 24} Z",
               fill=tube(tone))
        p.oval(x, y - 32, 22, fill=ball(tone))
    for x, y, turn, spots in ((240, -140, 14, ((-34, -34), (34, 34), (0, 0), (34, -34), (-34, 34))),
                              (270, 60, -20, ((-30, 30), (30, -30), (0, 0)))):
        with p.at(x, y, turn):
            p.rect(-75, -75, 150, 150, r=26, fill=("d", "#ffffff", "#e4dccb"), line="#b7ab92",
                   width=4)
            for dx, dy in spots:
                p.oval(dx, dy, 16, fill=accent)
    for x, y in ((180, 190), (255, 205), (330, 180)):
        p.oval(x, y, 36, 28, fill=dark("#f4b12f", 0.3))
        p.oval(x, y - 8, 36, 28, fill=ball("#f4b12f"))


@subject((0, -130, 1.9), (0, 120, 1.9), stands=False, scenes=("boards", "studio"))
def phone(p, main, accent):
    with p.at(-150, 8, turn=-12):
        p.rect(-128, -262, 256, 524, r=44, fill=side(main), line=dark(main, 0.4), width=6)
        p.rect(-104, -240, 118, 170, r=36, fill=dark(main, 0.25))
        for y in (-195, -115):
            p.oval(-45, y, 36, fill=INK, line=STEEL, width=6)
            p.oval(-45, y, 16, fill=("r", "#8fc2f0", "#1c2f55"))
        p.oval(18, -155, 0.1, fill=main)
        p.oval(0, 40, 30, fill=clear("#ffffff", 0.4))
    with p.at(150, 8, turn=9):
        p.rect(-132, -262, 264, 524, r=46, fill=side("#3a3944"), line=light(main, 0.1), width=8)
        p.rect(-114, -244, 228, 488, r=32,
               fill=("d", light(accent, 0.35), accent, dark(accent, 0.5)))
        p.rect(-36, -226, 72, 20, r=10, fill=INK)
        p.rect(-70, -150, 140, 56, r=10, fill=clear("#ffffff", 0.85))
        for index in range(8):
            x, y = -84 + index % 4 * 56, 90 + index // 4 * 66
            tone = ("#ee5d4e", "#f4b12f", "#43b06c", "#fbfaf7")[(index + index // 4) % 4]
            p.rect(x - 20, y - 20, 42, 42, r=11, fill=lit(tone))


@subject((-60, -150, 1.8), (40, 60, 1.8), scenes=("park", "room"))
def telescope(p, main, accent):
    for x in (-190, 30, 210):
        p.line([(20, 20), (x, 232)], dark(accent, 0.35), 24)
        p.line([(18, 20), (x - 4, 228)], light(accent, 0.15), 9)
    p.oval(20, 10, 42, fill=ball("#4a4a55"))
    with p.at(0, -70, turn=-26):
        p.rect(-330, -44, 90, 60, r=10, fill=lit("#33323c"))
        p.rect(-352, -60, 40, 90, r=10, fill=lit(INK))
        p.rect(-250, -62, 430, 104, r=12, fill=lit(main))
        p.rect(150, -82, 160, 144, r=14, fill=lit(light(main, 0.12)))
        p.rect(296, -90, 30, 160, r=8, fill=lit(accent))
        p.rect(-60, -66, 26, 112, fill=lit(accent))
        p.rect(-170, -108, 170, 34, r=12, fill=lit(INK))
        p.rect(40, -40, 90, 10, r=5, fill=clear("#ffffff", 0.6))


@subject((0, 30, 1.8), (-130, 110, 2.2), scenes=("table", "studio"))
def radio(p, main, accent):
    p.line([(210, -150), (330, -290)], STEEL, 12)
    p.path("M-190 -130 C-190 -245 190 -245 190 -130", line=dark(main, 0.35), width=30)
    p.rect(-350, -150, 700, 385, r=60, fill=lit(main), line=dark(main, 0.35), width=6)
    p.oval(-165, 45, 150, fill=dark(main, 0.5))
    for r in (134, 104, 74, 44):
        p.oval(-165, 45, r, line=light(accent, 0.2), width=11)
    p.oval(-165, 45, 18, fill=accent)
    p.rect(30, -95, 280, 112, r=16, fill=("v", "#fff5d6", "#f2d58f"))
    for x in range(52, 300, 30):
        p.line([(x, -80), (x, -52)], "#6d5430", 6)
    p.line([(140, -85), (140, 8)], "#cf2f38", 8)
    for x in (90, 250):
        p.oval(x, 120, 66, fill=dark(main, 0.4))
        p.oval(x, 115, 54, fill=ball("#f6ead2"))
        p.line([(x, 115), (x + 18, 78)], dark(main, 0.4), 10)
