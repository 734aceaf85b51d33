// Matrices as files: CSV with the names of rows and columns.
#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

namespace tactus::server {

/// Creates a folder for the files of an analysis; it may be there.
/// @throws Error if it cannot be created
void requireFolder(const std::string& folder);

/// Writes a matrix: names of the columns in the first line, the name of its row before each row; values read back as
/// the same numbers.
/// @param[in] corner  what stands over the names of the rows
/// @throws Error if the file cannot be written; a former file then stays as it was
void writeMatrix(const std::string& path, const std::string& corner, const std::vector<std::string>& rows,
                 const std::vector<std::string>& columns, const Eigen::MatrixXd& values);

}  // namespace tactus::server
