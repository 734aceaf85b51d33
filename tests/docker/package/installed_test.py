"""What cmake installs below a prefix, for a package and by hand, with and without the live view."""
# Covers: docker/package/CMakeLists.txt, docker/package/gather_view.sh, clients/cli/node_program.cpp

import os
import pathlib
import shutil
import subprocess
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("TACTUS_BUILD_DIR", ROOT / "build/release"))
SERVICE = {"etc/default/tactus", "etc/tactus/tactus.toml", "usr/lib/systemd/system/tactus.service"}


def install(folder, prefix, view=None):
    """Installs into a folder that stands for the root of the file system, and returns the paths of the files there."""
    gathered = BUILD / "docker/package/web"
    try:
        subprocess.run([ROOT / "docker/package/gather_view.sh", *([view] if view else []), gathered], check=True)
        subprocess.run(["cmake", "--install", BUILD, "--component", "tactus", "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL, env=os.environ | {"DESTDIR": str(folder)})
    finally:
        shutil.rmtree(gathered, ignore_errors=True)
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def test_all_files_lie_below_the_prefix_and_a_package_alone_has_the_service(tmp_path):
    by_hand = install(tmp_path / "hand", "/opt/tactus")
    assert "opt/tactus/bin/tactus" in by_hand
    assert [path for path in by_hand if not path.startswith("opt/tactus/")] == []
    package = install(tmp_path / "package", "/usr")
    assert {path for path in package if path.startswith("etc/") or "systemd" in path} == SERVICE
    assert [path for path in package - SERVICE if not path.startswith("usr/") or path.startswith("usr/local/")] == []
    # They differ in nothing else.
    assert {path.removeprefix("opt/tactus/") for path in by_hand} == {path.removeprefix("usr/") for path in package - SERVICE}
    # A view that was built before is not installed unless it is asked for.
    assert [path for path in package if "web" in path] == []
    told = subprocess.run([tmp_path / "package/usr/bin/tactus", "view"], capture_output=True, text=True, check=False)
    assert told.returncode != 0 and "docker/package/build.sh --view" in told.stderr


def test_the_installed_view_shows_its_page(tmp_path):
    if not shutil.which("node") or not (BUILD / "web/bridge.cjs").exists():
        pytest.skip("needs node, and the view that server/run.sh --view --build-only builds")
    files = install(tmp_path, "/usr", view=BUILD / "web")
    assert "usr/lib/tactus/web/bridge.cjs" in files and [path for path in files if path.startswith("usr/local/")] == []
    with subprocess.Popen([tmp_path / "usr/bin/tactus", "view", "--port", "0"], cwd="/", text=True, stdout=subprocess.PIPE) as bridge:
        try:
            name, url = bridge.stdout.readline().split()
            assert name == "view:"
            for file, content in (("", "<!doctype html>"), ("page.js", ""), ("page.css", "")):
                with urllib.request.urlopen(url + file, timeout=60) as answer:
                    assert content in answer.read().decode().lower()
        finally:
            bridge.terminate()
