// Files of other tools beside a model: roads of OpenCRG, tyre property files, meshes, and what an FMU says of itself.
#include "tests/fuzz/target.h"

#include "clients/fmi/importer/unit_description.h"
#include "clients/fmi/importer/unit_terminals.h"
#include "rt/error.h"
#include "server/model_io/crg_file.h"
#include "server/model_io/mesh_file.h"
#include "server/model_io/tyre_file.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tactus::fuzz {

namespace {

template <class Values>
bool allFinite(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

bool crg(std::string_view bytes) {
  server::CrgRoad road;
  server::GridProblem problem;
  if (!server::readCrg(bytes, road, problem)) {
    require(!problem.rule.empty(), "a refused road says why");
    return false;
  }
  const auto columns = static_cast<std::size_t>(road.grid.columns());
  const auto values = static_cast<std::size_t>(road.grid.values_size());
  require(columns >= 2 && values >= 2 * columns && values % columns == 0, "a road has whole cross-sections");
  require(road.base.size() == values / columns && road.banking.size() == values / columns,
          "each cross-section has a height and a banking");
  require(allFinite(road.grid.values()) && allFinite(road.base) && allFinite(road.banking), "values are finite");
  require(allFinite(road.line.points()), "points of the line are finite");
  require(allFinite(server::heightsOf(road).values()), "heights are finite");
  return true;
}

std::vector<std::string> crgSeeds() {
  const std::string head = R"($CT
a comment
$ROAD_CRG
REFERENCE_LINE_START_U = 0
REFERENCE_LINE_END_U = 1
REFERENCE_LINE_INCREMENT = 0.5
REFERENCE_LINE_START_PHI = 0.1
LONG_SECTION_V_RIGHT = -1
LONG_SECTION_V_LEFT = 1
)";
  const std::string sections = "D:long section at v = -1,m\nD:long section at v = 1,m\n$\n$$$$$$$$\n";
  return {head + "$\n$KD_DEFINITION\n#:LRFI\n" + sections + R"(  0.010000  0.020000
 *missing*  0.010000
  0.000000 *missing*
)",
          head + R"($
$KD_DEFINITION
#:LRFI
D:reference line phi,rad
D:reference line banking,m/m
D:reference line slope,m/m
)" + sections +
              R"(  0.000000  0.010000  0.020000  0.100000  0.200000
  0.100000  0.010000  0.020000  0.100000  0.200000
  0.100000  0.010000  0.020000  0.100000  0.200000
)",
          head + R"(LONG_SECTION_V_INCREMENT = 2
$
$KD_DEFINITION
#:KRBI
D:long section 1,m
D:long section 2,m
$
$$$$$$$$
)" + std::string(24, '\x3d')};
}

bool tyre(std::string_view text) {
  server::TyreProblem problem;
  const auto properties = server::readTyre(text, problem);
  if (!properties) {
    require(!problem.rule.empty() && problem.line >= 0, "a refused tyre says why");
    return false;
  }
  require(allFinite(std::array{properties->radius, properties->nominal_load, properties->stiffness, properties->damping,
                               properties->rolling_radius.value_or(0), properties->longitudinal_relaxation.value_or(0),
                               properties->lateral_relaxation.value_or(0), properties->rolling_resistance}),
          "numbers of a tyre are finite");
  v1::SlipTyre filled;
  server::fillTyre(*properties, filled);
  require(filled.has_magic_formula(), "a tyre that is taken has its formula");
  return true;
}

std::vector<std::string> tyreSeeds() {
  return {R"($ old
[UNITS]
LENGTH='mm'
FORCE='kN'
ANGLE='radians'
MASS='kg'
TIME='s'
[MODEL]
PROPERTY_FILE_FORMAT = 'PAC2002'
[DIMENSION]
UNLOADED_RADIUS = 344 $ mm
[VERTICAL]
FNOMIN=4.85
BREFF=8.4
DREFF=0.27
FREFF=0.07
VERTICAL_STIFFNESS=0.21
QSY1=0.01
[LONGITUDINAL_COEFFICIENTS]
PCX1=1.6
PDX1=1.2
PKX1=22
PTX1=2.3
[LATERAL_COEFFICIENTS]
PCY1=1.2
PDY1=0.99
PKY1=-17
PKY2=1.7
PTY1=2.1
PTY2=2
[SHAPE]
{radial width}
1 0
)",
          R"([UNITS]
LENGTH='meter'
FORCE='newton'
ANGLE='radians'
[MODEL]
FITTYP=61
TYRESIDE='LEFT'
[DIMENSION]
UNLOADED_RADIUS=0.31
[OPERATING_CONDITIONS]
NOMPRES=2D5
INFLPRES=2.2e5
[VERTICAL]
FNOMIN=4000
[STRUCTURAL]
LONGITUDINAL_STIFFNESS=4e5
LATERAL_STIFFNESS=1e5
[SCALING_COEFFICIENTS]
LMUX=0.9
[LONGITUDINAL_COEFFICIENTS]
PCX1=1.6
PDX1=1.2
PKX1=22
PPX1=0.5
[LATERAL_COEFFICIENTS]
PCY1=1.3
PDY1=1
PKY1=-15
PKY2=2
PKY4=2
)"};
}

