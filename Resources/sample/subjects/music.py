"""Instruments and what plays music."""

import math

from kit import INK, STEEL, WHITE, ball, clear, dark, light, lit, side, tube
from subjects import subject


def _strings(p, top, bottom, gap=7):
    for index in range(-2, 3):
        p.line([(index * gap * 0.7, top), (index * gap, bottom)], clear("#fff7e0", 0.85), 2)


def _neck(p, top, bottom, wood):
    p.rect(-25, top, 50, bottom - top, fill=side(wood))
    for fret in range(9):
        y = top + (bottom - top) * fret / 9 + 8
        p.line([(-23, y), (23, y)], STEEL, 3)
    for fret in (2, 4, 6):
        p.oval(0, top + (bottom - top) * (fret + 0.5) / 9 + 8, 6, fill=WHITE)


@subject((-130, 105, 1.9), (255, -185, 2.0), stands=False, scenes=("boards", "cloth"))
def acoustic_guitar(p, main, accent):
    with p.at(-22, 22, turn=56, scale=1.06):
        _neck(p, -320, -40, dark(accent, 0.35))
        p.path("M-34 -320 L-44 -410 Q0 -432 44 -410 L34 -320 Z", fill=lit(dark(accent, 0.3)))
        for y in (-395, -368, -341):
            for x in (-52, 52):
                p.oval(x, y, 11, 9, fill=WHITE)
        body = ("M0 335 C110 335 165 275 155 205 C148 145 100 135 100 85 C100 45 128 25 118 -15 "
                "C108 -58 62 -66 26 -62 L-26 -62 C-62 -66 -108 -58 -118 -15 C-128 25 -100 45 "
                "-100 85 C-100 135 -148 145 -155 205 C-165 275 -110 335 0 335 Z")
        p.path(body, fill=("h", light(main, 0.35), main, dark(main, 0.18)),
               line=dark(accent, 0.45), width=14)
        p.oval(0, 78, 62, fill=INK, line=light(accent, 0.35), width=12)
        p.path("M62 70 C100 100 110 150 62 180 C40 150 44 120 44 122 Z", fill=dark(accent, 0.5))
        p.rect(-25, -66, 50, 80, fill=side(dark(accent, 0.35)))
        p.rect(-72, 222, 144, 26, r=10, fill=dark(accent, 0.5))
        p.rect(-48, 218, 96, 8, r=3, fill=WHITE)
        _strings(p, -320, 226)


@subject((-130, 105, 1.9), (255, -185, 2.0), stands=False, scenes=("cloth", "boards"))
def electric_guitar(p, main, accent):
    with p.at(-22, 20, turn=56, scale=1.08):
        _neck(p, -320, 10, "#d9a566")
        p.path("M-28 -320 L-44 -352 C-70 -430 10 -440 34 -395 L26 -320 Z", fill=lit("#d9a566"))
        for index in range(6):
            p.oval(-52 + index * 3, -348 - index * 12, 8, fill=STEEL)
        body = ("M0 335 C130 335 170 270 150 190 C138 140 110 120 116 75 C120 40 165 10 150 -40 "
                "C138 -78 96 -66 84 -20 C72 18 40 22 0 22 C-40 22 -70 14 -84 -40 C-98 -96 -150 "
                "-92 -156 -40 C-164 20 -118 60 -118 110 C-118 150 -170 190 -160 250 "
                "C-150 310 -90 335 0 335 Z")
        p.path(body, fill=("d", light(main, 0.45), main, dark(main, 0.35)), line=dark(main, 0.5),
               width=8)
        p.path("M-70 40 C-60 30 60 30 70 45 C90 100 100 160 80 260 C60 290 40 240 -40 236 "
               "C-90 220 -84 90 -70 40 Z", fill=accent)
        p.rect(-25, -10, 50, 58, fill=side("#d9a566"))
        for y in (82, 132, 182):
            p.rect(-44, y, 88, 26, r=12, fill=INK)
            for x in range(-30, 31, 12):
                p.oval(x, y + 13, 4, fill=STEEL)
        p.rect(-46, 236, 92, 30, r=6, fill=("v", WHITE, STEEL, "#8b93a0"))
        for x, y in ((86, 232), (98, 272)):
            p.oval(x, y, 15, fill=ball("#e9e4d6"), line=INK, width=3)
        p.line([(-60, 250), (-100, 210)], STEEL, 8)
        _strings(p, -320, 246)


