#!/usr/bin/env python3
"""Draws tiles.png and agents.png, the art of the example `chase`. Needs Pillow: pip install pillow.

tiles.png is a grid of 8 columns of 32 x 32 pixels:
  0-15   floor: variant + 4 * shadow, where shadow 1 falls from a wall above, 2 from the left
  16-31  wall: 16 + open sides (1 above, 2 right, 4 below, 8 left)
  32-35  door: closed and open between walls left and right, closed and open between walls above and below
  36-40  void, trees, water, swamp, ground
agents.png has 4 sprites of 64 x 64: cop, robber, captured robber, ring of the player.
"""

import random

from PIL import Image, ImageDraw, ImageFilter

T, S = 32, 4  # tile size, supersampling
FLOOR = [(214, 203, 180), (209, 198, 174), (218, 207, 186), (205, 195, 172)]
SEAM = (188, 176, 150)
ROOF, ROOF_DARK, RIM = (47, 59, 82), (41, 52, 73), (92, 110, 142)
BRICK, MORTAR = (112, 92, 96), (84, 70, 78)
WOOD, WOOD_DARK, IRON = (201, 121, 43), (150, 84, 26), (60, 48, 44)


def canvas(color):
    image = Image.new("RGBA", (T * S, T * S), color + (255,))
    return image, ImageDraw.Draw(image)


def small(image, size=T):
    return image.resize((size, size), Image.LANCZOS)


def box(draw, x0, y0, x1, y1, fill):
    if x1 * S - 1 < x0 * S:
        return
    draw.rectangle([x0 * S, y0 * S, x1 * S - 1, y1 * S - 1], fill=fill)


def speckle(draw, rng, colors, count, size=T):
    for _ in range(count):
        x, y, r = rng.uniform(0, size), rng.uniform(0, size), rng.uniform(0.3, 0.9)
        draw.ellipse([(x - r) * S, (y - r) * S, (x + r) * S, (y + r) * S], fill=rng.choice(colors))