// ---- meshes: a byte that chooses the format, then the file ----

constexpr std::array kFormats = {"obj", "stl", "glb", "gltf"};

bool mesh(std::string_view bytes) {
  if (bytes.empty()) return false;
  const char* const format = kFormats.at(static_cast<unsigned char>(bytes.front()) % kFormats.size());
  // A buffer of exactly its size, so that a read beyond it is seen.
  const std::vector<char> content(bytes.begin() + 1, bytes.end());
  const std::string first = server::meshProblem(format, {content.data(), content.size()});
  require(first == server::meshProblem(format, {content.data(), content.size()}), "a mesh has one judgement");
  return first.empty();
}

std::vector<std::string> meshSeeds() {
  const auto word = [](std::size_t value) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 255);
    return bytes;
  };
  const std::string json =
      R"({"asset":{"version":"2.0"},"meshes":[{}],"buffers":[{"byteLength":4,"uri":"data:,abcd"}]} )";
  const std::string chunk = json + std::string((4 - json.size() % 4) % 4, ' ');
  return {std::string("\0", 1) + "# o\nv 0 0 0\nv 1 0 0\r\nv 0 1 0 1\nvn 0 0 1\nf 1//1 2//1 -1//1\n",
          "\x01" + std::string(80, ' ') + word(2) + std::string(100, '\0'),
          "\x01"
          R"(solid a
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
endsolid a
)",
          "\x02glTF" + word(2) + word(20 + chunk.size()) + word(chunk.size()) + "JSON" + chunk, "\x03" + json};
}

// ---- FMUs: modelDescription.xml; then, behind a NUL if there is one, terminalsAndIcons.xml ----

bool fmuDescription(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  std::vector<fmi::UnitFinding> findings;
  bool taken = true;
  try {
    const ScratchFile description(bytes.substr(0, end));
    const fmi::UnitDescription unit = fmi::readDescription(description.path(), findings);
    require(unit.version == 2 || unit.version == 3, "a description is of FMI 2.0 or 3.0");
    require(!unit.binary().empty(), "a unit has a place for its shared object");
    for (const fmi::UnitVariable& variable : unit.variables)
      require(unit.find(variable.name) != nullptr, "a variable is found by its name");
    if (end < bytes.size()) {
      const ScratchFile terminals(bytes.substr(end + 1));
      fmi::checkTerminals(terminals.path(), unit, findings);
    }
  } catch (const Error& error) {
    require(*error.what() != '\0', "a refused description says why");
    taken = false;
  }
  for (const fmi::UnitFinding& finding : findings) require(!finding.text.empty(), "a finding has a text");
  return taken;
}

std::vector<std::string> fmuDescriptionSeeds() {
  return {
      R"(<fmiModelDescription fmiVersion="2.0" modelName="m" guid="{1}"><CoSimulation modelIdentifier="m"
canGetAndSetFMUstate="true"/><LogCategories><Category name="a"/></LogCategories><DefaultExperiment startTime="0" stepSize="1e-3"/>
<ModelVariables><ScalarVariable name="u" valueReference="0" causality="input" variability="continuous"><Real start="0" min="-1"
max="1" unit="m"/></ScalarVariable><ScalarVariable name="y" valueReference="1" causality="output"><Real/></ScalarVariable>
</ModelVariables><ModelStructure><Outputs><Unknown index="2"/></Outputs></ModelStructure></fmiModelDescription>)",
      R"(<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="{1}"><CoSimulation modelIdentifier="m"
canReturnEarlyFromDoStep="true" hasEventMode="true"/><ModelVariables><Float64 name="time" valueReference="9" causality="independent"/>
<Float64 name="u" valueReference="0" causality="input" start="0"><Dimension start="2"/></Float64><Int32 name="n" valueReference="1"
causality="parameter" variability="fixed" start="3"/><Float64 name="y" valueReference="2" causality="output"/></ModelVariables>
<ModelStructure><Output valueReference="2"/></ModelStructure></fmiModelDescription>)" +
          std::string(1, '\0') +
          R"(<fmiTerminalsAndIcons fmiVersion="3.0"><Terminals><Terminal name="t" matchingRule="plug"><TerminalMemberVariable
variableName="y" memberName="y" variableKind="signal"/><Terminal name="s" matchingRule="bus"/></Terminal></Terminals>
</fmiTerminalsAndIcons>)"};
}

}  // namespace

std::vector<Target> fileTargets() {
  return {{"crg", 4096, crg, crgSeeds, nullptr},
          {"tyre", 4096, tyre, tyreSeeds, nullptr},
          {"mesh", 4096, mesh, meshSeeds, nullptr},
          {"fmu_description", 4096, fmuDescription, fmuDescriptionSeeds, nullptr}};
}

}  // namespace tactus::fuzz
