#!/usr/bin/python3
"""Plants one violation at a time in a small sound tree; each must be found, and what is allowed must not."""

import tempfile
import unittest
from pathlib import Path

from check_house import findings_on, record_numbers
from rules_of_tests import bare_tolerances, sources_without_test
from source_tree import SourceTree

SOUND = {
    "CMakeLists.txt": "add_compile_options(-fno-fast-math -ffp-contract=off)\n",
    "README.md": "",
    ".ci/run": "exec tests/run.sh\n",
    "rt/README.md": "",
    "rt/error.h": "#include <string>\n",
    "rt/math/skew.h": "#include <Eigen/Core>\n",
    "rt/math/shape.h": (
        "#define SHAPE_INLINE inline\nnamespace tactus::rt {\nclass Shape {\n  int rounded(int by);\n};\n"
        "constexpr int kShapes{3};\ntemplate <class T>\nSHAPE_INLINE double rounded(const T& by) {\n  return by;\n}\n}\n"
    ),
    "rt/model/shapes.h": '#include "rt/math/shape.h"\n',
    "rt/model/model.h": '#include "rt/error.h"\n#include "rt/math/skew.h"\n',
    "rt/state/state.h": '#include "rt/model/model.h"\n',
    "rt/mechanics/energy.h": '#include "rt/state/state.h"\n',
    "rt/plan/plan.h": '#include "rt/model/model.h"\n',
    "rt/ali3p/settings.h": '#include "rt/mechanics/energy.h"\n#include "rt/plan/plan.h"\n',
    "rt/ali3p/chain/lanes.h": '#include "rt/ali3p/settings.h"\n',
    "rt/ali3p/tree/solver.h": '#include "rt/ali3p/settings.h"\nreturn a + b;  // ali3p (1), (2)\n',
    "rt/ali3p/step.h": '#include "rt/ali3p/chain/lanes.h"\n#include "rt/ali3p/tree/solver.h"\n',
    "rt/doc/ali3p.md": "    a + b          (1)\n    [ 1 ]\n    [ 2 ]          (2)\n\nText (3)\n",
    "rt/signals/directory.h": '#include "rt/mechanics/energy.h"\n',
    "rt/loop/tick_loop.h": '#include "rt/ali3p/step.h"\n',
    "rt/offline/integrator.h": '#include "rt/mechanics/energy.h"\n',
    "proto/README.md": "",
    "proto/tactus/v1/a.proto": (
        "message A {\n  enum Kind { KIND_UNSPECIFIED = 0; KIND_ONE = 1; }\n  oneof choice {\n    double x = 1;\n  }\n"
        "  repeated A parts = 2;  // not = 3;\n}\nmessage B { string session = 1; }\n"
    ),
    "server/README.md": "",
    "server/main.cpp": '#include "clients/cli/watch.h"\n#include "server/cli/serve.h"\n',
    "server/config.h": '#include "rt/loop/tick_loop.h"\n',
    "server/wire/frame.h": '#include "rt/loop/tick_loop.h"\n#include "tactus/v1/a.pb.h"\n',
    "server/session/session.h": '#include "server/config.h"\n#include "server/model_io/reader.h"\n',
    "server/session/notice.h": '#include "server/wire/frame.h"\n',
    "server/stream/streamer.h": '#include "server/session/session.h"\n#include "server/wire/frame.h"\n',
    "server/link/link.h": '#include "server/stream/streamer.h"\n',
    "server/service/service.h": '#include "server/link/link.h"\n',
    "server/cli/serve.h": '#include "server/service/service.h"\n',
    "server/model_io/reader.h": '#include "rt/model/model.h"\n#include "tactus/v1/a.pb.h"\n',
    "clients/README.md": "",
    "clients/cpp/client.h": '#include "tactus/v1/a.grpc.pb.h"\n',
    "clients/cli/watch.h": '#include "clients/cpp/client.h"\n#include "tactus/v1/a.pb.h"\n',
    "tests/README.md": "",
    "tests/layers/field_numbers.txt": "",
    "tests/layers/untested_sources.txt": "server/main.cpp  # a reason\n",
    "tests/rt/math/shape_test.cpp": "",
    "tests/rt/step_test.cpp": '#include "rt/ali3p/step.h"\n#include "server/wire/frame.h"\n',
    "docker/README.md": "apt-get install is for docker/install_packages.sh alone\n",
    "docker/packages.txt": "g++\n",
    "docker/install_packages.sh": "apt-get install -y $packages\n",
}

