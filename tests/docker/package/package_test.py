"""The Debian package: its files, the program out of it, a project that uses its CMake package, and a clean Debian 12."""
# Covers: docker/package/CMakeLists.txt, docker/package/write_manual.py

import gzip
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("TACTUS_BUILD_DIR", ROOT / "build/release"))

CONSUMER = """
#include "clients/cpp/client.h"
#include "clients/udp/tactus_udp.h"
#include <iostream>
int main() {
  try {
    tactus::client::Client client("unix:/nobody/listens");
  } catch (const tactus::client::ClientError& error) {
    std::cout << "linked" << std::endl;
  }
}
"""
CONSUMER_CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(Tactus 0.1 REQUIRED)
add_executable(consumer consumer.cpp)
target_link_libraries(consumer PRIVATE tactus::client tactus::udp)
"""


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The package, made from the build tree as docker/package/build.sh makes it."""
    folder = tmp_path_factory.mktemp("package")
    if shutil.which("help2man"):
        run(ROOT / "docker/package/write_manual.py", BUILD / "tactus", BUILD / "docker/package")
    run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", folder)
    (found,) = folder.glob("tactus_*_amd64.deb")
    return found


@pytest.fixture(scope="module")
def root(package, tmp_path_factory):
    """A folder with the files of the package."""
    folder = tmp_path_factory.mktemp("root")
    run("dpkg-deb", "--extract", package, folder)
    return folder


def test_the_package_depends_on_the_libraries_that_the_program_loads(package):
    depends = run("dpkg-deb", "--field", package, "Depends")
    for library in ("libgrpc++1.51", "libprotobuf32", "libc6", "adduser"):
        assert library in depends
    assert run("dpkg-deb", "--field", package, "Version").strip() in package.name


def test_the_service_and_its_options_stand_where_systemd_looks(root):
    unit = (root / "usr/lib/systemd/system/tactus.service").read_text()
    assert "User=tactus" in unit and "LimitRTPRIO=99" in unit and "LimitMEMLOCK=infinity" in unit
    options = (root / "etc/default/tactus").read_text().split('"')[1].split()
    # The program accepts the options that the service gives it.
    options[options.index("--config") + 1] = str(root) + options[options.index("--config") + 1]
    options += ["--listen", f"unix:{root}/tactus.sock", "--recordings", f"{root}/recordings"]
    run(root / "usr/bin/tactus", "serve", *options, "--duration", "200ms")
    if shutil.which("systemd-analyze"):
        checked = root / "tactus.service"
        checked.write_text(unit.replace("/usr/bin/tactus", f"{root}/usr/bin/tactus"))
        done = subprocess.run(["systemd-analyze", "verify", str(checked)], capture_output=True, text=True, check=False)
        own = [line for line in done.stderr.splitlines() if "tactus.service" in line and "man " not in line]
        assert own == [], own


def test_the_program_of_the_package_runs_a_model(root):
    output = run(root / "usr/bin/tactus", "run", "four_bar", "--until", "100ms", cwd="/")
    assert "state hash" in output


def test_the_change_log_begins_with_the_version_of_the_package(package, root):
    text = (root / "usr/share/doc/tactus/CHANGES.md").read_text()
    versions = [line.removeprefix("## ").split(",")[0] for line in text.splitlines() if line.startswith("## ")]
    assert run("dpkg-deb", "--field", package, "Version").strip().startswith(versions[0])


def test_manual_pages_and_completion_name_every_subcommand(root):
    if not shutil.which("help2man"):
        pytest.skip("help2man is not installed; docker/install_packages.sh package installs it")
    pages = root / "usr/share/man/man1"
    names = {page.name.removesuffix(".1.gz") for page in pages.glob("*.1.gz")}
    assert {"tactus", "tactus-serve", "tactus-run", "tactus-analyse", "tactus-session"} <= names
    serve = gzip.open(pages / "tactus-serve.1.gz", "rt").read()
    assert "overrun" in serve and str(BUILD) not in serve
    assert "serve" in (root / "usr/share/bash-completion/completions/tactus").read_text()


def test_a_project_builds_with_the_cmake_package(root, tmp_path):
    (tmp_path / "consumer.cpp").write_text(CONSUMER)
    (tmp_path / "CMakeLists.txt").write_text(CONSUMER_CMAKE)
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={root}/usr")
    run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build/consumer") == "linked\n"


def test_a_clean_debian_installs_the_package_and_ticks(package, tmp_path):
    if not shutil.which("mmdebstrap") or os.geteuid() != 0:
        pytest.skip("needs root and mmdebstrap; docker/install_packages.sh package installs it")
    clean = tmp_path / "clean"
    # The hook shows the package to the apt of the new system.
    made = subprocess.run(["mmdebstrap", "--variant=apt", "--hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount",
                           f"--include={package}", "bookworm", str(clean)], capture_output=True, text=True, check=False)
    if made.returncode != 0 and not (clean / "usr/bin/apt-get").exists():
        pytest.skip(f"no clean Debian here: {made.stderr.strip().splitlines()[-1:]}")
    assert made.returncode == 0, made.stderr
    assert "uid=" in run("chroot", clean, "id", "tactus")
    run("chroot", clean, "tactus", "serve", "sedan", "--listen", "unix:/tmp/tactus.sock", "--duration", "300ms")
    run("chroot", clean, "dpkg", "--remove", "tactus")
    assert not (clean / "usr/bin/tactus").exists()
