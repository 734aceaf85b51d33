// Grids of roads from files beside a model file.
#pragma once

#include "server/model_io/located_finding.h"

#include "tactus/v1/model.pb.h"

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace tactus::server {

inline constexpr std::size_t kMaxGridFile = std::size_t{16} << 20;  ///< bytes

/// Puts the values of every SurfaceGrid that names a file in place of the name; a grid that cannot be read is left out.
/// The reference line of an OpenCRG file becomes that of its road, if this has none.
/// @param root    folder of the model file, out of which no file is read
/// @param folder  from which the paths are
/// @returns what is wrong with files, with the path of their field and without its line
std::vector<rt::Finding> readGridFiles(const std::filesystem::path& root, const std::filesystem::path& folder,
                                       v1::Model& model);

/// Why the text of a file is no grid.
struct GridProblem {
  int line = 0;  ///< 0: the file as a whole
  std::string value, rule;
};

/// Reads an ESRI ASCII grid: ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize and, if any,
/// NODATA_value, each with its number, in any order and case; then nrows times ncols numbers, rows from the largest y
/// to the smallest, each from the smallest x on. x is the way along the road, y that to its left, m.
/// @returns false if `problem` says why not; `out` is then unspecified
bool readGrid(std::string_view text, v1::SurfaceGrid& out, GridProblem& problem);

}  // namespace tactus::server
