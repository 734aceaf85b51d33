// Grids of roads in files beside the model: what is read, what is refused and at which line.
#include "server/model_io/grid_file.h"
#include "server/model_io/model_file.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace tactus;
using namespace tactus::server;

namespace {

// Three points along the road, two across; the first line of values is the left side.
constexpr const char* kGrid =
    "NCOLS 3\nnrows 2\nxllcorner 10\nyllcenter -1\ncellsize 0.5\nNODATA_value -9999\n"
    "0.1 0.2 0.3\n\t1 2 +3e0\n";

std::string modelWith(const std::string& grid) {
  return R"({"name": "m", "gravity": [0, 0, -9.81],
  "bodies": [{"name": "wheel", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [0, 0, 0.4]}],
  "roads": [{"name": "road", "up": [0, 0, 1], "along": [1, 0, 0],
    "heights": )" +
         grid + R"(}],
  "forces": [{"name": "tyre", "vertical_tyre": {"road": "road", "body": "wheel", "radius": 0.4, "stiffness": 1e5}}]})";
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("an ESRI ASCII grid becomes rows along the road, from right to left", "[server][model_io][grid]") {
  v1::SurfaceGrid grid;
  GridProblem problem;
  INFO(problem.rule);
  REQUIRE(readGrid(kGrid, grid, problem));
  CHECK(grid.along() == 10.25);  // center of the first cell
  CHECK(grid.across() == -1);
  CHECK(grid.spacing() == 0.5);
  CHECK(grid.columns() == 2);
  CHECK(std::vector<double>(grid.values().begin(), grid.values().end()) == std::vector<double>{1, 0.1, 2, 0.2, 3, 0.3});
}

TEST_CASE("a file that is no grid is refused at its line", "[server][model_io][grid]") {
  struct Row {
    const char *from, *to;
    int line;
    const char *value, *rule;
  };
  const Row rows[] = {
      {"cellsize 0.5", "cellsize 0", 0, "cellsize 0", "above zero"},
      {"cellsize 0.5", "cellsize wide", 5, "\"wide\"", "finite number: cellsize"},
      {"cellsize 0.5", "cellsize nan", 5, "\"nan\"", "finite number: cellsize"},
      {"cellsize 0.5", "ncols 3", 5, "ncols", "given once"},
      {"cellsize 0.5\n", "", 6, "\"0.1\"", "after cellsize"},
      {"yllcenter -1\n", "", 6, "\"0.1\"", "one of yllcorner and yllcenter"},
      {"xllcorner 10", "xllcorner 10\nxllcenter 10", 8, "\"0.1\"", "one of xllcorner and xllcenter"},
      {"nrows 2", "nrows 1", 0, "1", "2 or more"},
      {"nrows 2", "nrows 2.5", 0, "2.5", "whole number"},
      {"NCOLS 3", "NCOLS 300000", 0, "6e+05 numbers", "500 000"},
      {"0.2 0.3", "0.2 o.3", 7, "\"o.3\"", "finite number"},
      {"0.2 0.3", "0.2 inf", 7, "\"inf\"", "finite number"},
      {"0.2 0.3", "0.2 1e999", 7, "\"1e999\"", "finite number"},
      {"1 2", "1 -9999", 8, "\"-9999\"", "hole in the road"},
      {"+3e0", "", 9, "5 numbers", "must be 6 numbers"},
      {"+3e0", "3 4", 8, "\"4\"", "must be the end"},
  };
  for (const Row& row : rows) {
    std::string text = kGrid;
    text.replace(text.find(row.from), std::string(row.from).size(), row.to);
    v1::SurfaceGrid grid;
    GridProblem problem;
    INFO(text);
    REQUIRE_FALSE(readGrid(text, grid, problem));
    INFO(problem.line << ": " << problem.value << ": " << problem.rule);
    CHECK(problem.line == row.line);
    CHECK(problem.value == row.value);
    CHECK(problem.rule.find(row.rule) != std::string::npos);
  }
}

TEST_CASE("a model file takes the heights of its road from a file beside it", "[server][model_io][grid]") {
  const tests::ScratchFolder folder;
  write(folder.file("hills.asc"), kGrid);
  write(folder.file("m.json"), modelWith(R"({"file": "hills.asc"})"));
  const ModelDocument document = readModelFile(folder.file("m.json"));
  for (const LocatedFinding& finding : document.findings) UNSCOPED_INFO(toString(finding, "m.json"));
  REQUIRE(document.findings.empty());
  REQUIRE(document.spec.roads[0].heights);
  CHECK(document.spec.roads[0].heights->values == std::vector<double>{1, 0.1, 2, 0.2, 3, 0.3});
  CHECK(document.message.roads(0).heights().file().empty());

  // What goes over the wire holds the values.
  CHECK(readModelMessage(document.message).findings.empty());
}

TEST_CASE("a grid file that cannot be used is a finding at the line that names it", "[server][model_io][grid]") {
  const tests::ScratchFolder folder;
  write(folder.file("hills.asc"), "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 5 x\n");
  const auto only = [&](const std::string& grid) {
    write(folder.file("m.json"), modelWith(grid));
    const ModelDocument document = readModelFile(folder.file("m.json"));
    REQUIRE(document.findings.size() == 1);
    return toString(document.findings[0], "m.json");
  };
  CHECK(only(R"({"file": "hills.asc"})") ==
        "m.json:4:" + std::string(" roads[0].heights.file = \"hills.asc\", line 7: \"x\": must be a finite number"));
  CHECK(only(R"({"file": "none.asc"})").find("cannot be opened: No such file") != std::string::npos);
  CHECK(only(R"({"file": "."})").find("not a folder") != std::string::npos);
  CHECK(only(R"({"file": "/etc/hostname"})").find("path from the folder of the model file") != std::string::npos);
  CHECK(only(R"({"file": "hills.asc", "spacing": 2})").find("must be given alone") != std::string::npos);
  CHECK(only(R"({"file": "hills.asc", "across_spacing": 2})").find("must be given alone") != std::string::npos);
  write(folder.file("hills.asc"), std::string(kMaxGridFile + 1, ' '));
  CHECK(only(R"({"file": "hills.asc"})").find("16 MiB") != std::string::npos);
}

TEST_CASE("a server reads no files for its clients", "[server][model_io][grid]") {
  const ModelDocument document = readModelText(modelWith(R"({"file": "hills.asc"})"), ModelSyntax::kJson);
  REQUIRE_FALSE(document.valid());
  const auto& finding = document.findings.front().finding;
  CHECK(finding.path == "roads[0].heights.file");
  CHECK(finding.rule.find("not by a server") != std::string::npos);
  CHECK(finding.hint.find("tactus model print") != std::string::npos);
}
