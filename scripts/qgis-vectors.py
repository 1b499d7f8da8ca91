"""Writes QGIS' results for the projective transformation into domain/georef/qgis.cases.json, so that the
tests need no QGIS. Needs Debian's python3-qgis: python3 scripts/qgis-vectors.py"""

import json
import pathlib

from qgis.analysis import QgsGcpTransformerInterface
from qgis.core import Qgis, QgsPointXY

STATE = 7


def number():
    """Pseudo-random numbers that are the same each time."""
    global STATE
    STATE = (STATE * 1664525 + 1013904223) % 2**32
    return STATE / 2**32


def sheet(count, noise, east, north):
    """A photographed sheet, 0.25 m per pixel: points off by up to `noise` metres."""
    points = []
    for _ in range(count):
        column, row = round(number() * 8000, 2), round(number() * 6000, 2)
        x, y = column - 4000, row - 3000
        w = 1 + 2.1e-5 * x - 1.3e-5 * y
        points.append(
            (
                column,
                row,
                round(east + (0.249 * x + 0.02 * y) / w + (number() - 0.5) * noise, 3),
                round(north + (0.021 * x - 0.251 * y) / w + (number() - 0.5) * noise, 3),
            )
        )
    return points


def transformed(points, places, inverse):
    method = QgsGcpTransformerInterface.create(QgsGcpTransformerInterface.TransformMethod.Projective)
    # Rows count upwards in QGIS.
    ok = method.updateParametersFromGcps(
        [QgsPointXY(column, -row) for column, row, _, _ in points],
        [QgsPointXY(east, north) for _, _, east, north in points],
        False,
    )
    assert ok
    result = []
    for x, y in places:
        done, u, v = method.transform(x, y if inverse else -y, inverse)
        assert done
        result.append((u, -v if inverse else v))
    return result


cases = []
for name, count, noise, east, north in [
    ("4 points, exact", 4, 0, 412345, 5987654),
    ("5 points", 5, 2, 412345, 5987654),
    ("9 points", 9, 2, 598000, 5712000),
    ("40 points, far off", 40, 20, 4512345, 5587654),
]:
    points = sheet(count, noise, east, north)
    pixels = [(round(number() * 8000, 2), round(number() * 6000, 2)) for _ in range(12)]
    places = [(round(x, 3), round(y, 3)) for x, y in transformed(points, pixels, False)]
    cases.append(
        {
            "name": name,
            "typ": "projektiv",
            "punkte": points,
            "zurKarte": {"von": pixels, "nach": transformed(points, pixels, False)},
            "zumScan": {"von": places, "nach": transformed(points, places, True)},
        }
    )
target = pathlib.Path(__file__).parent / "../domain/georef/qgis.cases.json"
target.write_text(json.dumps({"version": f"QGIS {Qgis.version()}", "cases": cases}) + "\n")
