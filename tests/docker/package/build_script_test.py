"""docker/package/build.sh, with programs in place of cmake, cpack and npm: what it builds, and which engine is in its wheel."""
# Covers: docker/package/build.sh, docker/package/gather_view.sh

import os
import pathlib
import shutil
import subprocess
import sysconfig
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
NATIVE = "python/tactus/_native" + sysconfig.get_config_var("EXT_SUFFIX")
# What they are called with goes into the file "called"; cpack notes which files of the live view it finds.
NOTE = '#!/bin/sh\necho "$(basename "$0") $*" >> "$CHECKOUT/called"\n'
LIST_VIEW = """
if cd "$CHECKOUT/build/release/docker/package/web" 2>/dev/null; then
  find . -type f | sort | sed "s/^/view: /" >> "$CHECKOUT/called"
fi
"""


@pytest.fixture
def checkout(tmp_path):
    """A checkout with what build.sh and the package of Python need, and a view that was built before."""
    shutil.copytree(ROOT / "docker/package", tmp_path / "docker/package")
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    shutil.copytree(ROOT / "clients/python", tmp_path / "clients/python",
                    ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "doc", "notebooks"))
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    for name in ("docker/install_packages.sh", "docker/configure.sh", "docker/package/write_manual.py", "clients/web/build.sh",
                 "bin/cmake", "bin/cpack"):
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(NOTE + (LIST_VIEW if name == "bin/cpack" else ""))
        program.chmod(0o755)
    for name in ("bridge.cjs", "draw.cjs", "page/index.html", "page/page.js", "page/page.css", "page/still.js",
                 "proto/tactus/v1/simulation.proto"):
        file = tmp_path / "build/release/web" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path


def build(checkout, *options):
    """Runs build.sh; returns the result, and the lines of the programs that it called."""
    (checkout / "called").unlink(missing_ok=True)
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "TACTUS_BUILD_DIR")}
    environment |= {"PATH": f"{checkout}/bin:{os.environ['PATH']}", "CHECKOUT": str(checkout)}
    done = subprocess.run([checkout / "docker/package/build.sh", *options], env=environment, capture_output=True, text=True, check=False)
    return done, (checkout / "called").read_text().splitlines()


def make_native(checkout, tree):
    module = checkout / "build" / tree / NATIVE
    module.parent.mkdir(parents=True)
    module.write_text(tree)


def test_the_wheel_has_the_engine_of_this_build_or_is_not_made(checkout):
    make_native(checkout, "another")
    refused, called = build(checkout)
    assert [line for line in called if line.startswith("cmake --build")][0].split()[-1] == "tactus_native"
    assert refused.returncode != 0 and "tactus._native is not built" in refused.stdout + refused.stderr
    assert list(checkout.glob("build/package/*.whl")) == []
    make_native(checkout, "release")
    os.utime(checkout / "build/release" / NATIVE, (1e9, 1e9))  # older than the other one
    made, _ = build(checkout)
    assert made.returncode == 0, made.stderr
    [wheel] = checkout.glob("build/package/*.whl")
    with zipfile.ZipFile(wheel) as files:
        assert files.read(f"tactus/{pathlib.Path(NATIVE).name}") == b"release"


def test_the_package_has_the_view_only_if_it_is_asked_for(checkout):
    _, called = build(checkout, "--view")  # ends at the wheel: there is no engine
    assert any(line.startswith("build.sh ") and line.endswith("/build/release/web") for line in called)
    assert [line for line in called if line.startswith("view: ")] == [
        "view: ./bridge.cjs", "view: ./page/index.html", "view: ./page/page.css", "view: ./page/page.js",
        "view: ./proto/tactus/v1/simulation.proto"]
    _, called = build(checkout)
    assert any(line.startswith("cpack ") for line in called)
    assert [line for line in called if line.startswith(("build.sh ", "view: "))] == []
