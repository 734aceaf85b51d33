// Tables of the papers' experiments: CSV with the command, the date and the machine in its first lines.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace tactus::bench {

/// What a run of the program was asked for.
struct Request {
  std::string paper;   ///< as on the command line
  std::string folder;  ///< for the CSV files; empty: to the standard output
  bool brief = false;  ///< only some rows of each table, quickly computed, for the comparison with the stored ones
};

/// A value of a row: a text, or a number with six digits.
class Cell {
 public:
  Cell(const char* text) : text_(text) {}
  Cell(std::string text) : text_(std::move(text)) {}
  Cell(double value);
  Cell(int value) : text_(std::to_string(value)) {}
  Cell(std::int64_t value) : text_(std::to_string(value)) {}

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// How a stored table is compared with a new one.
enum class Compare {
  kFigures,  ///< each number relative to itself
  kCurve,    ///< each number relative to the largest one of its column
};

/// One table, written row by row. Columns that begin with `cpu` or `wall` are times and are never compared.
class Table {
 public:
  /// @param[in] keys       the first columns, which name a row
  /// @param[in] tolerance  relative; what another compiler or processor may change
  /// @throws Error if the file cannot be written
  Table(const Request& request, const std::string& name, int keys, Compare compare, double tolerance,
        const std::vector<std::string>& columns);

  void row(const std::vector<Cell>& cells);

 private:
  void line(const std::string& text);

  std::ofstream file_;  ///< not open: the standard output
  std::size_t columns_;
};

/// CPU time of this process, s; independent of other work on the machine.
double cpuSeconds();

}  // namespace tactus::bench
