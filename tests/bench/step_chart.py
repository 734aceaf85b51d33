"""Draws the steps of a run as an SVG: python3 step_chart.py steps.csv > steps.svg, with the columns t and step, s."""

import csv
import math
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 260, 60, 10, 10, 40


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [(float(row["t"]), float(row["step"])) for row in csv.DictReader(file)]
    end = rows[-1][0]
    low = math.floor(math.log10(min(step for _, step in rows)))
    high = math.ceil(math.log10(max(step for _, step in rows)))

    def x(t: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * t / end

    def y(exponent: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - exponent) / (high - low)

    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">')
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    for exponent in range(low, high + 1):
        print(f'<path d="M{LEFT} {y(exponent):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        print(f'<text x="{LEFT - 6}" y="{y(exponent) + 4:.1f}" text-anchor="end">1e{exponent}</text>')
    for k in range(math.floor(end) + 1):
        print(f'<text x="{x(k):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{k}</text>')
    print(f'<text x="{WIDTH / 2}" y="{HEIGHT - 6}" text-anchor="middle">time, s</text>')
    print(f'<text transform="translate(14 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">step, s</text>')
    # A step is a level line over the time that it takes.
    path = "".join(f"M{x(t - step):.1f} {y(math.log10(step)):.1f}H{x(t):.1f}" for t, step in rows)
    print(f'<path d="{path}" stroke="#1f5fa8" stroke-width="1.5" fill="none"/>')
    print("</svg>")


main()
