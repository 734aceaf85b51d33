// Covers: server/model_io/named_tyres.cpp, server/model_io/tyre_entries.cpp
// Tyre property files: what is read, what is refused and at which line, and the forces that come of it.
#include "server/model_io/tyre_file.h"

#include "rt/mechanics/tyres/tyre_law.h"
#include "rt/model/model.h"
#include "server/model_io/model_file.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tactus;
using namespace tactus::server;

namespace {

const std::string kReference = TACTUS_SOURCE_DIR "/tests/reference/";

std::string contentOfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A short file of the newer form.
const std::string kTir = R"($ comment
[UNITS]
LENGTH = 'meter'
FORCE = 'newton'
ANGLE = 'radians'
[MODEL]
FITTYP = 61
TYRESIDE = 'RIGHT'
[DIMENSION]
UNLOADED_RADIUS = 0.3135
[OPERATING_CONDITIONS]
NOMPRES = 200000
INFLPRES = 220000
[VERTICAL]
FNOMIN = 4000
VERTICAL_STIFFNESS = 2.0e5
[STRUCTURAL]
LONGITUDINAL_STIFFNESS = 4e5
LATERAL_STIFFNESS = 1D5
[SCALING_COEFFICIENTS]
LMUX = 0.9
[LONGITUDINAL_COEFFICIENTS]
PCX1 = 1.6
PDX1 = 1.2   $Friction
PKX1 = 22
PPX1 = 0.5
[LATERAL_COEFFICIENTS]
PCY1 = 1.3
PDY1 = 1.0
PKY1 = -15
PKY2 = 2
PKY4 = 2
PKY6 = -0.9
PHY3 = 0.5
[TURNSLIP_COEFFICIENTS]
PDXP1 = 0.4
)";

