"""Draws error against CPU time as an SVG: python3 work_precision_chart.py table.csv > table.svg (work_precision --csv)."""

import csv
import math
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 420, 70, 20, 15, 45
COLOURS = ["#9ecae1", "#4292c6", "#08519c", "#fd8d3c", "#a63603"]


def decades(values: list[float]) -> tuple[int, int]:
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def main() -> None:
    series: dict[str, list[tuple[float, float]]] = {}
    with open(sys.argv[1], encoding="utf-8") as file:
        for row in csv.DictReader(file):
            series.setdefault(row["method"], []).append((float(row["cpu_ms"]), float(row["error_m"])))
    points = [point for line in series.values() for point in line]
    left, right = decades([cpu for cpu, _ in points])
    low, high = decades([error for _, error in points])

    def x(cpu: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(cpu) - left) / (right - left)

    def y(error: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log10(error)) / (high - low)

    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">')
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    for k in range(low, high + 1):
        print(f'<path d="M{LEFT} {y(10.0**k):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        print(f'<text x="{LEFT - 6}" y="{y(10.0**k) + 4:.1f}" text-anchor="end">1e{k}</text>')
    for k in range(left, right + 1):
        print(f'<path d="M{x(10.0**k):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        print(f'<text x="{x(10.0**k):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{10.0**k:g}</text>')
    print(f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">CPU a simulated second, ms</text>')
    print(f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">error of the worst link, m</text>')
    for k, (name, line) in enumerate(series.items()):
        colour = COLOURS[k % len(COLOURS)]
        path = "L".join(f"{x(cpu):.1f} {y(error):.1f}" for cpu, error in line)
        print(f'<path d="M{path}" stroke="{colour}" stroke-width="1.5" fill="none"/>')
        for cpu, error in line:
            print(f'<circle cx="{x(cpu):.1f}" cy="{y(error):.1f}" r="3" fill="{colour}"/>')
        print(f'<text x="{WIDTH - RIGHT - 8}" y="{TOP + 16 + 16 * k}" text-anchor="end" fill="{colour}">{name}</text>')
    print("</svg>")


main()
