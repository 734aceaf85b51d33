// A line chart as SVG text, for reports that must be one file.
#pragma once

#include <string>
#include <vector>

namespace tactus::server {

enum class LineKind {
  kPlain,
  kPoints,   ///< with dots at the values
  kColumns,  ///< no line: a column from each x to the next one, as high as its y; the last y is not shown
};

struct ChartLine {
  std::string name;
  std::vector<double> x, y;
  LineKind kind = LineKind::kPlain;
};

struct LineChart {
  std::string title, x_label, y_label;
  bool logarithmic_x = false, logarithmic_y = false;  ///< values not above 0 are left out
  std::vector<ChartLine> lines;
};

std::string toSvg(const LineChart& chart);

/// Text for HTML and SVG: & < > and quotes escaped.
std::string escaped(const std::string& text);

}  // namespace tactus::server
