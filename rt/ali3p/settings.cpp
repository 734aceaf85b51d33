#include "rt/ali3p/settings.h"

#include "rt/error.h"
#include "rt/mechanics/gyroscopic.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"

#include <cmath>
#include <sstream>
#include <type_traits>

namespace tactus::rt {

namespace {

constexpr std::int64_t kMinPeriodNs = 1'000, kMaxPeriodNs = 1'000'000'000;
/// Up to this period two iterations leave only discretization error; above it, three.
constexpr std::int64_t kTwoIterationsUpToNs = 2'000'000;

}  // namespace

void changeSetting(Settings& settings, const SettingChange& change) {
  bool known = false;
  std::vector<std::string> names;
  forEachSetting([&](const SettingInfo& info, auto member) {
    using Value = std::remove_reference_t<decltype(settings.*member)>;
    names.emplace_back(info.name);
    if (change.name != info.name) return;
    known = true;
    // Not a number is outside every range.
    const bool whole = std::is_same_v<Value, double> || change.value == std::floor(change.value);
    if (!(change.value >= info.low && change.value <= info.high) || !whole) {
      std::ostringstream text;
      text << info.name << ": " << change.value << " must be ";
      if (std::is_same_v<Value, bool>)
        text << "0 or 1";
      else
        text << (std::is_same_v<Value, int> ? "a whole number from " : "from ") << info.low << " to " << info.high;
      throw Error(text.str());
    }
    settings.*member = static_cast<Value>(change.value);
  });
  if (known) return;
  const std::string nearest = nearestName(change.name, names);
  throw Error("there is no solver setting '" + change.name + "'" +
              (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

Settings chooseSettings(const Model& model, std::int64_t period_ns, const std::vector<SettingChange>& changes) {
  Settings s;
  s.period_ns = period_ns != 0 ? period_ns : std::llround(model.solver.period * 1e9);
  if (s.period_ns < kMinPeriodNs || s.period_ns > kMaxPeriodNs)
    throw Error("period: " + std::to_string(s.period_ns) + " ns is outside 1 us ... 1 s");
  s.iterations = model.solver.iterations.value_or(s.period_ns <= kTwoIterationsUpToNs ? 2 : 3);
  s.relative_compliance = model.solver.relative_compliance;
  s.gyroscopic_tangent =
      model.solver.gyroscopic_tangent.value_or(largestGyroscopicContraction(model, s.dt()) > kGyroscopicAbove);
  if (model.solver.gyroscopic_tangent == false) s.gyroscopic_above = kNeverGyroscopic;
  s.third_order = model.solver.third_order;
  s.fourth_order = model.solver.fourth_order;
  for (const SettingChange& change : changes) changeSetting(s, change);
  return s;
}

Settings chooseSettings(const Model& model, std::int64_t period_ns, int iterations) {
  return chooseSettings(model, period_ns,
                        iterations == 0 ? std::vector<SettingChange>{}
                                        : std::vector<SettingChange>{{"iterations", static_cast<double>(iterations)}});
}

}  // namespace tactus::rt
