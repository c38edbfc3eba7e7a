"""Things to go out with."""

from kit import INK, STEEL, WHITE, ball, clear, dark, light, lit, side, tube
from subjects import subject


def _wheel(p, x, y, r, rim, tyre=22):
    p.oval(x, y, r, line=INK, width=tyre)
    p.oval(x, y, r - tyre * 0.7, line=rim, width=8)
    for turn in range(0, 180, 20):
        with p.at(x, y, turn):
            p.line([(0, -r + tyre), (0, r - tyre)], clear("#eef1f5", 0.7), 2)
    p.oval(x, y, 17, fill=STEEL)


@subject((20, 70, 1.9), (150, -110, 2.2), scenes=("park", "room"))
def bicycle(p, main, accent):
    for x in (-220, 220):
        _wheel(p, x, 92, 138, STEEL)
    rear, crank, seat, head, fork = (-220, 92), (-20, 105), (-88, -105), (136, -118), (158, -52)
    p.line([rear, seat], dark(main, 0.2), 17)
    p.line([rear, crank], dark(main, 0.2), 17)
    p.line([fork, (220, 92)], dark(main, 0.1), 20)
    for a, b in ((seat, crank), (crank, fork), (seat, head), (head, fork)):
        p.line([a, b], main, 27)
        p.line([(a[0] - 4, a[1] - 5), (b[0] - 4, b[1] - 5)], light(main, 0.45), 6)
    p.line([seat, (-104, -165)], STEEL, 15)
    p.path("M-185 -182 C-150 -198 -80 -188 -20 -176 C-50 -155 -130 -152 -185 -160 Z", fill=accent,
           line=dark(accent, 0.4), width=8)
    p.line([head, (128, -165), (185, -172)], STEEL, 15)
    p.path("M180 -172 C265 -178 270 -80 200 -92", line=dark(accent, 0.2), width=22)
    p.oval(*crank, 44, line=INK, width=13)
    p.line([(-20, 105), (30, 178)], STEEL, 14)
    p.rect(2, 174, 62, 18, r=6, fill=INK)
    p.line([(-220, 72), (-20, 62)], "#2c2b34", 6)
    p.line([(-220, 112), (-20, 148)], "#2c2b34", 6)


@subject((0, 90, 1.7), (-150, -60, 1.9), scenes=("park",))
def tent(p, main, accent):
    p.path("M40 -235 L375 200 L215 235 Z", fill=("d", dark(main, 0.2), dark(main, 0.5)))
    p.path("M40 -235 L-375 225 L215 240 Z", fill=("d", light(main, 0.35), main, dark(main, 0.12)))
    p.path("M40 -235 L-120 232 L125 238 Z", fill=dark(main, 0.72))
    p.path("M40 -235 L-120 232 L-175 230 C-110 120 -20 -60 40 -235 Z", fill=lit(accent))
    p.path("M40 -235 L125 238 L165 239 C130 120 80 -60 40 -235 Z", fill=side(accent))
    p.path("M-80 215 Q0 175 92 222 L92 238 L-80 234 Z", fill="#f4b12f")
    p.oval(-20, 165, 24, fill=("r", "#fffbe0", "#ffd76a"))
    p.line([(40, -235), (-375, 225)], light(main, 0.5), 7)
    for x0, y0, x1, y1 in ((-230, 60, -395, 160), (290, 90, 395, 215)):
        p.line([(x0, y0), (x1, y1)], clear("#ffffff", 0.85), 5)
    p.line([(40, -235), (40, -270)], accent, 10)


@subject((-230, 60, 2.0), (220, 60, 2.0), stands=False, scenes=("boards", "cloth"))
def skateboard(p, main, accent):
    with p.at(0, 0, turn=-24):
        for x in (-225, 225):
            p.rect(x - 22, -140, 44, 280, r=12, fill=("v", STEEL, "#6d7683", STEEL))
            for y in (-150, 105):
                p.rect(x - 42, y, 84, 46, r=18, fill=tube(WHITE))
        p.rect(-375, -112, 750, 224, r=112, fill=("v", light(main, 0.25), main, dark(main, 0.25)),
               line=dark(main, 0.5), width=10)
        p.path("M-290 96 L-60 -100 L40 -100 L-190 96 Z", fill=accent)
        p.path("M-130 96 L100 -100 L150 -100 L-80 96 Z", fill=light(accent, 0.45))
        p.oval(185, 0, 62, fill="#fbf0d8")
        p.path("M185 -42 L197 -12 L228 -12 L203 8 L213 38 L185 20 L157 38 L167 8 L142 -12 "
               "L173 -12 Z", fill=main)
        for x in (-300, -262, 262, 300):
            for y in (-28, 28):
                p.oval(x, y, 8, fill=STEEL)


