"""pip installs the package without an index and without its own build environment."""
# Covers: clients/python/setup.py

import os
import pathlib
import shutil
import subprocess
import sysconfig

from conftest import BUILD, SOURCE, needs_native


NATIVE = "python/tactus/_native" + sysconfig.get_config_var("EXT_SUFFIX")


def user_environment(**variables):
    """That of these tests without what they are told of the build tree."""
    return {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "TACTUS_BUILD_DIR")} | variables


def run_setup(checkout, *arguments, **variables):
    """Runs setup.py, and returns what pip would print."""
    return subprocess.run(["/usr/bin/python3", "setup.py", "--quiet", *map(str, arguments)], cwd=checkout / "clients/python",
                          env=user_environment(**variables), capture_output=True, text=True)


def copy_checkout(target):
    """A copy, because pip leaves its build folders beside the sources."""
    ignore = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    shutil.copytree(SOURCE / "clients/python", target / "clients/python", ignore=ignore)
    shutil.copytree(SOURCE / "proto", target / "proto")
    shutil.copy(SOURCE / "CMakeLists.txt", target)
    return target


def install(checkout, folder, by_wheel=False):
    """The commands of the page, with another Python first on the PATH. Returns a function that runs a program."""
    other = folder / "other"
    other.mkdir()
    for name in ("python", "python3", "pip", "pip3"):
        (other / name).write_text("#!/bin/sh\necho another Python was taken >&2\nexit 1\n")
        (other / name).chmod(0o755)
    environment = user_environment()
    environment["PATH"] = f"{other}:{environment['PATH']}"
    venv = folder / "venv"
    options = ["--no-index", "--no-build-isolation", "--no-deps"]
    commands = [["/usr/bin/python3", "-m", "venv", "--system-site-packages", venv]]
    if by_wheel:
        commands += [[venv / "bin/pip", "wheel", *options, "--wheel-dir", folder / "wheels", checkout / "clients/python"],
                     [venv / "bin/pip", "install", "--no-index", "--no-deps", "--find-links", folder / "wheels", "tactus"]]
    else:
        commands += [[venv / "bin/pip", "install", *options, checkout / "clients/python"]]
    for command in commands:
        result = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr

    def run(program):
        command = [venv / "bin/python", "-c", program]
        return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)

    return run


def test_pip_installs_the_package_from_a_checkout(tmp_path):
    run = install(copy_checkout(tmp_path / "checkout"), tmp_path)
    program = "import tactus, importlib.metadata as m; print(tactus.__file__, m.version('tactus'), tactus.__version__)"
    result = run(program)
    location, version, own = result.stdout.split()
    assert pathlib.Path(location).is_relative_to(tmp_path / "venv")
    assert (pathlib.Path(location).parent / "py.typed").exists()
    assert own == version
    assert f"VERSION {version} " in (SOURCE / "CMakeLists.txt").read_text()
    # Without the native module everything but the simulation is there, and the error says what to do.
    assert run("import tactus; tactus.connect, tactus.TickStream").returncode == 0
    assert "tactus_native" in run("import tactus; tactus.Simulation").stderr


def test_a_second_build_has_the_native_module_and_the_modules_of_the_checkout_alone(tmp_path):
    checkout = copy_checkout(tmp_path)
    native = checkout / "build/release" / NATIVE
    native.parent.mkdir(parents=True)
    deleted = checkout / "clients/python/tactus/deleted.py"
    deleted.touch()
    for content in ("first", "other"):  # of one size
        native.write_text(content)
        assert run_setup(checkout, "build").returncode == 0
        [built] = (checkout / "clients/python/build").glob("lib*/tactus")
        assert (built / native.name).read_text() == content
        assert (built / "deleted.py").exists() == deleted.exists() and (built / "aio/client.py").exists()
        deleted.unlink(missing_ok=True)


def test_the_native_module_is_that_of_build_release_or_of_the_tree_that_the_user_names(tmp_path):
    checkout = copy_checkout(tmp_path)
    for age, tree in enumerate(("other", "release", "named")):  # the last one is the oldest
        module = checkout / "build" / tree / NATIVE
        module.parent.mkdir(parents=True)
        module.write_text(tree)
        os.utime(module, (1e9 - age, 1e9 - age))

    def taken(**variables):
        built = run_setup(checkout, "build", **variables)
        assert built.returncode == 0, built.stderr
        [module] = (checkout / "clients/python/build").glob(f"lib*/tactus/{pathlib.Path(NATIVE).name}")
        return module.read_text()

    assert taken() == "release"
    assert taken(TACTUS_BUILD_DIR=str(checkout / "build/named")) == "named"
    refused = run_setup(checkout, "build", TACTUS_BUILD_DIR=str(checkout / "build/empty"))
    assert refused.returncode != 0 and "_native is not built there" in refused.stderr
    (checkout / "build/release" / NATIVE).unlink()
    assert taken() == "other"
    # The package in a build tree is for the module of this tree alone.
    tree = checkout / "build/empty"
    tree.mkdir()
    (tree / "CMakeCache.txt").touch()
    assert run_setup(checkout, "build_py", "--build-lib", tree / "python").returncode == 0
    assert (tree / "python/tactus/client.py").exists() and not (tree / NATIVE).exists()


@needs_native
def test_a_wheel_has_the_native_module_of_the_build_and_the_client_for_asyncio(tmp_path):
    checkout = copy_checkout(tmp_path / "checkout")
    target = checkout / "build/release/python/tactus"
    target.mkdir(parents=True)
    for built in (BUILD / "python/tactus").glob("_native*.so"):
        shutil.copy(built, target)
    run = install(checkout, tmp_path, by_wheel=True)
    result = run("import tactus; s = tactus.Simulation('four_bar'); s.step(10); print(s.tick, tactus.aio.connect.__name__)")
    assert result.stdout == "10 connect\n", result.stderr
    # A wheel with the module is one for this interpreter and this machine.
    [wheel] = (tmp_path / "wheels").glob("*.whl")
    assert "none-any" not in wheel.name
