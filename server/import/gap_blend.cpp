#include "server/import/gap_blend.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tactus::server {
namespace {

constexpr double kLongestCell = 0.125;  ///< m

/// Linear between the nodes, with the slope 1 outside.
double between(const std::vector<double>& from, const std::vector<double>& to, double way) {
  if (from.empty()) return way;
  if (way <= from.front()) return to.front() + (way - from.front());
  if (way >= from.back()) return to.back() + (way - from.back());
  const auto after = static_cast<std::size_t>(std::upper_bound(from.begin(), from.end(), way) - from.begin());
  const double share = (way - from[after - 1]) / (from[after] - from[after - 1]);
  return to[after - 1] + share * (to[after] - to[after - 1]);
}

}  // namespace

BlendedWay::BlendedWay(std::vector<double> gaps, double length,
                       const std::function<double(double from, double to)>& chord)
    : length_(length) {
  std::sort(gaps.begin(), gaps.end());
  double moved = 0;  // line over file
  for (std::size_t i = 0; i < gaps.size();) {
    const double begin = std::max(0.0, gaps[i] - kBlendReach);
    double end = gaps[i] + kBlendReach;
    for (++i; i < gaps.size() && gaps[i] - kBlendReach <= end; ++i) end = gaps[i] + kBlendReach;
    end = std::min(end, length);
    if (!(end > begin)) continue;
    const double cells = std::ceil((end - begin) / kLongestCell);
    const auto at = [&](double cell) { return begin + (end - begin) * (cell / cells); };
    file_.push_back(begin);
    line_.push_back(begin + moved);
    for (double cell = 0; cell < cells; ++cell) {
      file_.push_back(at(cell + 1));
      line_.push_back(line_.back() + chord(at(cell), at(cell + 1)));
    }
    moved = line_.back() - file_.back();
  }
}

double BlendedWay::ofFile(double way) const {
  return between(file_, line_, way);
}

double BlendedWay::toFile(double way) const {
  return between(line_, file_, way);
}

}  // namespace tactus::server
