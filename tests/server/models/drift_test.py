#!/usr/bin/python3
"""The comparisons of generated models and pictures find a planted difference and accept what is alike."""
# Covers: server/models/model_file.py, server/models/gallery/picture_file.py
import pathlib
import sys
import tempfile
import unittest

MODELS = pathlib.Path(__file__).resolve().parents[3] / "server" / "models"
sys.path[:0] = [str(MODELS), str(MODELS / "gallery")]
import model_file  # noqa: E402
import picture_file  # noqa: E402

PICTURE = '<svg><path d="M10.0,20.5 l3.1,-4.0"/><text>1e-4 m</text></svg>\n'


class Models(unittest.TestCase):
    def first_difference(self, found, made):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.json")
            path.write_text(found)
            return model_file.first_difference(path, made)

    def test_equal_texts_have_no_difference(self):
        self.assertIsNone(self.first_difference('{\n  "mass": 1\n}\n', '{\n  "mass": 1\n}\n'))

    def test_the_first_line_that_differs_is_named(self):
        self.assertIn("a.json:2:", self.first_difference('{\n  "mass": 1\n}\n', '{\n  "mass": 2\n}\n'))
        self.assertIn("a.json:3:", self.first_difference('{\n  "mass": 1\n', '{\n  "mass": 1\n}\n'))

    def test_a_missing_file_is_reported(self):
        self.assertIn("does not exist", model_file.first_difference(MODELS / "gone.json", ""))

    def test_lists_that_fit_stay_on_one_line(self):
        text = model_file.broken_text({"axis": [0, 0, 1], "long": ["x" * 60, "y" * 60]})
        self.assertIn('  "axis": [0, 0, 1],\n', text)
        self.assertIn('  "long": [\n    "xxx', text)


class Pictures(unittest.TestCase):
    def test_a_coordinate_that_rounds_the_other_way_is_no_difference(self):
        self.assertIsNone(picture_file.difference(PICTURE, PICTURE.replace("20.5", "20.6")))

    def test_a_moved_line_is_found(self):
        self.assertIn("differs by 2.0", picture_file.difference(PICTURE, PICTURE.replace("20.5", "22.5")))

    def test_a_new_element_is_found(self):
        self.assertIn("elements", picture_file.difference(PICTURE, PICTURE.replace("<text>", "<circle/><text>")))


if __name__ == "__main__":
    unittest.main()