# Path, what is added to it, and a piece of the finding that must come of it.
PLANTED = {
    "a class of a header that is not included": ("rt/math/a.h", "Shape turned(const Shape& s);", "names Shape of rt/math/shape.h"),
    "its function": ("rt/math/a.h", "inline double f() { return rounded(1); }", "names rounded of rt/math/shape.h"),
    "its constant": ("rt/math/a.h", "inline int f() { return kShapes; }", "names kShapes of rt/math/shape.h"),
    "its macro": ("rt/math/a.h", "SHAPE_INLINE int f();", "names SHAPE_INLINE of rt/math/shape.h"),
    "its class through another header": ("rt/model/a.h", '#include "rt/model/shapes.h"\nvoid f(Shape s);', None),
    "a class that is declared again": ("rt/math/a.h", "class Shape;\nvoid f(Shape& s);", None),
    "a member of its class": ("rt/math/a.h", "int f(const auto& s) { return s.rounded(1); }", None),
    "a member of its own": ("rt/math/a.h", "struct A { int rounded(int); int f() { return rounded(1); } };", None),
    "a local function": ("rt/math/a.h", "int f() { const auto rounded = g(); return rounded(1); }", None),
    "a name in a comment": ("rt/math/a.h", 'int f();  // a Shape\nconst char* kText = "Shape";', None),
    "a class out of reach": ("rt/tick_status.h", "void f(Shape s);", None),
    "a vector without its header": ("rt/math/a.h", "std::vector<int> f();", "names std::vector; include <vector>"),
    "a square root without its header": ("rt/model/finding.h", "double f() { return std::sqrt(2.0); }", "include <cmath>"),
    "a square root beside matrices": ("rt/math/a.h", "#include <Eigen/Core>\ndouble f() { return std::sqrt(2.0); }", None),
    "a vector with its header": ("rt/math/a.h", "#include <vector>\nstd::vector<int> f();", None),
    "a message without its header": ("server/wire/a.h", "void f(const v1::A& a);", "names v1::A, of a header"),
    "a message that is declared": ("server/wire/a.h", "namespace tactus::v1 { class A; }\nvoid f(v1::A& a);", None),
    "mechanics uses the solver": ("rt/mechanics/energy.cpp", '#include "rt/ali3p/step.h"', "must not include rt/ali3p"),
    "model uses state": ("rt/model/model.cpp", '#include "rt/state/state.h"', "must not include rt/state"),
    "plan uses mechanics": ("rt/plan/plan.cpp", '#include "rt/mechanics/energy.h"', "must not include rt/mechanics"),
    "signals use the loop": ("rt/signals/a.cpp", '#include "rt/loop/tick_loop.h"', "must not include rt/loop"),
    "one solver uses the other": (
        "rt/ali3p/tree/a.cpp", '#include "rt/ali3p/chain/lanes.h"', "rt/ali3p/tree must not include rt/ali3p/chain",
    ),
    "a solver uses the step": ("rt/ali3p/chain/a.cpp", '#include "rt/ali3p/step.h"', "must not include rt/ali3p/step.h"),
    "settings use a solver": (
        "rt/ali3p/settings.cpp", '#include "rt/ali3p/tree/solver.h"', "must not include rt/ali3p/tree",
    ),
    "loop uses offline": ("rt/loop/a.cpp", '#include "rt/offline/integrator.h"', "must not include rt/offline"),
    "math uses error of rt": ("rt/math/a.h", '#include "rt/error.h"', None),
    "root of rt uses a layer": ("rt/tick_status.h", '#include "rt/math/skew.h"', "rt must not include rt/math"),
    "rt uses server": ("rt/loop/a.cpp", '#include "server/wire/frame.h"', "must not include server"),
    "rt sees protobuf": ("rt/model/a.cpp", "#include <google/protobuf/message.h>", "must not see google"),
    "rt sees generated code": ("rt/model/a.cpp", '#include "tactus/v1/a.pb.h"', "must not see tactus"),
    "rt sees gRPC": ("rt/loop/a.cpp", "#  include <grpcpp/grpcpp.h>", "must not see grpcpp"),
    "rt sees Asio": ("rt/loop/a.cpp", "#include <asio.hpp>", "must not see asio"),
    "rt logs": ("rt/loop/a.cpp", "#include <spdlog/spdlog.h>", "must not see spdlog"),
    "rt sees files": ("rt/model/a.cpp", "#include <fstream>", "must not see fstream"),
    "rt prints": ("rt/model/a.cpp", 'void f() { std::printf("x"); }', "prints nothing"),
    "rt formats": ("rt/model/model.h", 'void f(char* s) { std::snprintf(s, 1, "x"); }', None),
    "server uses clients": ("server/wire/a.cpp", '#include "clients/cpp/client.h"', "must not include clients"),
    "client library uses rt": ("clients/cpp/a.cpp", '#include "rt/model/model.h"', "must not include rt"),
    "client library uses server": ("clients/cpp/a.cpp", '#include "server/wire/frame.h"', "must not include server"),
    "clients/cli uses the translation of the server": ("clients/cli/a.cpp", '#include "server/wire/frame.h"', "must not include server/wire"),
    "clients/cli reads models": ("clients/cli/a.cpp", '#include "server/model_io/reader.h"', "must not include server"),
    "clients/cli uses rt": ("clients/cli/a.cpp", '#include "rt/signals/directory.h"', "must not include rt/signals"),
    "rt uses tests": ("rt/math/a.cpp", '#include "tests/rt/step_test.cpp"', "must not include tests"),
    "server uses tests": ("server/wire/a.cpp", '#include "tests/rt/step_test.cpp"', "must not include tests"),
    "wire uses a session": ("server/wire/a.cpp", '#include "server/session/session.h"', "must not include server/session"),
    "wire uses the service": ("server/wire/a.cpp", '#include "server/service/service.h"', "must not include server/serv"),
    "a session uses a stream": ("server/session/a.h", '#include "server/stream/streamer.h"', "must not include server/s"),
    "a link uses the service": ("server/link/a.cpp", '#include "server/service/service.h"', "must not include server/s"),
    "service uses the program": ("server/service/a.h", '#include "server/cli/serve.h"', "must not include server/cli"),
    "models use a session": ("server/model_io/a.h", '#include "server/session/session.h"', "must not include server/s"),
    "configuration uses a session": ("server/a.h", '#include "server/session/session.h"', "must not include server/s"),
    "a folder of the server without arrows": ("server/new/a.cpp", "int a;", "declare its folder in ARROWS"),
    "a folder of rt without arrows": ("rt/new/a.cpp", "int a;", "declare its folder in ARROWS"),
    "a cycle of server folders": ("server/wire/a.h", '#include "server/session/session.h"', "cycle of folders: server/"),
    "a source outside": ("docker/a.cpp", "int a;", "outside every layer"),
    "a header that is not there": ("rt/math/a.cpp", '#include "skew.h"', "no such file from the root"),
    "include cycle": ("rt/math/skew.h", '#include "rt/math/skew.h"', "include cycle"),
    "long include cycle": ("rt/error.h", '#include "rt/loop/tick_loop.h"', "include cycle"),
    "a kernel reads the Model": ("rt/ali3p/tree/front.h", '#include "rt/model/model.h"', "reads the Model, which it does"),
    "a new top-level file": ("notes.md", "", "agreed top-level"),
    "a new top-level folder": ("tools/README.md", "", "agreed top-level"),
    "a dot-file": (".editorconfig", "", None),
    "a folder without a page": ("tools/a.txt", "", "has no README.md"),
    "400 lines": ("server/config.h", "\n" * 398, None),
    "401 lines": ("server/wire/a.cpp", "\n" * 400, "401 lines"),
    "401 lines of Python": ("clients/python/a.py", "\n" * 400, "401 lines"),
    "401 lines of a test": ("tests/rt/a_test.cpp", "\n" * 400, None),
    "fast math": ("CMakeLists.txt", "add_compile_options(-ffast-math)", "loosens floating point"),
    "fast math of one function": ("rt/math/a.h", '[[gnu::optimize("fast-math")]] void f();', "loosens floating point"),
    "contraction": ("rt/CMakeLists.txt", "add_compile_options(-ffp-contract=fast)", "loosens floating point"),
    "contraction of the kernels": ("rt/ali3p/CMakeLists.txt", "set(o -ffp-contract=fast)", None),
    "fast math of the kernels": ("rt/ali3p/CMakeLists.txt", "set(o -ffast-math)", "loosens floating point"),
    "contraction of rows in lanes": ("rt/mechanics/CMakeLists.txt", "set(o -ffp-contract=fast)", None),
    "fast math of rows in lanes": ("rt/mechanics/CMakeLists.txt", "set(o -fassociative-math)", "loosens floating point"),
    "contraction of elements": ("rt/mechanics/elements/CMakeLists.txt", "set(o -ffp-contract=fast)", "loosens floating point"),
    "a second package list": (".github/workflows/ci.yml", "run: sudo apt-get install -y cmake", "installs past"),
    "a package in a Dockerfile": ("docker/Dockerfile", "RUN apt install cmake", "installs past"),
    "a field not recorded": ("proto/tactus/v1/a.proto", "message C { double z = 1; }", "C.z is not in"),
    "pytest's default name": ("tests/clients/python/test_a.py", "", "must be called a_test.py"),
    "a test file without its ending": ("tests/rt/a.cpp", 'TEST_CASE("a is b", "[rt]") {}', "must be called x_test.cpp"),
    "a helper without its ending": ("tests/rt/a.cpp", "int a;", None),
    "a target of another folder": (
        "tests/rt/loop/CMakeLists.txt",
        "tactus_add_test(loop_test SOURCES a_test.cpp)",
        "must be called test_rt_loop",
    ),
    "a target of its folder": ("tests/rt/loop/CMakeLists.txt", "tactus_add_test(test_rt_loop SOURCES a_test.cpp)", None),
    "a second target": ("tests/rt/loop/CMakeLists.txt", "tactus_add_test(test_rt_loop_fast SOURCES a_test.cpp)", None),
    "a bare tolerance": ("tests/rt/a_test.cpp", "CHECK(x < 1e-9);", "needs its reason"),
    "a tolerance with its reason": ("tests/rt/a_test.cpp", "CHECK(x < 1e-9);  // round-off of 10 sums", None),
    "a margin with a hidden relative bound": (
        "tests/rt/a_test.cpp",
        "CHECK(x == Approx(3).margin(1e-9));  // round-off",
        "write .epsilon(0)",
    ),
    "a margin alone": ("tests/rt/a_test.cpp", "CHECK(x == Approx(3).epsilon(0).margin(1e-9));  // round-off", None),
    "a margin about zero": ("tests/rt/a_test.cpp", "CHECK(x == Approx(0).margin(1e-9));  // round-off", None),
    "a test of a source that is gone": ("tests/rt/a_test.cpp", "// Covers: rt/gone.cpp", "rt/gone.cpp, which does not exist"),
    "a source without a test": ("rt/math/a.cpp", "int a;", "needs a test of its own"),
    "a source named by a test": ("tests/rt/a_test.cpp", "// Covers: rt/math/skew.h", None),
    "an exception that is gone": ("tests/layers/untested_sources.txt", "rt/gone.cpp", "rt/gone.cpp has a test or is gone"),
    "an exception that is tested": ("tests/rt/main_test.cpp", "// Covers: server/main.cpp", "take it off this list"),
    "an equation that no source cites": ("rt/doc/ali3p.md", "    c = 1      (3)", "no source cites equation (3)"),
    "an equation out of order": ("rt/doc/ali3p.md", "    c = 1      (4)", "equation (4) should be (3)"),
    "a citation of no equation": ("rt/ali3p/step.cpp", "f();  // ali3p (1), (9)", "has no equation (9)"),
    "a table of equations": ("rt/README.md", "| (1) to (2) | sum | | `ali3p/tree/solver.h` |", None),
    "a row without the source that cites": ("rt/README.md", "| (1), (2) | sum | | `ali3p/step.cpp` |", "cites equation (1)"),
    "an equation without a row": ("rt/README.md", "| (1) | sum | | `ali3p/tree/solver.h` |", "no row of rt/README.md has equation (2)"),
    "a misleading zero": ("proto/tactus/v1/a.proto", "enum Mode { MODE_FAST = 0; }", "Mode.MODE_FAST is zero"),
}


