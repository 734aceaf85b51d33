#include "server/report/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

namespace tactus::server {
namespace {

constexpr double kWidth = 640, kHeight = 316, kLeft = 80, kRight = 170, kTop = 50, kBottom = 44;
constexpr std::array kColors = {"#1f4e79", "#c0504d", "#4f8f4f", "#8064a2", "#d08a00", "#2aa0a0", "#7f7f7f", "#b03080"};

std::string shortNumber(double value) {
  std::ostringstream out;
  out.precision(3);
  out << (std::abs(value) < 1e-300 ? 0.0 : value);
  return out.str();
}

/// "0.1", "1" and "10" as they are read best, others as ten with a raised exponent.
std::string powerOfTen(int exponent) {
  if (std::abs(exponent) <= 1) return shortNumber(std::pow(10.0, exponent));
  constexpr std::array kRaised = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                  "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "10\u207b" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += kRaised[static_cast<std::size_t>(digit - '0')];
  return text;
}

/// One axis: maps values to pixels, linearly or by decades.
class Axis {
 public:
  Axis(bool logarithmic, double begin, double end) : logarithmic_(logarithmic), begin_(begin), end_(end) {}

  void take(double value) {
    if (!shows(value)) return;
    low_ = std::min(low_, scaled(value));
    high_ = std::max(high_, scaled(value));
  }

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }

  void close() {
    if (low_ > high_) low_ = 0, high_ = 1;
    if (logarithmic_) low_ = std::floor(low_), high_ = std::ceil(high_);
    if (high_ - low_ < 1e-300) low_ -= 1, high_ += 1;
  }

  double pixel(double value) const { return begin_ + (end_ - begin_) * (scaled(value) - low_) / (high_ - low_); }

  /// A value of ticks() as text: a power of ten, or at most three digits.
  std::string label(double value) const {
    return logarithmic_ ? powerOfTen(static_cast<int>(std::lround(std::log10(value)))) : shortNumber(value);
  }

  /// About five round values.
  std::vector<double> ticks() const {
    std::vector<double> values;
    if (logarithmic_) {
      const double step = std::max(1.0, std::round((high_ - low_) / 6));
      for (double k = low_; k <= high_ + 0.5; k += step) values.push_back(std::pow(10.0, k));
      return values;
    }
    const double raw = (high_ - low_) / 5, decade = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = decade * (raw / decade < 1.5 ? 1 : raw / decade < 3.5 ? 2 : raw / decade < 7.5 ? 5 : 10);
    for (double k = std::ceil(low_ / step); k * step <= high_ + 1e-9 * step; ++k) values.push_back(k * step);
    return values;
  }

 private:
  double scaled(double value) const { return logarithmic_ ? std::log10(value) : value; }

  bool logarithmic_;
  double begin_, end_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

std::string textAt(double x, double y, const char* anchor, const std::string& text) {
  std::ostringstream out;
  out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">" << escaped(text) << "</text>\n";
  return out.str();
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string toSvg(const LineChart& chart) {
  const double right = kWidth - kRight, bottom = kHeight - kBottom;
  Axis x(chart.logarithmic_x, kLeft, right), y(chart.logarithmic_y, bottom, kTop);
  for (const ChartLine& line : chart.lines)
    for (std::size_t k = 0; k < line.x.size(); ++k)
      if (x.shows(line.x[k]) && y.shows(line.y[k])) x.take(line.x[k]), y.take(line.y[k]);
  x.close();
  y.close();

  std::ostringstream out;
  out << "<svg viewBox=\"0 0 " << kWidth << ' ' << kHeight << "\" role=\"img\">\n";
  out << "<g class=\"title\">" << textAt(kLeft, 16, "start", chart.title) << "</g>\n<g class=\"grid\">\n";
  for (const double tick : x.ticks())
    out << "<line x1=\"" << x.pixel(tick) << "\" x2=\"" << x.pixel(tick) << "\" y1=\"" << kTop << "\" y2=\"" << bottom
        << "\"/>\n"
        << textAt(x.pixel(tick), bottom + 16, "middle", x.label(tick));
  for (const double tick : y.ticks())
    out << "<line x1=\"" << kLeft << "\" x2=\"" << right << "\" y1=\"" << y.pixel(tick) << "\" y2=\"" << y.pixel(tick)
        << "\"/>\n"
        << textAt(kLeft - 6, y.pixel(tick) + 4, "end", y.label(tick));
  out << textAt(0.5 * (kLeft + right), kHeight - 8, "middle", chart.x_label)
      << textAt(4, kTop - 14, "start", chart.y_label) << "</g>\n";
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const ChartLine& line = chart.lines[i];
    // A page may give the class another color, for example on a dark ground.
    out << "<g class=\"c" << i % kColors.size() << "\" color=\"" << kColors[i % kColors.size()] << "\">\n";
    if (line.kind == LineKind::kColumns) {
      for (std::size_t k = 0; k + 1 < line.x.size(); ++k)
        if (x.shows(line.x[k]) && y.shows(line.y[k]))
          out << "<rect fill=\"currentColor\" fill-opacity=\"0.7\" x=\"" << x.pixel(line.x[k]) << "\" y=\""
              << y.pixel(line.y[k]) << "\" width=\"" << x.pixel(line.x[k + 1]) - x.pixel(line.x[k]) << "\" height=\""
              << bottom - y.pixel(line.y[k]) << "\"/>\n";
    } else {
      out << "<polyline fill=\"none\" stroke=\"currentColor\" points=\"";
      for (std::size_t k = 0; k < line.x.size(); ++k)
        if (x.shows(line.x[k]) && y.shows(line.y[k])) out << x.pixel(line.x[k]) << ',' << y.pixel(line.y[k]) << ' ';
      out << "\"/>\n";
    }
    for (std::size_t k = 0; line.kind == LineKind::kPoints && k < line.x.size(); ++k)
      if (x.shows(line.x[k]) && y.shows(line.y[k]))
        out << "<circle r=\"3\" fill=\"currentColor\" cx=\"" << x.pixel(line.x[k]) << "\" cy=\"" << y.pixel(line.y[k])
            << "\"/>\n";
    const double at = kTop + 10 + 16 * static_cast<double>(i);
    out << "<rect x=\"" << right + 12 << "\" y=\"" << at - 8
        << "\" width=\"10\" height=\"10\" fill=\"currentColor\"/>\n</g>\n"
        << textAt(right + 26, at + 1, "start", line.name);
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace tactus::server
