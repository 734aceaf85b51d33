// A line chart as SVG text, for reports that must be one file.
#pragma once

#include <string>
#include <vector>

namespace tactus::server {

struct ChartLine {
  std::string name;
  std::vector<double> x, y;
  bool points = false;  ///< dots at the values
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