@subject((0, 0, 1.9), (-150, -90, 2.4), scenes=("studio", "room"))
def drum(p, main, accent):
    for x in (-215, 0, 215):
        p.line([(x, 120), (x * 1.18, 240)], "#8b93a0", 18)
    p.path("M-290 -90 L-290 110 C-270 215 270 215 290 110 L290 -90 Z", fill=tube(main))
    for x in (-230, -120, 0, 120, 230):
        drop = 52 * math.sqrt(max(0, 1 - (x / 290) ** 2))
        p.line([(x, -90 + drop), (x, 120 + drop)], STEEL, 9)
        p.rect(x - 15, -5 + drop, 30, 52, r=10, fill=("h", WHITE, STEEL, "#858d99"))
    p.path("M-300 92 C-275 205 275 205 300 92 L300 128 C275 240 -275 240 -300 128 Z",
           fill=tube(STEEL))
    p.oval(0, -95, 300, 92, fill=("h", WHITE, STEEL, "#8b93a0"))
    p.oval(0, -103, 278, 78, fill=("d", "#ffffff", "#f3eee2", "#d8cfbd"))
    for start, end in (((-60, -120), (250, -245)), ((40, -85), (330, -160))):
        p.line([start, end], dark(accent, 0.25), 24)
        p.line([start, end], accent, 15)
        p.oval(*start, 20, 15, fill=light(accent, 0.3))


@subject((-120, -70, 1.9), (165, 130, 2.4), scenes=("studio", "table"))
def turntable(p, main, accent):
    p.path("M-345 -60 L-275 -185 L275 -185 L345 -60 Z", fill=("v", light(main, 0.12), main))
    p.path("M-345 -60 L345 -60 L345 190 L-345 190 Z", fill=lit(main))
    p.rect(-345, 140, 690, 62, r=10, fill=lit(dark(main, 0.4)))
    for x in (-270, 270):
        p.rect(x - 45, 200, 90, 38, r=8, fill=INK)
    p.rect(-345, -185, 690, 340, r=26, fill=("d", light(main, 0.3), main, dark(main, 0.15)))
    p.oval(-80, -18, 205, 158, fill=("d", "#4a4a55", INK, "#08080c"))
    for r in (185, 160, 135, 112):
        p.oval(-80, -18, r, r * 0.77, line=clear("#ffffff", 0.12), width=3)
    p.path("M-80 -18 L-230 -110 L-190 -138 Z", fill=clear("#ffffff", 0.16))
    p.path("M-80 -18 L80 80 L40 106 Z", fill=clear("#ffffff", 0.12))
    p.oval(-80, -18, 78, 60, fill=accent)
    p.oval(-80, -18, 10, 8, fill=WHITE)
    p.oval(245, -110, 50, 40, fill=lit(STEEL))
    p.line([(245, -110), (225, 40), (90, 82)], STEEL, 16)
    p.rect(62, 66, 52, 30, r=6, fill=INK)
    p.rect(225, 90, 90, 22, r=11, fill=dark(main, 0.55))
    p.oval(290, 30, 18, 14, fill=accent)


@subject((0, 90, 1.6), (0, -150, 2.2), scenes=("room", "studio"))
def speaker(p, main, accent):
    for x in (-205, 205):
        p.rect(x - 160, -255, 320, 495, r=24, fill=side(main), line=dark(main, 0.45), width=6)
        p.rect(x - 132, -228, 264, 440, r=18, fill=lit("#2c2a33"))
        p.oval(x, -130, 66, fill=("v", STEEL, "#6c7480"))
        p.oval(x, -130, 50, fill=("r", "#4c4b57", "#15141b"))
        p.oval(x, -130, 20, fill=ball(accent))
        p.oval(x, 78, 118, fill=("v", STEEL, "#6c7480"))
        p.oval(x, 78, 100, fill=("r", "#3c3b46", "#131218"))
        p.oval(x, 78, 76, fill=("r", light(accent, 0.15), dark(accent, 0.25)))
        p.oval(x, 78, 32, fill=ball("#3a3944"))


@subject((-150, 50, 2.0), (230, -60, 2.2), scenes=("studio", "cloth"))
def synthesizer(p, main, accent):
    p.path("M-375 -110 L375 -110 L375 170 L-375 170 Z", fill=lit(main), line=dark(main, 0.4))
    p.rect(-390, -120, 30, 300, r=8, fill=lit("#8a5a34"))
    p.rect(360, -120, 30, 300, r=8, fill=lit("#8a5a34"))
    p.rect(-80, -90, 170, 66, r=8, fill=INK)
    p.line([(-64, -50), (-40, -74), (-10, -44), (20, -72), (74, -50)], accent, 6)
    for index in range(5):
        p.oval(-310 + index * 46, -58, 18, fill=ball("#34333d"), line=STEEL, width=3)
        p.rect(120 + index * 46, -84, 26, 52, r=5, fill=light(accent, 0.1 * index))
    for index in range(14):
        p.rect(-350 + index * 50, 5, 48, 158, r=6, fill=("v", "#fffdf6", "#e3ddd0"), line="#8d8678",
               width=3)
    for index in (0, 1, 3, 4, 5, 7, 8, 10, 11, 12):
        p.rect(-317 + index * 50, 5, 32, 96, r=4, fill=("v", "#3a3944", "#101016"))
    for x in (-300, 300):
        p.line([(x, 178), (x, 236)], INK, 22)
