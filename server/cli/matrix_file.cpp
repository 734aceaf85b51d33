#include "server/cli/matrix_file.h"

#include "rt/error.h"
#include "server/cli/output_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <system_error>

namespace tactus::server {

void requireFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder + ": cannot be created (" + error.message() + "); name another folder with --out");
}

void writeMatrix(const std::string& path, const std::string& corner, const std::vector<std::string>& rows,
                 const std::vector<std::string>& columns, const Eigen::MatrixXd& values) {
  std::string text = corner;
  for (const std::string& column : columns) text += "," + column;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "\n" + rows[r];
    for (std::size_t c = 0; c < columns.size(); ++c)
      fmt::format_to(std::back_inserter(text), ",{:.17g}",
                     values(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)));
  }
  writeOutput(path, text + "\n");
}

}  // namespace tactus::server
