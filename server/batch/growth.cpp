#include "server/batch/growth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace tactus::server {
namespace {

/// The factors of a power of time fall from quarter to quarter, the logarithm of the last one to 0.71 of that before;
/// those of an exponential do not.
constexpr double kSteady = 0.85;
/// A quarter that rises by less than this, in logarithms, is no growth.
constexpr double kLeastRise = 0.05;
constexpr double kMaxPower = 3;
constexpr std::size_t kLeastSamples = 8;
constexpr double kFarAway = 1000;
/// A quarter with less than this share of the last one has round-off alone: a power of 3 leaves an eighth.
constexpr double kBegun = 1e-3;

}  // namespace

std::string Growth::text() const {
  std::ostringstream out;
  out.precision(2);
  if (!known && extrapolated > 0)
    out << "begin late or have fewer than " << kLeastSamples << " samples, so that their growth is not known";
  else if (!known || rate <= 0.05)
    out << "do not grow";
  else if (exponential)
    out << "grow by a factor e in " << 1 / rate << " s";
  else
    out << "grow as t^" << rate;
  return out.str();
}

Growth growthOf(const std::vector<double>& t, const std::vector<double>& value, double wanted) {
  Growth growth;
  if (t.empty()) return growth;
  const double end = t.back();
  const auto above = std::find_if(value.begin(), value.end(), [](double v) { return v > 1; });
  if (above != value.end()) growth.reaches_one_at = t[static_cast<std::size_t>(above - value.begin())];
  std::array<double, 4> most{};
  for (std::size_t k = 0; k < t.size(); ++k) {
    const auto quarter = std::min<std::size_t>(3, static_cast<std::size_t>(4 * t[k] / (end * (1 + 1e-12))));
    most[quarter] = std::max(most[quarter], value[k]);
  }
  growth.extrapolated = *std::max_element(most.begin(), most.end());
  const double left = wanted / end;
  const double rise_1 = most[0] > 0 ? std::log(most[1] / most[0]) : 0, rise_2 = std::log(most[2] / most[1]),
               rise_3 = std::log(most[3] / most[2]);
  const bool is_each = most[1] > 0 && most[2] > 0 && most[3] > 0;
  growth.exponential =
      is_each && rise_3 > kLeastRise && rise_2 > kLeastRise && rise_3 >= kSteady * rise_2 && rise_2 >= kSteady * rise_1;
  // An exponential that is so fast rises as much in the third quarter; one that does not has begun late.
  const bool has_begun = most[1] >= kBegun * most[3] || (growth.exponential && rise_2 >= kSteady * rise_3);
  growth.known = t.size() >= kLeastSamples && is_each && has_begun;
  if (!growth.known) {
    growth.exponential = false;
    growth.extrapolated *= std::pow(left, kMaxPower);
    return growth;
  }
  const double last = most[3], reached = growth.reaches_one_at;
  if (growth.exponential) {
    growth.rate = rise_3 / (0.25 * end);
    growth.extrapolated = std::max(growth.extrapolated, last * std::exp(std::min(700.0, growth.rate * (wanted - end))));
    growth.reaches_one_at = end + std::log(1 / last) / growth.rate;
  } else {
    // From the end of the second quarter to that of the last one.
    growth.rate = std::clamp(std::log(most[3] / most[1]) / std::log(2.0), 0.0, kMaxPower);
    growth.extrapolated = std::max(growth.extrapolated, last * std::pow(left, growth.rate));
    growth.reaches_one_at = growth.rate > 0.05 ? end * std::pow(1 / last, 1 / growth.rate) : 0;
  }
  if (reached > 0) growth.reaches_one_at = reached;
  if (!(growth.reaches_one_at > 0 && growth.reaches_one_at < kFarAway * end)) growth.reaches_one_at = 0;
  return growth;
}

}  // namespace tactus::server
