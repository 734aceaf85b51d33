// Aligned columns for a terminal.
#pragma once

#include <string>
#include <vector>

namespace tactus::text {

/// Collects rows and prints them with every column as wide as its widest cell. Two blanks separate columns.
class Table {
 public:
  /// @param[in] header     names of the columns
  /// @param[in] alignment  one letter a column: 'l' or 'r'
  Table(std::vector<std::string> header, std::string alignment);

  /// Adds a row with one cell for each column.
  void add(std::vector<std::string> cells);

  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::string alignment_;
};

}  // namespace tactus::text
