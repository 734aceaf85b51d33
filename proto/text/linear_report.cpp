#include "proto/text/linear_report.h"

#include "proto/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tactus::text {

namespace {

/// Columns up to which a matrix is printed, and twice as many rows.
constexpr std::size_t kShownColumns = 10;

}  // namespace

std::string matrixText(const char* name, const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                       const std::function<double(int, int)>& value, const char* how) {
  if (rows.empty() || columns.empty()) return "";
  if (columns.size() > kShownColumns || rows.size() > 2 * kShownColumns)
    return fmt::format("{}: {} x {}; {}\n", name, rows.size(), columns.size(), how);
  std::vector<std::string> head = {name};
  head.insert(head.end(), columns.begin(), columns.end());
  Table table(head, "l" + std::string(columns.size(), 'r'));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::string> cells = {rows[r]};
    for (std::size_t c = 0; c < columns.size(); ++c)
      cells.push_back(fmt::format("{:.6g}", value(static_cast<int>(r), static_cast<int>(c))));
    table.add(cells);
  }
  return table.text() + '\n';
}

std::string modesText(const std::vector<ModeRow>& modes, std::size_t count) {
  const std::size_t shown = std::min(modes.size(), count);
  const bool with_parts =
      std::any_of(modes.begin(), modes.end(), [](const ModeRow& mode) { return !mode.part.empty(); });
  std::vector<std::string> head = {"mode", "kind", "frequency Hz", "damping", "real 1/s", "imaginary 1/s"};
  if (with_parts) head.emplace_back("moves most");
  Table table(head, with_parts ? "rlrrrrl" : "rlrrrr");
  for (std::size_t k = 0; k < shown; ++k) {
    const ModeRow& m = modes[k];
    const bool rigid = m.kind == "rigid motion";
    std::vector<std::string> cells = {std::to_string(k + 1),
                                      m.kind,
                                      rigid ? "" : fmt::format("{:.6g}", m.omega / (2 * std::numbers::pi)),
                                      rigid ? "" : fmt::format("{:.4g}", m.damping),
                                      fmt::format("{:.6g}", m.real),
                                      fmt::format("{:.6g}", m.imaginary)};
    if (with_parts) cells.push_back(m.part);
    table.add(cells);
  }
  std::string text = table.text();
  if (shown < modes.size()) text += fmt::format("{} of {} modes; --count shows more\n", shown, modes.size());
  return text;
}

}  // namespace tactus::text