def write(root, path, text):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


class CheckHouseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for path, text in SOUND.items():
            write(self.root, path, text)
        record_numbers(self.root)

    def edit_proto(self, old, new):
        text = SOUND["proto/tactus/v1/a.proto"]
        self.assertIn(old, text)
        write(self.root, "proto/tactus/v1/a.proto", text.replace(old, new))
        return "\n".join(map(str, findings_on(self.root)))

    def test_sound_tree_has_no_findings(self):
        self.assertEqual(findings_on(self.root), [])

    def test_planted_violations_are_found(self):
        for name, (path, addition, expected) in PLANTED.items():
            with self.subTest(name):
                file = self.root / path
                before = file.read_text() if file.exists() else None
                write(self.root, path, (before or "") + addition + "\n")
                findings = [str(finding) for finding in findings_on(self.root)]
                file.unlink() if before is None else file.write_text(before)
                if expected is None:
                    self.assertEqual(findings, [])
                else:
                    self.assertTrue(any(expected in finding for finding in findings), findings)
        self.assertEqual(findings_on(self.root), [])

    def test_renumbered_field_is_found(self):
        self.assertIn("A.parts was 2 on the wire and is now 3", self.edit_proto("parts = 2", "parts = 3"))

    def test_field_inside_oneof_belongs_to_its_message(self):
        self.assertIn("A.x was 1 on the wire and is now 7", self.edit_proto("double x = 1", "double x = 7"))

    def test_renumbered_enumerator_is_found(self):
        self.assertIn("A.Kind.KIND_ONE was 1", self.edit_proto("KIND_ONE = 1", "KIND_ONE = 2"))

    def test_dropped_field_must_be_reserved(self):
        self.assertIn("A.parts is gone", self.edit_proto("repeated A parts = 2;", ""))
        self.assertEqual("", self.edit_proto("repeated A parts = 2;", 'reserved 2; reserved "parts";'))
        self.assertIn("A.parts is gone", self.edit_proto("repeated A parts = 2;", "reserved 2;"))
        self.assertIn("A.parts is gone", self.edit_proto("repeated A parts = 2;", 'reserved "parts"; int64 other = 7;'))
        self.assertIn("A.other has the number of A.parts",
                      self.edit_proto("repeated A parts = 2;", 'reserved "parts"; int64 other = 2;'))

    def test_recording_does_not_hide_a_renumbered_field(self):
        self.edit_proto("parts = 2", "parts = 3")
        record_numbers(self.root)
        self.assertIn("A.parts was 2", "\n".join(map(str, findings_on(self.root))))

    def test_sources_without_a_test_are_listed(self):
        for path in ("rt/math/a.cpp", "rt/math/b.cpp", "rt/math/c.cpp", "clients/python/d.py"):
            write(self.root, path, "")
        write(self.root, "rt/math/e.h", "inline int e() {\n  return 1;\n}\n")
        write(self.root, "rt/math/f.h", "int f();\nstruct F {\n  int f;\n};\n")
        write(self.root, "tests/rt/math/a_test.cpp", "")
        write(self.root, "tests/clients/d_test.py", "# Covers: rt/math/b.cpp, clients/python/d.py\n")
        write(self.root, "tests/rt/late_test.cpp", "\n" * 30 + "// Covers: rt/math/c.cpp\n")
        found = sources_without_test(SourceTree(self.root))
        self.assertEqual(found, ["rt/math/c.cpp", "rt/math/e.h", "server/main.cpp"])


