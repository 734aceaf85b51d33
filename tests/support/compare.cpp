#include "tests/support/compare.h"

#include "rt/math/worst.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tactus::tests {

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

/// Slope at sample i: as given, else of the parabola through i and its two neighbors.
double slopeAt(const Series& s, std::size_t i) {
  if (!s.rate.empty()) return s.rate[i];
  const std::size_t last = s.t.size() - 1;
  if (last == 1) return (s.value[1] - s.value[0]) / (s.t[1] - s.t[0]);
  const std::size_t m = std::clamp<std::size_t>(i, 1, last - 1);
  const double h_0 = s.t[m] - s.t[m - 1], h_1 = s.t[m + 1] - s.t[m];
  const double d_0 = (s.value[m] - s.value[m - 1]) / h_0, d_1 = (s.value[m + 1] - s.value[m]) / h_1;
  const double curvature = 2 * (d_1 - d_0) / (h_0 + h_1);
  const double slope_m = (d_0 * h_1 + d_1 * h_0) / (h_0 + h_1);
  return slope_m + curvature * (s.t[i] - s.t[m]);
}

}  // namespace

Table Table::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Table table;
  std::string line;
  std::getline(file, line);
  table.names_ = split(line);
  table.columns_.resize(table.names_.size());
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = split(line);
    if (fields.size() != table.names_.size()) throw std::runtime_error(path + ": wrong number of fields: " + line);
    for (std::size_t c = 0; c < fields.size(); ++c)
      table.columns_[c].push_back(std::strtod(fields[c].c_str(), nullptr));
  }
  return table;
}

Table Table::reference(const std::string& file) {
  return read(std::string(TACTUS_SOURCE_DIR) + "/tests/reference/" + file);
}

const std::vector<double>& Table::column(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return columns_[static_cast<std::size_t>(found - names_.begin())];
  std::string known;
  for (const std::string& n : names_) known += ' ' + n;
  throw std::runtime_error("no column " + name + " among" + known);
}

Series Table::series(const std::string& name) const {
  return {column("t[s]"), column(name), {}};
}

double valueAt(const Series& s, double t) {
  if (s.t.empty()) throw std::out_of_range("empty series");
  // The first sample at or after t, with room for the round-off of tick * dt.
  const double slack = s.t.size() > 1 ? 1e-6 * (s.t[1] - s.t[0]) : 0.0;
  const auto at = std::lower_bound(s.t.begin(), s.t.end(), t - slack);
  if (at == s.t.end()) throw std::out_of_range("time is after the last sample");
  const auto i = static_cast<std::size_t>(at - s.t.begin());
  if (std::abs(s.t[i] - t) <= slack) return s.value[i];
  if (i == 0) throw std::out_of_range("time is before the first sample");

  // Cubic Hermite polynomial on [t_{i-1}, t_i], u in 0 ... 1.
  const double h = s.t[i] - s.t[i - 1], u = (t - s.t[i - 1]) / h;
  const double slope_0 = slopeAt(s, i - 1), slope_1 = slopeAt(s, i);
  return (1 + 2 * u) * (1 - u) * (1 - u) * s.value[i - 1] + u * u * (3 - 2 * u) * s.value[i] +
         h * u * (1 - u) * ((1 - u) * slope_0 - u * slope_1);
}

double rError(const Series& computed, const Series& reference, double t_begin, double t_end) {
  double worst = -1;
  for (std::size_t i = 0; i < reference.t.size(); ++i) {
    const double t = reference.t[i];
    if (t < t_begin - 1e-9 || t > t_end + 1e-9) continue;
    const double error = std::abs(valueAt(computed, t) - reference.value[i]);
    // A value that is not finite must fail every bound.
    worst = std::isfinite(error) ? std::max(worst, error) : HUGE_VAL;
  }
  if (worst < 0) throw std::runtime_error("no reference sample in the window");
  return worst;
}

double rError(const std::vector<std::pair<Series, Series>>& pairs, double t_begin, double t_end) {
  double worst = 0;
  for (const auto& [computed, reference] : pairs)
    worst = tactus::rt::worst(worst, rError(computed, reference, t_begin, t_end));
  return worst;
}

std::vector<double> observedOrders(const std::vector<double>& errors) {
  std::vector<double> orders;
  for (std::size_t i = 1; i < errors.size(); ++i) orders.push_back(std::log2(errors[i - 1] / errors[i]));
  return orders;
}

}  // namespace tactus::tests
