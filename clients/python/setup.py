"""Builds the package. protoc generates the stubs during the build, so that they always match ../../proto."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.errors import SetupError

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
sys.path.insert(0, str(HERE))  # a build backend does not look beside setup.py
from generate_aio import write_aio  # noqa: E402
from generate_kinds import write_kinds  # noqa: E402

PROTO_ROOT = CHECKOUT / "proto"
# The one build tree whose native module the package must have.
WANTED_TREE = os.environ.get("TACTUS_BUILD_DIR")


def project_version():
    """Version of the project, from CMakeLists.txt."""
    found = re.search(r"project\(tactus VERSION ([0-9.]+)", (CHECKOUT / "CMakeLists.txt").read_text())
    if not found:
        raise SetupError(f"{CHECKOUT / 'CMakeLists.txt'}: no line project(tactus VERSION ...)")
    return found.group(1)


# The generator writes no types for the methods of the service.
STUB_TYPES = """from typing import Any

import grpc

class SimulationStub:
    def __init__(self, channel: grpc.Channel) -> None: ...
    def __getattr__(self, method: str) -> Any: ...
"""


def generate_stubs(target):
    """Writes ``tactus/v1/*_pb2.py`` and ``*_pb2_grpc.py`` with their types below `target`."""
    protos = sorted(PROTO_ROOT.glob("tactus/v1/*.proto"))
    protoc, plugin = shutil.which("protoc"), shutil.which("grpc_python_plugin")
    if not protos:
        raise SetupError(f"no .proto files in {PROTO_ROOT}: build the package inside a checkout of Tactus")
    if not protoc or not plugin:
        raise SetupError("protoc or grpc_python_plugin is missing: install protobuf-compiler and protobuf-compiler-grpc")
    (target / "tactus/v1").mkdir(parents=True, exist_ok=True)
    (target / "tactus/v1/__init__.py").write_text('"""Generated messages and stubs of the package tactus.v1."""\n')
    (target / "tactus/v1/simulation_pb2_grpc.pyi").write_text(STUB_TYPES)
    subprocess.run(
        [
            protoc,
            f"--proto_path={PROTO_ROOT}",
            f"--python_out={target}",
            f"--pyi_out={target}",
            f"--grpc_python_out={target}",
            f"--plugin=protoc-gen-grpc_python={plugin}",
            *map(str, protos),
        ],
        check=True,
    )


def native_module():
    """The module tactus._native for this interpreter, or None.

    It is that of the build tree WANTED_TREE. Without this variable it is that of build/release or, where this has none, the newest one
    of the other build trees.
    """
    name = "python/tactus/_native" + sysconfig.get_config_var("EXT_SUFFIX")
    first = CHECKOUT / (WANTED_TREE or "build/release") / name
    if first.exists() or WANTED_TREE:
        return first if first.exists() else None
    return max(CHECKOUT.glob(f"build/*/{name}"), key=lambda path: path.stat().st_mtime, default=None)


def is_same(one, other):
    """Whether two paths are one file, as where the build of the native module and that of the package have one folder."""
    return other.exists() and one.samefile(other)


class BuildWithStubs(build_py):
    """The usual build of Python sources, followed by the generation of the stubs and the copy of the native module."""

    def run(self):
        target = pathlib.Path(self.build_lib)
        # pip builds beside the sources, where a former build leaves modules that are deleted since, and an old engine.
        if target.resolve().is_relative_to(HERE / "build"):
            shutil.rmtree(target / "tactus", ignore_errors=True)
        super().run()
        generate_stubs(target)
        write_kinds(PROTO_ROOT, target / "tactus/kinds.py")
        write_aio(HERE / "tactus", target / "tactus/aio")
        if (target.parent / "CMakeCache.txt").exists():
            return  # the package of a build tree: CMake puts the module there, and that of another tree is none of it
        native = native_module()
        if native is None and WANTED_TREE:
            raise SetupError(f"TACTUS_BUILD_DIR={WANTED_TREE}: tactus._native is not built there; build the target tactus_native")
        if native is None:
            self.announce("tactus._native is not built (target tactus_native): no tactus.Simulation", 2)
        elif not is_same(native, target / "tactus" / native.name):
            shutil.copy(native, target / "tactus")


class PackageWithNative(Distribution):
    """A distribution whose wheel is one for this interpreter if it has the native module."""

    def has_ext_modules(self):
        return native_module() is not None


setup(
    version=project_version(),
    packages=["tactus", "tactus.aio"],
    package_data={"tactus": ["py.typed", "*.pyi"]},
    include_package_data=False,
    cmdclass={"build_py": BuildWithStubs},
    distclass=PackageWithNative,
)
