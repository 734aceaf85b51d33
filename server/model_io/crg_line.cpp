#include "server/model_io/crg_line.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tactus::server {
namespace {

constexpr std::size_t kMaxLinePoints = 50'000;
constexpr double kLineSpacing = 0.25;  ///< at least, m

/// A value between stations: the cubic through the four nearest ones, or through all where there are fewer.
/// @param at  number of the station, from 0 on; a whole number gives its own value
double between(const std::vector<double>& values, double at) {
  const auto last = static_cast<double>(values.size() - 1);
  const double nearest = std::round(at);
  // Round-off of a whole number of stations.
  if (std::abs(at - nearest) < 1e-9) return values[static_cast<std::size_t>(std::clamp(nearest, 0.0, last))];
  const double first = std::clamp(std::floor(at) - 1, 0.0, std::max(last - 3, 0.0));
  const std::size_t from = static_cast<std::size_t>(first), count = std::min<std::size_t>(values.size(), 4);
  // Lagrange's polynomial.
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double weight = 1;
    for (std::size_t k = 0; k < count; ++k)
      if (k != i) weight *= (at - first - static_cast<double>(k)) / (static_cast<double>(i) - static_cast<double>(k));
    sum += weight * values[from + i];
  }
  return sum;
}

}  // namespace

std::vector<double> summed(const std::vector<double>& steps, double du, double start, std::optional<double> end) {
  const std::size_t n = steps.size();
  std::vector<double> forward(n, start), backward(n, end.value_or(0));
  for (std::size_t i = n - 1; end && i > 0; --i) backward[i - 1] = backward[i] - du * steps[i];
  for (std::size_t i = 1; i < n; ++i) {
    const double share = end ? static_cast<double>(i) / static_cast<double>(n - 1) : 0.0;
    forward[i] = (1 - share) * (forward[i - 1] + du * steps[i]) + share * backward[i];
  }
  return forward;
}

v1::RoadLine lineThrough(const std::vector<double>& x, const std::vector<double>& y, double start, double du) {
  const std::size_t last = x.size() - 1;
  auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(kLineSpacing / du - 1e-9)));
  every = std::max(every, last / (kMaxLinePoints - 1) + 1);
  // As long as the heights: where no whole number of steps of `every` stations is, the steps are a little longer.
  const std::size_t steps = std::max<std::size_t>(1, last / every);
  const double stations = static_cast<double>(last) / static_cast<double>(steps);
  v1::RoadLine line;
  line.set_start(start);
  line.set_spacing(du * stations);
  for (std::size_t i = 0; i <= steps; ++i) {
    line.add_points(between(x, static_cast<double>(i) * stations));
    line.add_points(between(y, static_cast<double>(i) * stations));
  }
  return line;
}

}  // namespace tactus::server
