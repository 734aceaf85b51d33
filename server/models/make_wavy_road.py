#!/usr/bin/python3
"""Writes examples/wavy_road.asc: ten meters of waves of 2 m for the example of a road from a grid file.

    server/models/make_wavy_road.py            writes the file
    server/models/make_wavy_road.py --check    says whether the file is what this script makes

The waves are 30 mm high in the middle of the track, 36 mm at its left and 24 mm at its right edge. The format is that
of ESRI grids: rows from the left edge to the right, columns along the road.
"""
import math

import model_file

BEGIN, RIGHT, SPACING = 2, -1, 0.1  # m: first column, last row, both ways
COLUMNS, ROWS = 101, 21


def height(x, y):
    return 0.030 * (1 + 0.2 * y) * 0.5 * (1 - math.cos(math.pi * (x - BEGIN)))


def text():
    lines = [f"ncols {COLUMNS}", f"nrows {ROWS}", f"xllcenter {BEGIN}", f"yllcenter {RIGHT}", f"cellsize {SPACING}",
             "NODATA_value -9999"]
    for row in reversed(range(ROWS)):
        y = RIGHT + SPACING * row
        lines.append(" ".join(f"{height(BEGIN + SPACING * column, y):.4f}" for column in range(COLUMNS)))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    model_file.write_or_check({"examples/wavy_road.asc": text()})
