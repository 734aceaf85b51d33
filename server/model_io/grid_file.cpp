#include "server/model_io/grid_file.h"

#include "rt/model/finding_list.h"
#include "server/model_io/crg_file.h"
#include "server/model_io/data_word.h"
#include "server/model_io/file_in_folder.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>

namespace tactus::server {
namespace {

constexpr double kMaxValues = 500'000;

/// Words of a text, with the line that each is on.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// The next word; empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
      if (text_[at_++] == '\n') ++line_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) == 0) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  int line() const noexcept { return line_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

class GridReader {
 public:
  GridReader(std::string_view text, GridProblem& problem) : words_(text), problem_(problem) {}

  bool read(v1::SurfaceGrid& out) {
    std::string_view first;
    if (!readHeader(first)) return false;
    const double columns = header_["ncols"], rows = header_["nrows"], cell = header_["cellsize"];
    if (!(cell > 0)) return fail(0, "cellsize " + rt::printed(cell), "must be above zero");
    for (const double count : {columns, rows})
      if (count != std::floor(count) || count < 2)
        return fail(0, rt::printed(count), "must be a whole number, 2 or more: ncols and nrows");
    if (columns * rows > kMaxValues)
      return fail(0, rt::printed(columns * rows) + " numbers", "must be at most 500 000 numbers");
    out.set_along(origin('x', cell));
    out.set_across(origin('y', cell));
    out.set_spacing(cell);
    out.set_columns(static_cast<std::uint32_t>(rows));
    return readValues(first, static_cast<int>(columns), static_cast<int>(rows), out);
  }

 private:
  bool fail(int line, std::string value, std::string rule) {
    problem_ = {line, std::move(value), std::move(rule)};
    return false;
  }

  /// @param[out] first  the word behind the header
  bool readHeader(std::string_view& first) {
    static const std::string kKeys[] = {"ncols",     "nrows",     "xllcorner", "xllcenter",
                                        "yllcorner", "yllcenter", "cellsize",  "nodata_value"};
    for (;;) {
      first = words_.next();
      const std::string key = lowerCase(first);
      if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) break;
      const int line = words_.line();
      const std::string_view word = words_.next();
      const auto number = finiteNumber(word);
      if (!number) return fail(line, shortWord(word), "must be a finite number: " + key);
      if (!header_.emplace(key, *number).second) return fail(line, key, "must be given once");
    }
    const auto missing = [this](const char* key) { return header_.find(key) == header_.end(); };
    for (const char* key : {"ncols", "nrows", "cellsize"})
      if (missing(key))
        return fail(words_.line(), shortWord(first), std::string("must come after ") + key + " and its number");
    for (const char* axis : {"x", "y"}) {
      const std::string corner = std::string(axis) + "llcorner", center = std::string(axis) + "llcenter";
      if (missing(corner.c_str()) == missing(center.c_str()))
        return fail(words_.line(), shortWord(first), "must come after one of " + corner + " and " + center);
    }
    return true;
  }

  /// Of the first point: that of its cell's center.
  double origin(char axis, double cell) {
    const auto center = header_.find(std::string(1, axis) + "llcenter");
    return center != header_.end() ? center->second : header_[std::string(1, axis) + "llcorner"] + 0.5 * cell;
  }

  bool readValues(std::string_view word, int columns, int rows, v1::SurfaceGrid& out) {
    const auto nothing = header_.find("nodata_value");
    out.mutable_values()->Resize(columns * rows, 0);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        if (word.empty())
          return fail(words_.line(), std::to_string(row * columns + column) + " numbers",
                      "must be " + std::to_string(columns * rows) + " numbers: ncols times nrows");
        const auto number = finiteNumber(word);
        if (!number) return fail(words_.line(), shortWord(word), "must be a finite number");
        if (nothing != header_.end() && *number == nothing->second)
          return fail(words_.line(), shortWord(word), "must be a value: NODATA_value leaves a hole in the road");
        // Our rows run along the road, from right to left.
        out.set_values(column * rows + (rows - 1 - row), *number);
        word = words_.next();
      }
    if (!word.empty())
      return fail(words_.line(), shortWord(word), "must be the end: there are ncols times nrows numbers before");
    return true;
  }

  Words words_;
  GridProblem& problem_;
  std::map<std::string, double> header_;
};

/// Whether two lines are one, to the accuracy of a measured road.
bool agree(const v1::RoadLine& a, const v1::RoadLine& b) {
  constexpr double kNear = 0.02;
  if (a.points_size() != b.points_size() || a.start() != b.start()) return false;
  for (int i = 0; i < a.points_size(); ++i)
    if (!(std::abs(a.points(i) - b.points(i)) <= kNear)) return false;
  return true;
}

/// What is wrong with the file that a grid names; none if its values are now in the grid.
/// @param heights  whether they are heights, which an OpenCRG file has in parts
std::optional<rt::Finding> readNamed(const std::filesystem::path& root, const std::filesystem::path& folder,
                                     const std::string& path, bool heights, v1::SurfaceGrid& grid, v1::Road& road) {
  const auto finding = [&path](std::string value, std::string rule, std::string hint = {}) {
    return rt::Finding{rt::Severity::kError, path + ".file", std::move(value), std::move(rule), std::move(hint)};
  };
  const std::string name = grid.file();
  if (grid.along() != 0 || grid.across() != 0 || grid.spacing() != 0 || grid.has_across_spacing() ||
      grid.columns() != 0 || grid.values_size() > 0)
    return finding(rt::printed(name),
                   "must be given alone: along, across, spacing, across_spacing, columns and values are in the file");
  std::string text;
  if (auto problem = readFileIn(root, folder, name, kMaxGridFile, text))
    return finding(rt::printed(name), std::move(problem->rule), std::move(problem->hint));

  GridProblem problem;
  const auto broken = [&] {
    const std::string line = problem.line > 0 ? ", line " + std::to_string(problem.line) : "";
    return finding(rt::printed(name) + line + ": " + problem.value, problem.rule);
  };
  grid.clear_file();
  if (lowerCase(std::filesystem::path(name).extension().string()) != ".crg") {
    if (readGrid(text, grid, problem)) return std::nullopt;
    return broken();
  }
  CrgRoad crg;
  if (!readCrg(text, crg, problem)) return broken();
  grid = heights ? heightsOf(crg) : crg.grid;
  if (!road.has_line())
    *road.mutable_line() = crg.line;
  else if (!heights && !agree(road.line(), crg.line))
    return finding(rt::printed(name), "must have the reference line of the road");
  return std::nullopt;
}

}  // namespace

bool readGrid(std::string_view text, v1::SurfaceGrid& out, GridProblem& problem) {
  return GridReader(text, problem).read(out);
}

std::vector<rt::Finding> readGridFiles(const std::filesystem::path& root, const std::filesystem::path& folder,
                                       v1::Model& model) {
  std::vector<rt::Finding> findings;
  for (int i = 0; i < model.roads_size(); ++i) {
    v1::Road& road = *model.mutable_roads(i);
    const std::string path = rt::element("roads", static_cast<std::size_t>(i));
    if (!road.heights().file().empty())
      if (auto finding = readNamed(root, folder, path + ".heights", true, *road.mutable_heights(), road)) {
        findings.push_back(std::move(*finding));
        road.clear_heights();
      }
    if (!road.frictions().file().empty())
      if (auto finding = readNamed(root, folder, path + ".frictions", false, *road.mutable_frictions(), road)) {
        findings.push_back(std::move(*finding));
        road.clear_frictions();
      }
  }
  return findings;
}

}  // namespace tactus::server
