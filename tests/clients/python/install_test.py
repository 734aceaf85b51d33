"""pip installs the package without an index and without its own build environment."""
# Covers: clients/python/setup.py, clients/python/tactus/__init__.py

import os
import pathlib
import shutil
import subprocess
import sys

from conftest import SOURCE


def test_pip_installs_the_package_from_a_checkout(tmp_path):
    # A copy, because pip leaves its build folders beside the sources.
    checkout = tmp_path / "checkout"
    ignore = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    shutil.copytree(SOURCE / "clients/python", checkout / "clients/python", ignore=ignore)
    shutil.copytree(SOURCE / "proto", checkout / "proto")
    shutil.copy(SOURCE / "CMakeLists.txt", checkout)

    venv = tmp_path / "venv"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], check=True, env=environment)
    options = ["--no-index", "--no-build-isolation", "--no-deps"]
    install = [venv / "bin/pip", "install", *options, checkout / "clients/python"]
    subprocess.run(install, check=True, env=environment, capture_output=True)

    code = "import tactus, importlib.metadata as m; print(tactus.__file__, m.version('tactus'), tactus.__version__)"
    output = subprocess.run(
        [venv / "bin/python", "-c", code], check=True, env=environment, cwd=tmp_path, capture_output=True, text=True
    ).stdout
    location, version, own = output.split()
    assert pathlib.Path(location).is_relative_to(venv)
    assert own == version
    assert f"VERSION {version} " in (SOURCE / "CMakeLists.txt").read_text()