@subject((0, 60, 1.8), (0, -170, 2.0), scenes=("park", "room"))
def backpack(p, main, accent):
    p.path("M-70 -230 C-70 -300 70 -300 70 -230", line=dark(main, 0.4), width=24)
    for x in (-1, 1):
        with p.at(mirror=x > 0):
            p.path("M-180 60 C-270 60 -275 215 -185 215 Z", fill=side(dark(main, 0.15)))
    p.path("M-205 230 C-235 60 -220 -245 -90 -250 L90 -250 C220 -245 235 60 205 230 "
           "Q200 242 180 242 L-180 242 Q-200 242 -205 230 Z",
           fill=("h", dark(main, 0.12), light(main, 0.25), main, dark(main, 0.35)))
    p.path("M-190 -80 C-100 -40 100 -40 190 -80 L180 -190 C150 -265 -150 -265 -180 -190 Z",
           fill=("v", light(main, 0.3), main))
    p.path("M-190 -80 C-100 -40 100 -40 190 -80", line=dark(main, 0.45), width=8)
    p.rect(-150, 30, 300, 180, r=34, fill=lit(accent), line=dark(accent, 0.35), width=6)
    p.line([(-115, 78), (115, 78)], dark(accent, 0.5), 10)
    p.line([(95, 78), (95, 112)], STEEL, 10)
    for x in (-105, 105):
        p.rect(x - 17, -210, 34, 205, r=8, fill=lit(dark(accent, 0.3)))
        p.rect(x - 25, -38, 50, 42, r=8, fill=STEEL)
        p.rect(x - 12, -28, 24, 20, r=4, fill=dark(accent, 0.4))
    p.oval(0, -150, 42, fill=accent)
    p.path("M-30 -136 L-8 -172 L6 -152 L14 -162 L32 -136 Z", fill=WHITE)


@subject((0, -60, 1.7), (-140, 170, 2.0), scenes=("park", "room"))
def stroller(p, main, accent):
    p.line([(-150, 150), (120, -10)], "#59606c", 17)
    p.line([(190, 160), (-120, -10)], "#59606c", 17)
    p.path("M150 40 L290 -150 L345 -140", line="#59606c", width=20)
    p.path("M290 -150 L350 -138", line=accent, width=30)
    p.path("M-265 -40 C-265 130 -150 130 -40 130 C90 130 175 110 190 -40 Z",
           fill=("h", light(main, 0.3), main, dark(main, 0.25)))
    p.path("M-40 -40 L-262 -118 C-230 -290 30 -330 95 -40 Z", fill=lit(accent))
    p.path("M-40 -40 L-175 -216 M-40 -40 L-40 -256 M-40 -40 L62 -170", line=dark(accent, 0.35),
           width=7)
    p.rect(-280, -58, 482, 34, r=16, fill=lit(dark(main, 0.15)))
    p.oval(-110, 40, 32, fill=clear("#ffffff", 0.5))
    p.oval(10, 60, 24, fill=clear("#ffffff", 0.5))
    for x, r in ((-160, 72), (195, 72)):
        _wheel(p, x, 160, r, light(accent, 0.3), 24)


@subject((0, 30, 1.8), (150, -100, 2.0), scenes=("park", "studio"))
def basketball(p, main, accent):
    p.oval(0, 0, 240, fill=ball(main))
    p.path("M-240 0 C-120 -70 120 -70 240 0 M0 -240 C-30 -120 -30 120 0 240", line=INK, width=13)
    p.path("M-165 -175 C-40 -90 -40 100 -165 175 M165 -175 C70 -90 70 100 165 175", line=INK,
           width=13)
    p.oval(-95, -120, 60, 36, fill=clear("#ffffff", 0.3))


@subject((0, -30, 1.7), (110, 150, 2.0), scenes=("room", "studio"))
def suitcase(p, main, accent):
    for x in (-70, 70):
        p.line([(x, -170), (x, -285)], STEEL, 15)
    p.rect(-95, -298, 190, 34, r=16, fill=lit(INK))
    for x in (-165, 165):
        p.oval(x, 218, 28, fill=INK)
        p.oval(x, 218, 11, fill=STEEL)
    p.rect(-235, -200, 470, 405, r=56, fill=("h", light(main, 0.3), main, dark(main, 0.3)),
           line=dark(main, 0.45), width=7)
    for x in (-150, -75, 0, 75, 150):
        p.line([(x, -165), (x, 172)], dark(main, 0.3), 13)
        p.line([(x - 9, -165), (x - 9, 172)], light(main, 0.35), 5)
    p.rect(-245, -16, 490, 36, fill=lit(accent))
    p.rect(-38, -32, 76, 66, r=12, fill=STEEL)
    with p.at(120, -95, turn=14):
        p.rect(-62, -42, 124, 84, r=12, fill=WHITE)
        p.oval(0, 0, 28, fill=accent)
    with p.at(-115, 105, turn=-10):
        p.path("M0 -52 L16 -16 L54 -16 L24 8 L34 46 L0 24 L-34 46 L-24 8 L-54 -16 L-16 -16 Z",
               fill="#f8d978")


