// How a computed time series is compared with a reference: files, R-error, observed order.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tactus::tests {

/// One quantity over time. `rate` is its derivative, or empty.
struct Series {
  std::vector<double> t;  ///< s, ascending
  std::vector<double> value;
  std::vector<double> rate;
};

/// A CSV file with a header line; the column names carry units, as in "rA_x[m]".
class Table {
 public:
  /// @throws std::runtime_error if the file cannot be read or a line has the wrong number of fields
  static Table read(const std::string& path);

  /// A table of tests/reference, by file name without folder.
  static Table reference(const std::string& file);

  /// @throws std::runtime_error naming the columns there are
  const std::vector<double>& column(const std::string& name) const;

  /// Column `name` over the column "t[s]".
  Series series(const std::string& name) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

/// Value at time t: the sample itself where t is on the grid (within 1e-6 of a step), else the cubic Hermite polynomial
/// through the neighbors, with slopes from `rate` or, where there is none, from parabolas through three samples.
/// @throws std::out_of_range if t is outside the grid
double valueAt(const Series& series, double t);

/// R-error: max |computed - reference| over the reference's samples with t_begin <= t <= t_end.
/// @throws std::runtime_error if no sample lies in the window
double rError(const Series& computed, const Series& reference, double t_begin, double t_end);

/// Largest of several R-errors over the same window, as of the components of a point.
double rError(const std::vector<std::pair<Series, Series>>& computed_and_reference, double t_begin, double t_end);

/// log2 of the ratio of successive errors, measured with steps that are halved each time.
std::vector<double> observedOrders(const std::vector<double>& errors);

}  // namespace tactus::tests