# Lines of a test, and the numbers of those whose bound has no reason.
TOLERANCES = {
    "a comparison": (["CHECK(a < 1e-9);"], [1]),
    "a decimal number": (["REQUIRE(a <= 0.05);"], [1]),
    "a margin": (["CHECK(a == Approx(b).margin(1e-6));"], [1]),
    "a matrix": (["CHECK(a.isApprox(b, 1e-12));"], [1]),
    "a continuation line": (["CHECK(a ==", "      Approx(b).epsilon(1e-6));"], [2]),
    "a count": (["CHECK(count < 10);", "CHECK(a == 0.5);"], []),
    "a loop beside a check": (["CHECK(a == b);", "for (double x = 0; x < 0.5; x += h)", "  CHECK(c < 1e-9);"], [3]),
    "no check": (["const double step = 1e-4;", "if (a < 0.5) return;"], []),
    "a named bound": (["constexpr double kTolerance = 1e-9;"], [1]),
    "a comment on the line": (["CHECK(a < 1e-9);  // round-off"], []),
    "a comment above": (["// Round-off.", "for (;;) {", "", "CHECK(a < 1e-9);"], []),
    "a comment too far above": (["// Round-off.", "", "", "", "CHECK(a < 1e-9);"], [5]),
    "a comment above a run of checks": (["// Round-off."] + ["CHECK(a < 1e-9);"] * 6, []),
    "a run that has ended": (["// Round-off."] + ["CHECK(a < 1e-9);"] * 4 + ["", "CHECK(a < 1e-9);"], [7]),
    "tolerances of a function": (["  // Tolerances: round-off."] + [""] * 9 + ["CHECK(a < 1e-9);"], []),
    "tolerances of another function": (["  // Tolerances: round-off.", "}"] + [""] * 9 + ["CHECK(a < 1e-9);"], [12]),
    "tolerances of a file": (["// Tolerances: round-off.", "}"] + [""] * 9 + ["CHECK(a < 1e-9);"], []),
}


class TolerancesTest(unittest.TestCase):
    def test_bare_bounds_are_found(self):
        for name, (lines, expected) in TOLERANCES.items():
            with self.subTest(name):
                self.assertEqual(bare_tolerances(lines, "//"), expected)

    def test_python_is_read_too(self):
        self.assertEqual(bare_tolerances(["    assert a < 0.02"], "#"), [1])
        self.assertEqual(bare_tolerances(["    assert a == pytest.approx(1, abs=1e-4)  # interpolation"], "#"), [])


if __name__ == "__main__":
    unittest.main()
