"""The files of a checkout, as the rules of the house see them."""

import subprocess
from pathlib import Path
from typing import NamedTuple

BUILD_PRODUCTS = {"build", "node_modules", "__pycache__"}


class Finding(NamedTuple):
    """A rule that is broken, and where. Line 0 stands for the file as a whole."""

    path: str
    line: int
    rule: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}" if self.line else f"{self.path}: {self.rule}"


class SourceTree:
    """Every file that git tracks or would track; without git, every file that is not a product of a build."""

    def __init__(self, root):
        self.root = Path(root).resolve()
        self.paths = sorted(self._from_git() or self._from_disk())
        self._texts = {}

    def _from_git(self):
        command = ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        try:
            # Inside another repository, git would speak of that one.
            if not (self.root / ".git").exists():
                return None
            listed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
        except (OSError, subprocess.CalledProcessError):
            return None
        return [path for path in listed.split("\0") if path and (self.root / path).is_file()]

    def _from_disk(self):
        found = []
        for path in self.root.rglob("*"):
            parts = path.relative_to(self.root).parts
            if path.is_file() and parts[0] != ".git" and not BUILD_PRODUCTS.intersection(parts):
                found.append("/".join(parts))
        return found

    def text(self, path):
        """Contents of a file; undecodable bytes are replaced, so that any file can be searched."""
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def lines(self, path):
        """Pairs of line number, from 1, and line."""
        return enumerate(self.text(path).splitlines(), start=1)

    def under(self, folders, suffixes):
        """Paths below any of the top-level folders that end in any of the suffixes."""
        return [path for path in self.paths if path.split("/")[0] in folders and path.endswith(tuple(suffixes))]
