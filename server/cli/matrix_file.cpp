#include "server/cli/matrix_file.h"

#include "rt/error.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace tactus::server {

void requireFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder + ": cannot be created (" + error.message() + "); name another folder with --out");
}

void writeMatrix(const std::string& path, const std::string& corner, const std::vector<std::string>& rows,
                 const std::vector<std::string>& columns, const Eigen::MatrixXd& values) {
  std::ofstream file(path);
  file << corner;
  for (const std::string& column : columns) file << ',' << column;
  file << '\n';
  for (std::size_t r = 0; r < rows.size(); ++r) {
    file << rows[r];
    for (std::size_t c = 0; c < columns.size(); ++c)
      file << fmt::format(",{:.17g}", values(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)));
    file << '\n';
  }
  file.flush();
  if (!file) throw Error(path + ": cannot be written");
}

}  // namespace tactus::server
