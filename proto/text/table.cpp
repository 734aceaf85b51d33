#include "proto/text/table.h"

#include <algorithm>
#include <utility>

namespace tactus::text {

Table::Table(std::vector<std::string> header, std::string alignment) : alignment_(std::move(alignment)) {
  rows_.push_back(std::move(header));
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(alignment_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }

  // Padding goes to the far side of each cell; a line does not end in blanks.
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      line += (i > 0 ? "  " : "") + (alignment_[i] == 'r' ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace tactus::text
