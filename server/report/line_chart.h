// A line chart as SVG text, for reports in a single file.
#pragma once

#include <string>
#include <vector>

namespace tactus::server {

enum class LineKind {
  kPlain,
  kPoints,   ///< with dots at the values
  kColumns,  ///< a column from each x to the next, as high as its y; the last y is not shown
};

struct ChartLine {
  std::string name;
  std::vector<double> x, y;
  LineKind kind = LineKind::kPlain;
};

struct LineChart {
  std::string title, x_label, y_label;
  bool logarithmic_x = false, logarithmic_y = false;  ///< values of 0 and below are left out
  std::vector<ChartLine> lines;
};

std::string toSvg(const LineChart& chart);

/// Text for HTML and SVG with & < > and quotes escaped.
std::string escaped(const std::string& text);

}  // namespace tactus::server
