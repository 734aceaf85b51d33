#!/usr/bin/python3
"""Plants one wrong statement at a time in a page; each must be found, and what is right must not."""
import tempfile
import unittest
from pathlib import Path

import page_rules
from source_tree import SourceTree

HELP = {("serve",): "--period --listen", ("model",): "", ("model", "check"): "--json", ("watch",): None}
SOUND = """# A page
`rt/loop/tick_loop.h`, `rt/loop/`, `loop/tick_loop.h` and `tick_loop.h` exist; `tests/*.cpp` is a pattern,
`NAME_test.cpp` a form, and `run out.csv a.h` a command.
[a link](rt/loop/tick_loop.h#tick) and [another](https://example.org/x).
`tactus serve --period 1ms`, `tactus model check FILE --json`, `tactus --version`.

```sh
tactus serve my.json --listen unix:/tmp/a   # --wrong is a comment
tactus model check my.json | sort --reverse
scripts/ready.py --fast
python3 scripts/module.py --fast
```
"""
PLANTED = {
    "a file that is gone": ("`rt/loop/gone.h`", "names rt/loop/gone.h"),
    "a folder that is gone": ("`server/offline/`", "names server/offline"),
    "a source that is gone": ("`gone.cpp`", "names gone.cpp"),
    "a source in a folder that is gone": ("`lop/tick_loop.h`", "names lop/tick_loop.h"),
    "a link to nothing": ("[x](rt/gone.md)", "links to rt/gone.md"),
    "a picture that is gone": ('<img src="gone.svg">', "links to gone.svg"),
    "an option that is gone": ("`tactus serve --speed 2`", "tactus serve --speed"),
    "an option of another command": ("`tactus model check --period 1ms`", "tactus model check --period"),
    "a command that is gone": ("`tactus watch`", "names tactus watch"),
    "a script that cannot be run": ("`scripts/module.py --fast`", "runs scripts/module.py"),
    "an option in a block": ("```sh\ntactus serve --speed 2\n```", "tactus serve --speed"),
}


def findings_with(page):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "rt/loop").mkdir(parents=True)
        (root / "rt/loop/tick_loop.h").write_text("")
        (root / "scripts").mkdir()
        (root / "scripts/module.py").write_text("")
        (root / "scripts/ready.py").write_text("#!/usr/bin/python3\n")
        (root / "scripts/ready.py").chmod(0o755)
        (root / "README.md").write_text(page)
        tree = SourceTree(root)
        known = lambda words: HELP.get(tuple(words))
        findings = page_rules.check_paths(tree) + page_rules.check_scripts(tree) + page_rules.check_commands(tree, known)
        return [str(finding) for finding in findings]


class Pages(unittest.TestCase):
    def test_a_sound_page_has_no_finding(self):
        self.assertEqual(findings_with(SOUND), [])

    def test_each_planted_statement_is_found(self):
        for name, (text, wanted) in PLANTED.items():
            with self.subTest(name):
                found = findings_with(f"{SOUND}\n{text}\n")
                self.assertEqual(len(found), 1, found)
                self.assertIn(wanted, found[0])


if __name__ == "__main__":
    unittest.main()
