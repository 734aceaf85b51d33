#include "tests/bench/papers/table.h"

#include "rt/error.h"
#include "tests/bench/latency_report.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <sstream>

namespace tactus::bench {

namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", std::gmtime(&now));
  return text.data();
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part + ',';
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

Cell::Cell(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  text_ = text.data();
}

Table::Table(const Request& request, const std::string& name, int keys, Compare compare, double tolerance,
             const std::vector<std::string>& columns)
    : columns_(columns.size()) {
  if (!request.folder.empty()) {
    const std::string path = request.folder + '/' + request.paper + '_' + name + ".csv";
    file_.open(path);
    if (!file_) throw Error("cannot write " + path + "; create the folder first");
  }
  line("# paper_experiments " + request.paper + ' ' + name + (request.brief ? " --brief" : "") + ", " + today());
  std::ostringstream environment;
  printEnvironment(environment);
  std::istringstream lines(environment.str());
  for (std::string text; std::getline(lines, text);) line("# " + text);
  line("# keys " + std::to_string(keys) + ", " + (compare == Compare::kCurve ? "curve" : "figures") + ", tolerance " +
       Cell(tolerance).text());
  line(joined(columns));
}

void Table::row(const std::vector<Cell>& cells) {
  if (cells.size() != columns_) throw Error("a row has another number of cells than the table has columns");
  std::vector<std::string> texts;
  for (const Cell& cell : cells) {
    if (cell.text().find(',') != std::string::npos) throw Error("a cell has a comma: " + cell.text());
    texts.push_back(cell.text());
  }
  line(joined(texts));
}

void Table::line(const std::string& text) {
  if (file_.is_open()) {
    file_ << text << std::endl;  // each row as soon as it is known
  } else {
    std::puts(text.c_str());
  }
}

double cpuSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace tactus::bench