std::string changedTir(const std::string& from, const std::string& to) {
  std::string text = kTir;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string wheelModel(const std::string& tyre) {
  return R"({"name": "m", "gravity": [0, 0, -9.81],
  "bodies": [{"name": "wheel", "mass": 10, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [0, 0, 0.3]}],
  "roads": [{"name": "road", "up": [0, 0, 1], "along": [1, 0, 0]}],
  "forces": [{"name": "tyre", "slip_tyre": {"road": "road", "body": "wheel", "axis": [0, 1, 0],
)" + tyre +
         "}}]}";
}

double coefficient(const v1::MagicFormulaTyre& formula, const std::string& name) {
  for (const v1::Coefficient& c : formula.coefficients())
    if (c.name() == name) return c.value();
  return 0;
}

}  // namespace

TEST_CASE("a tyre of MF-Tyre 5.2 has the forces of the equations of that version", "[server][model_io][tyre]") {
  const tests::ScratchFolder folder;
  std::ofstream(folder.file("car.tir")) << contentOfFile(kReference + "tyre_52.tir");
  std::ofstream(folder.file("m.json")) << wheelModel(R"("magic_formula": {"file": "car.tir", "side": "left"})");
  const ModelDocument document = readModelFile(folder.file("m.json"));
  for (const LocatedFinding& finding : document.findings) UNSCOPED_INFO(toString(finding, "m.json"));
  REQUIRE(document.valid());
  // What the tyre does not have is listed.
  REQUIRE(document.findings.size() == 1);
  CHECK(toString(document.findings[0], "m.json")
            .find("m.json:5: warning: forces[0].slip_tyre.magic_formula.file = \"car.tir\": has values that the tyre "
                  "leaves out: "
                  "PTX2 (line ") == 0);
  const v1::SlipTyre& tyre = document.message.forces(0).slip_tyre();
  CHECK(tyre.radius() == Approx(0.3135));
  CHECK(tyre.nominal_load() == Approx(4080));
  CHECK(tyre.stiffness() == Approx(209.1e3));
  CHECK(tyre.damping() == Approx(50));
  CHECK(tyre.longitudinal_relaxation() == Approx(2.37 * 0.3135 * 1.05));
  CHECK(tyre.lateral_relaxation() == Approx(2.14 * std::sin(2 * std::atan(1 / 1.98)) * 0.3135 * 0.97));
  CHECK(tyre.rolling_radius() == Approx(0.3135 - 4000 / 209.1e3 * (0.27 * std::atan(8.4) + 0.07)));
  CHECK_FALSE(tyre.mirrored());
  CHECK(tyre.magic_formula().form() == v1::MAGIC_FORMULA_FORM_5);

  const rt::Model model = rt::buildModel(document.spec);
  std::ifstream file(kReference + "tyre_52.csv");
  std::string line;
  std::getline(file, line);
  int compared = 0;
  while (std::getline(file, line)) {
    double v[7] = {};
    std::stringstream stream(line);
    std::string field;
    for (double& value : v) std::getline(stream, field, ','), value = std::strtod(field.c_str(), nullptr);
    const rt::SlipForce found = rt::slipForce(model.slip_tyres[0], {v[1], -std::tan(v[2]), std::sin(v[3]), v[0], 1});
    INFO(line);
    // The 1e-6 N that keep quotients finite, and round-off.
    CHECK(found.longitudinal == Approx(v[4]).epsilon(1e-8).margin(1e-4));
    CHECK(found.lateral == Approx(v[5]).epsilon(1e-8).margin(1e-4));
    CHECK(found.aligning == Approx(v[6]).epsilon(1e-8).margin(1e-4));
    ++compared;
  }
  CHECK(compared == 144);
}

TEST_CASE("scaling factors and pressure are in the coefficients of MF-Tyre 6", "[server][model_io][tyre]") {
  TyreProblem problem;
  const auto tyre = readTyre(kTir, problem);
  INFO(problem.line << ' ' << problem.value << ' ' << problem.rule);
  REQUIRE(tyre);
  CHECK(tyre->formula.form() == v1::MAGIC_FORMULA_FORM_6);
  CHECK(coefficient(tyre->formula, "PDX1") == Approx(1.2 * 0.9));
  CHECK(coefficient(tyre->formula, "PKX1") == Approx(22 * 1.05));
  CHECK(coefficient(tyre->formula, "PKY6") == -0.9);
  CHECK(tyre->side == "right");
  CHECK(*tyre->longitudinal_relaxation == Approx(4000.0 * 22 / 4e5));
  CHECK(*tyre->lateral_relaxation == Approx(15 * 4000 * std::sin(2 * std::atan(0.5)) / 1e5));
  CHECK(tyre->left_out == std::vector<std::string>{"PDXP1 (line 36)", "PHY3 (line 34)"});
}

TEST_CASE("a tyre keeps what the model says, and is mirrored on the other side", "[server][model_io][tyre]") {
  const tests::ScratchFolder folder;
  std::ofstream(folder.file("t.tir")) << kTir;
  const auto read = [&](const std::string& fields) {
    std::ofstream(folder.file("m.json")) << wheelModel(fields);
    return readModelFile(folder.file("m.json")).message.forces(0).slip_tyre();
  };
  const v1::SlipTyre left =
      read(R"("radius": "30 cm", "damping": 500, "magic_formula": {"file": "t.tir", "side": "left"})");
  CHECK(left.radius() == 0.3);
  CHECK(left.damping() == 500);
  CHECK(left.stiffness() == 2e5);
  CHECK(left.mirrored());
  CHECK_FALSE(read(R"("magic_formula": {"file": "t.tir", "side": "right"})").mirrored());
  CHECK_FALSE(read(R"("magic_formula": {"file": "t.tir"})").mirrored());
}

TEST_CASE("a file that is no tyre of the Magic Formula is refused at its line", "[server][model_io][tyre]") {
  struct Row {
    std::string text;
    int line;
    const char *value, *rule;
  };
  const Row rows[] = {
      {changedTir("FITTYP = 61", "FITTYP = 7"), 7, "FITTYP", "must be 5, 6, 21"},
      {changedTir("FITTYP = 61", "PROPERTY_FILE_FORMAT = 'PAC89'"), 7, "PAC89", "Magic Formula file"},
      {changedTir("'radians'", "'degree'"), 5, "degree", "must be radians"},
      {changedTir("'meter'", "'league'"), 3, "league", "unit that is known"},
      {changedTir("PCX1 = 1.6", "PCX1 = one"), 23, "one", "finite number"},
      {changedTir("PCX1 = 1.6", "PCX1 = 1e999"), 23, "1e999", "finite number"},
      {changedTir("PCX1 = 1.6", "PCX1 = 1.6\nPCX1 = 2"), 24, "PCX1", "given once"},
      {changedTir("PCX1 = 1.6", "PCX1 = -1.6"), 23, "PCX1", "above zero"},
      {changedTir("PCX1 = 1.6\n", ""), 0, "no PCX1", "above zero"},
      {changedTir("PKY1 = -15", "PKY1 = 15"), 30, "PKY1", "below zero"},
      {changedTir("FNOMIN = 4000\n", ""), 0, "no FNOMIN", "above zero"},
      {changedTir("UNLOADED_RADIUS = 0.3135", "UNLOADED_RADIUS = 0"), 10, "0", "above zero"},
      {changedTir("[VERTICAL]", "[VERTICAL"), 14, "[VERTICAL", "must end in ]"},
      {changedTir("PCX1 = 1.6", "PCX1 1.6"), 23, "PCX1 1.6", "NAME = value"},
      {changedTir("'RIGHT'", "'RIGHT"), 8, "'RIGHT", "end in a quote"},
      {"", 0, "no UNLOADED_RADIUS", "above zero"},
      {std::string("\0\xff\0", 3), 1, "", "NAME = value"},
  };
  for (const Row& row : rows) {
    TyreProblem problem;
    INFO(row.text);
    CHECK_FALSE(readTyre(row.text, problem));
    INFO(problem.line << ": " << problem.value << ": " << problem.rule);
    CHECK(problem.line == row.line);
    CHECK(problem.value.find(row.value) != std::string::npos);
    CHECK(problem.rule.find(row.rule) != std::string::npos);
  }
}

TEST_CASE("a tyre file that cannot be used is a finding at the line that names it", "[server][model_io][tyre]") {
  const tests::ScratchFolder folder;
  std::ofstream(folder.file("t.tir")) << changedTir("PCX1 = 1.6", "PCX1 = one");
  std::ofstream(folder.file("bare.tir")) << changedTir("TYRESIDE = 'RIGHT'\n", "");
  const auto first = [&](const std::string& fields) {
    std::ofstream(folder.file("m.json")) << wheelModel(fields);
    const ModelDocument document = readModelFile(folder.file("m.json"));
    REQUIRE_FALSE(document.valid());
    return toString(document.findings[0], "m.json");
  };
  CHECK(
      first(R"("magic_formula": {"file": "t.tir"})") ==
      "m.json:5: forces[0].slip_tyre.magic_formula.file = \"t.tir\", line 23: \"PCX1 = one\": must be a finite number");
  CHECK(first(R"("magic_formula": {"file": "none.tir"})").find("cannot be opened") != std::string::npos);
  CHECK(first(R"("magic_formula": {"file": "../t.tir"})").find("path from the folder") != std::string::npos);
  CHECK(first(R"("magic_formula": {"file": "t.tir", "side": "up"})").find("\"left\" or \"right\"") !=
        std::string::npos);
  CHECK(first(R"("magic_formula": {"file": "bare.tir", "side": "left"})").find("no TYRESIDE") != std::string::npos);
  CHECK(first(R"("magic_formula": {"file": "t.tir", "coefficients": [{"name": "PCX1", "value": 1}]})")
            .find("given alone") != std::string::npos);
  // Without a file nothing says on which side the tyre was measured.
  const ModelDocument sided =
      readModelText(wheelModel(R"("magic_formula": {"side": "right", "coefficients": [{"name": "PCX1", "value": 1}]})"),
                    ModelSyntax::kJson);
  CHECK(std::any_of(sided.findings.begin(), sided.findings.end(), [](const LocatedFinding& f) {
    return f.finding.path == "forces[0].slip_tyre.magic_formula.side" &&
           f.finding.rule.find("left out without file") != std::string::npos;
  }));
  const ModelDocument wire = readModelText(wheelModel(R"("magic_formula": {"file": "t.tir"})"), ModelSyntax::kJson);
  CHECK(std::any_of(wire.findings.begin(), wire.findings.end(), [](const LocatedFinding& f) {
    return f.finding.path == "forces[0].slip_tyre.magic_formula.file" &&
           f.finding.rule.find("not by a server") != std::string::npos;
  }));
}