@subject((150, 150, 2.0), (-190, -200, 2.1), scenes=("park", "room"))
def kick_scooter(p, main, accent):
    p.line([(-215, 175), (-150, -215)], main, 30)
    p.line([(-222, 175), (-158, -215)], light(main, 0.5), 7)
    p.line([(-270, -235), (-40, -205)], STEEL, 18)
    for a, b in (((-275, -236), (-215, -228)), ((-95, -212), (-35, -204))):
        p.line([a, b], accent, 38)
    p.path("M-205 130 C-180 180 -120 172 -60 172 L215 172", line=dark(main, 0.2), width=40)
    p.path("M-110 160 L200 160", line=INK, width=13)
    p.path("M205 165 C240 110 300 110 330 150", line=accent, width=20)
    for x in (-225, 262):
        p.oval(x, 182, 58, fill=INK)
        p.oval(x, 182, 34, fill=ball(accent))
        p.oval(x, 182, 11, fill=WHITE)
    p.rect(-206, -70, 56, 100, r=12, fill=lit(accent))


@subject((-220, 0, 2.0), (0, 0, 2.1), stands=False, scenes=("cloth", "boards"))
def dumbbells(p, main, accent):
    for y, turn in ((-105, -9), (110, -9)):
        with p.at(0, y, turn):
            p.rect(-150, -24, 300, 48, r=16, fill=("v", WHITE, STEEL, "#68717e"))
            for x in range(-110, 111, 20):
                p.line([(x, -18), (x, 18)], clear("#4a525e", 0.6), 4)
            for x in (-1, 1):
                with p.at(mirror=x > 0):
                    p.rect(-190, -98, 66, 196, r=20, fill=lit(main))
                    p.rect(-255, -84, 66, 168, r=20, fill=lit(accent))
                    p.rect(-300, -60, 46, 120, r=16, fill=lit(main))


@subject((0, -60, 1.7), (-130, -40, 1.9), scenes=("park", "studio"))
def umbrella(p, main, accent):
    p.path("M8 -200 L8 170 C8 265 -100 265 -100 180", line=dark(accent, 0.35), width=24)
    p.path("M-355 55 C-330 -160 -150 -235 8 -235 C166 -235 346 -160 371 55 C320 5 260 5 215 55 "
           "C170 5 90 5 60 55 C40 5 -30 5 -50 55 C-90 5 -160 5 -200 55 C-245 5 -310 5 -355 55 Z",
           fill=("h", light(main, 0.25), main, dark(main, 0.35)))
    for x0, x1 in ((-200, -130), (215, 140)):
        inner = -50 if x0 < 0 else 60
        p.path(f"M8 -235 C{x1} -190 {x0} -90 {x0} 55 C{x0 * 0.6} 0 {x0 * 0.3} 0 {inner} 55 "
               f"C{x0 * 0.15} -80 8 -150 8 -235 Z", fill=clear(accent, 0.85))
    p.line([(8, -235), (8, -280)], dark(accent, 0.35), 16)


@subject((0, 30, 1.8), (-120, -150, 2.0), scenes=("park", "table"))
def lantern(p, main, accent):
    p.path("M-130 -120 C-170 -330 170 -330 130 -120", line=STEEL, width=13)
    p.path("M-80 -150 L-50 -225 L50 -225 L80 -150 Z", fill=tube(main))
    p.rect(-150, -160, 300, 42, r=14, fill=tube(main))
    p.path("M-125 -118 C-165 -20 -165 60 -125 140 L125 140 C165 60 165 -20 125 -118 Z",
           fill=("r", "#fff9dd", "#ffd878", "#e59b3c"))
    p.path("M0 -50 C50 20 50 90 0 110 C-50 90 -50 20 0 -50 Z", fill=("v", "#ff9a3c", "#fff6c8"))
    for x in (-1, 1):
        p.path(f"M{x * 125} -118 C{x * 172} -20 {x * 172} 60 {x * 125} 140", line=dark(main, 0.2),
               width=13)
    p.line([(-150, 12), (150, 12)], clear(dark(main, 0.3), 0.8), 8)
    p.rect(-160, 136, 320, 104, r=22, fill=tube(main))
    p.oval(0, 190, 28, fill=ball(accent))