def floor(variant, shadow):
    rng = random.Random(variant)
    image, draw = canvas(FLOOR[variant])
    tone = tuple(c - 8 for c in FLOOR[variant])
    # Slabs: each variant is cut in another way.
    cuts = [[(0, 0, 32, 32)], [(0, 0, 16, 32), (16, 0, 32, 32)], [(0, 0, 32, 16), (0, 16, 32, 32)],
            [(0, 0, 16, 16), (16, 0, 32, 16), (0, 16, 32, 32)]][variant]
    for index, (x0, y0, x1, y1) in enumerate(cuts):
        box(draw, x0, y0, x1, y1, FLOOR[(variant + index) % 4])
    speckle(draw, rng, [tone, tuple(c + 7 for c in FLOOR[variant])], 26)
    for x0, y0, x1, y1 in cuts:
        box(draw, x0, y1 - 0.7, x1, y1, SEAM)
        box(draw, x1 - 0.7, y0, x1, y1, SEAM)
    shade = Image.new("RGBA", image.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(shade)
    for i in range(12 * S):
        alpha = int(95 * (1 - i / (12 * S)) ** 1.5)
        if shadow & 1:
            pen.line([(0, i), (T * S, i)], fill=(20, 18, 40, alpha))
        if shadow & 2:
            for y in range(0, T * S):
                old = shade.getpixel((i, y))[3]
                shade.putpixel((i, y), (20, 18, 40, max(old, int(alpha * 0.8))))
    return small(Image.alpha_composite(image, shade))


def wall(mask):
    rng = random.Random(100 + mask)
    image, draw = canvas(ROOF)
    for _ in range(5):
        x, y = rng.uniform(0, 28), rng.uniform(0, 28)
        box(draw, x, y, x + rng.uniform(3, 9), y + rng.uniform(1, 2), ROOF_DARK)
    face = 13
    bottom = T - face if mask & 4 else T
    if mask & 4:
        box(draw, 0, bottom, T, T, MORTAR)
        for row in range(3):
            y = bottom + 1 + row * 4.2
            shift = 4 if row % 2 else 0
            for col in range(-1, 5):
                x = col * 8 + shift
                tone = rng.randint(-8, 8)
                color = tuple(max(0, min(255, c + tone)) for c in BRICK)
                box(draw, max(0, x + 0.5), y, max(0, min(T, x + 7.5)), y + 3.4, color)
        box(draw, 0, bottom - 1.6, T, bottom, RIM)
    if mask & 1:
        box(draw, 0, 0, T, 1.6, RIM)
    if mask & 2:
        box(draw, T - 1.6, 0, T, bottom, RIM)
    if mask & 8:
        box(draw, 0, 0, 1.6, bottom, RIM)
    return small(image)


def door(vertical, is_open):
    image = floor(0, 0).resize((T * S, T * S), Image.NEAREST)
    draw = ImageDraw.Draw(image)
    if vertical:  # walls above and below: the leaf runs from top to bottom
        if is_open:
            box(draw, 2, 0, 30, 4, WOOD_DARK)
            box(draw, 3, 0.8, 29, 3.2, WOOD)
        else:
            box(draw, 10, 0, 22, 32, WOOD_DARK)
            box(draw, 11.5, 0, 20.5, 32, WOOD)
            for y in (6, 16, 26):
                box(draw, 10, y - 1.2, 22, y + 1.2, IRON)
    else:
        if is_open:
            box(draw, 0, 2, 4, 30, WOOD_DARK)
            box(draw, 0.8, 3, 3.2, 29, WOOD)
            box(draw, 28, 2, 32, 30, WOOD_DARK)
            box(draw, 28.8, 3, 31.2, 29, WOOD)
        else:
            box(draw, 0, 7, 32, 27, WOOD_DARK)
            box(draw, 0, 8.5, 32, 24, WOOD)
            for x in (8, 16, 24):
                box(draw, x - 0.4, 8.5, x + 0.4, 24, WOOD_DARK)
            for x in (4, 28):
                box(draw, x - 1.2, 7, x + 1.2, 27, IRON)
            box(draw, 19, 15, 21, 17.5, (240, 200, 90))
    return small(image)


def ground(base, colors, count, seed):
    image, draw = canvas(base)
    speckle(draw, random.Random(seed), colors, count)
    return small(image)


def trees():
    image, draw = canvas((52, 78, 58))
    rng = random.Random(5)
    for x, y, r in [(9, 10, 9), (24, 9, 8), (10, 25, 8), (24, 24, 10)]:
        for k, tone in enumerate([(34, 62, 44), (62, 104, 70), (82, 128, 84)]):
            q = r * (1 - 0.25 * k)
            draw.ellipse([(x - q - k) * S, (y - q - k) * S, (x + q - k) * S, (y + q - k) * S], fill=tone)
    speckle(draw, rng, [(98, 144, 94)], 14)
    return small(image)


def water():
    image, draw = canvas((58, 110, 148))
    rng = random.Random(6)
    for _ in range(9):
        x, y, w = rng.uniform(-4, 28), rng.uniform(1, 31), rng.uniform(5, 12)
        draw.arc([x * S, (y - 2) * S, (x + w) * S, (y + 2) * S], 200, 340, fill=(112, 164, 196), width=S)
    return small(image)


def tiles():
    cells = [floor(i % 4, i // 4) for i in range(16)] + [wall(mask) for mask in range(16)]
    cells += [door(False, False), door(False, True), door(True, False), door(True, True)]
    cells += [
        ground((24, 28, 40), [(28, 33, 47), (21, 24, 35)], 20, 1),
        trees(),
        water(),
        ground((142, 146, 104), [(120, 128, 88), (96, 120, 96), (160, 160, 116)], 60, 2),
        ground((176, 170, 124), [(164, 158, 112), (188, 182, 136), (142, 152, 98)], 46, 3),
    ]
    sheet = Image.new("RGBA", (8 * T, 6 * T), (0, 0, 0, 0))
    for index, cell in enumerate(cells):
        sheet.paste(cell, (index % 8 * T, index // 8 * T))
    return sheet


def figure(coat, coat_dark, head):
    """A figure seen from above at an angle: shadow, body, head."""
    size, k = 64, 8
    image = Image.new("RGBA", (size * k, size * k), (0, 0, 0, 0))
    shade = Image.new("RGBA", image.size, (0, 0, 0, 0))
    ImageDraw.Draw(shade).ellipse([10 * k, 44 * k, 54 * k, 62 * k], fill=(20, 18, 40, 130))
    image = Image.alpha_composite(image, shade.filter(ImageFilter.GaussianBlur(2 * k)))
    draw = ImageDraw.Draw(image)
    e = lambda x0, y0, x1, y1, fill: draw.ellipse([x0 * k, y0 * k, x1 * k, y1 * k], fill=fill)
    r = lambda x0, y0, x1, y1, rad, fill: draw.rounded_rectangle([x0 * k, y0 * k, x1 * k, y1 * k], rad * k, fill=fill)
    outline = (24, 24, 36)
    r(11, 27, 53, 58, 14, outline)
    r(13, 29, 51, 56, 12, coat)
    r(13, 44, 51, 56, 11, coat_dark)
    e(15, 7, 49, 41, outline)
    e(17, 9, 47, 39, head)
    return image, draw, e, r, k


def cop():
    image, draw, e, r, k = figure((0, 114, 178), (0, 88, 142), (242, 206, 170))
    navy, gold = (16, 42, 84), (246, 206, 70)
    draw.pieslice([15 * k, 4 * k, 49 * k, 36 * k], 180, 360, fill=navy)
    r(11, 18, 53, 24, 3, navy)
    r(17, 22, 47, 25, 1.5, (60, 92, 150))
    e(28, 8, 36, 16, gold)
    for x in (24, 36):
        e(x, 27, x + 5, 32, (24, 24, 36))
    e(35, 43, 43, 51, gold)
    return image


def robber(caught=False):
    image, draw, e, r, k = figure((230, 159, 0), (186, 122, 0), (242, 206, 170))
    black = (30, 28, 34)
    for y in (33, 41, 49):
        r(14, y, 50, y + 3.4, 1.2, (252, 236, 200))
    e(17, 9, 47, 39, (242, 206, 170))
    draw.pieslice([16 * k, 6 * k, 48 * k, 36 * k], 180, 360, fill=black)
    r(15, 18, 49, 23, 2.5, black)
    r(17, 24, 47, 33, 4, black)
    for x in (23, 35):
        e(x, 25.5, x + 6.5, 32, (255, 255, 255))
        e(x + 2.2, 27.3, x + 4.8, 30, black)
    if caught:
        for x in (12, 22, 32, 42, 52):
            r(x - 1.6, 2, x + 1.6, 62, 1.5, (70, 74, 88))
        for y in (3, 58):
            r(6, y, 58, y + 3.5, 1.5, (70, 74, 88))
    return image


def ring():
    k = 8
    image = Image.new("RGBA", (64 * k, 64 * k), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.ellipse([3 * k, 3 * k, 61 * k, 61 * k], outline=(255, 255, 255, 235), width=4 * k)
    return image


def agents():
    sheet = Image.new("RGBA", (4 * 64, 64), (0, 0, 0, 0))
    for index, image in enumerate([cop(), robber(), robber(caught=True), ring()]):
        sheet.paste(small(image, 64), (index * 64, 0))
    return sheet


if __name__ == "__main__":
    tiles().save("tiles.png", optimize=True)
    agents().save("agents.png", optimize=True)
