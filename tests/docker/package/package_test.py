"""The Debian package: its files, the program out of it, a project that uses its CMake package, and a clean Debian 12."""
# Covers: docker/package/CMakeLists.txt, docker/package/write_manual.py, docker/package/tactus.toml, docker/package/prerm
# Covers: docker/package/TactusConfig.cmake.in

import contextlib
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from clean_debian import NoDebian, clean_debian
from debian_packages import essential, group, groups_of_a_build, owner, with_dependencies

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
    run(ROOT / "docker/package/gather_view.sh", BUILD / "docker/package/web")  # installed_test.py installs the view
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


def sample_lines():
    """The options that the configuration of the package sets, and those behind a #, as pairs of key and line."""
    lines = (ROOT / "docker/package/tactus.toml").read_text().splitlines()
    named = [(line.removeprefix("#").split(" = ")[0], line) for line in lines if re.match(r"#?\S+ = ", line)]
    return [pair for pair in named if pair[1][0] != "#"], [(key, line[1:]) for key, line in named if line[0] == "#"]


def test_every_sample_of_the_configuration_that_needs_no_file_suits_the_model(root, tmp_path):
    active, samples = sample_lines()
    # They name files, or need one that does; a right and a group of users that this host may not have.
    left_out = {"fmu", "fmu-process", "fmu-limit", "tls-cert", "tls-key", "tls-client-ca", "tls-crl", "token-file", "require-rt", "unix-group"}
    assert left_out <= {key for key, _ in samples}
    own = ["--duration", "1ms", "--self-test", "10ms", "--disk-reserve", "0", "--metrics", "127.0.0.1:0", "--udp", "127.0.0.1:0"]
    for listen, wanted in (("127.0.0.1:0", lambda key: key not in ("unix-mode", "trust-peer-header")),
                           (f"unix:{tmp_path}/tactus.sock", lambda key: key in ("unix-mode", "trust-peer-header"))):
        lines = [line for key, line in active + samples if key not in left_out and ((key, line) in active or wanted(key))]
        file = tmp_path / "tactus.toml"
        file.write_text("\n".join(lines))
        run(root / "usr/bin/tactus", "serve", "--config", file, "--listen", listen, *own, cwd=tmp_path)


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


def test_options_of_nested_subcommands_stand_in_manual_pages_of_their_own(root):
    if not shutil.which("help2man"):
        pytest.skip("help2man is not installed; docker/install_packages.sh package installs it")
    page = {path.name.removesuffix(".1.gz"): gzip.open(path, "rt").read() for path in (root / "usr/share/man/man1").iterdir()}
    for name, option in (("session-create", "--miss-limit"), ("link-open", "--idle-limit"), ("analyse-trim", "--require"),
                         ("certificate-issue", "--role"), ("certificate-new-ca", "--folder"), ("fmu-export", "--out")):
        assert option.replace("-", "\\-") in page[f"tactus-{name}"], name
    assert "tactus-session-create (1)" in page["tactus-session"]
    assert "Option Group" not in page["tactus-signals"]


def test_the_list_of_packages_brings_the_tools_that_cpack_calls():
    [source] = pathlib.Path("/usr/share").glob("cmake-*/Modules/Internal/CPack/CPackDeb.cmake")
    tools = set(re.findall(r"find_program\(\w+ (?:NAMES )?([\w-]+)\)", source.read_text())) | {"strip", "help2man"}
    assert {"file", "dpkg-shlibdeps"} <= tools
    brought = with_dependencies(groups_of_a_build() | group("package")) | essential()
    # Without a tool that is not installed here, the package could not have been made.
    assert {tool for tool in tools if shutil.which(tool) and owner(shutil.which(tool)) not in brought} == set()


def test_the_suggested_packages_bring_every_file_that_the_cmake_package_of_grpc_asks_for(package):
    [targets] = pathlib.Path("/usr/lib").glob("*/cmake/grpc/gRPCTargets-none.cmake")
    asked = re.findall(r'_cmake_import_check_files_for_gRPC::\S+ "\${_IMPORT_PREFIX}(.+?)"', targets.read_text())
    assert "/bin/grpc_cpp_plugin" in asked
    brought = with_dependencies(run("dpkg-deb", "--field", package, "Suggests").strip().split(", "))
    assert {owner(f"/usr{file}") for file in asked} - brought == set()


def test_removing_the_package_disables_the_service_and_an_upgrade_does_not(package, tmp_path):
    run("dpkg-deb", "--control", package, tmp_path / "control")
    systemctl = tmp_path / "systemctl"
    systemctl.write_text('#!/bin/sh\necho "$*" >> "$0.called"\n')
    systemctl.chmod(0o755)

    def called(*arguments):
        log = tmp_path / "systemctl.called"
        log.write_text("")
        run("sh", tmp_path / "control/prerm", *arguments, env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
        return log.read_text()

    assert "disable tactus.service" in called("remove")
    assert called("upgrade", "9.9") == ""


def test_a_project_builds_with_the_cmake_package(root, tmp_path):
    (tmp_path / "consumer.cpp").write_text(CONSUMER)
    (tmp_path / "CMakeLists.txt").write_text(CONSUMER_CMAKE)
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={root}/usr")
    run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build/consumer") == "linked\n"


DEVICE = """
#include "clients/udp/tactus_udp.h"
int main(void) {
  const tactus_udp_link link = {0};
  return link.inputs != 0;
}
"""
DEVICE_CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(device C)
find_package(Tactus 0.1 REQUIRED COMPONENTS @)
add_executable(device device.c)
target_link_libraries(device PRIVATE tactus::udp)
"""


def test_a_device_in_c_needs_no_other_package_than_the_component_udp(root, tmp_path):
    (tmp_path / "device.c").write_text(DEVICE)
    without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("gRPC", "Protobuf", "ZLIB")]
    for component, words in (("udp", ""), ("client", "ZLIB"), ("udp client", "ZLIB"), ("device", "no component device; name client, udp or both")):
        (tmp_path / "CMakeLists.txt").write_text(DEVICE_CMAKE.replace("@", component))
        configure = ["cmake", "-S", tmp_path, "-B", tmp_path / component, f"-DCMAKE_PREFIX_PATH={root}/usr", *without]
        if words == "":
            run(*configure)
            run("cmake", "--build", tmp_path / component)
            run(tmp_path / component / "device")
            continue
        done = subprocess.run(list(map(str, configure)), capture_output=True, text=True, check=False)
        assert done.returncode != 0 and words in done.stderr, done.stderr


def test_a_clean_debian_installs_the_package_and_ticks(package):
    with contextlib.ExitStack() as stack:
        try:
            clean = stack.enter_context(clean_debian(BUILD))
        except NoDebian as reason:
            pytest.skip(str(reason))
        shutil.copy(package, clean / "tmp")
        run("chroot", clean, "apt-get", "--quiet", "install", "--yes", "--no-install-recommends", f"/tmp/{package.name}",
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
        assert "uid=" in run("chroot", clean, "id", "tactus")
        run("chroot", clean, "tactus", "serve", "sedan", "--listen", "unix:/tmp/tactus.sock", "--duration", "300ms")
        run("chroot", clean, "dpkg", "--remove", "tactus")
        assert not (clean / "usr/bin/tactus").exists()
