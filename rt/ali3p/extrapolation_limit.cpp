#include "rt/ali3p/extrapolation_limit.h"

#include "rt/mechanics/undamped_vibration.h"
#include "rt/model/model.h"

#include <sstream>

namespace tactus::rt {

std::optional<Finding> findAmplified(const Model& model, const Settings& settings) {
  const int order = settings.order();
  if (order == 2) return std::nullopt;
  const bool third = order == 3;
  const char* field = third ? "solver.third_order" : "solver.fourth_order";
  if (settings.third_order && settings.fourth_order)
    return Finding{Severity::kError, field, "true", "a step has order 3 or order 4, and third_order is true, too",
                   "set one of the two"};
  const StepLimit limit = limitOfStep(order);
  const double damping = limit.damping_part * settings.dt();
  const UndampedVibration v = fastestUndampedVibration(model, damping);
  const double angle = v.frequency * settings.dt();
  if (!(angle > limit.undamped_angle)) return std::nullopt;
  std::ostringstream rule, hint;
  rule.precision(3);
  hint.precision(3);
  rule << (third ? "third" : "fourth") << "-order steps of " << settings.dt()
       << " s amplify the undamped vibration of '" << model.joint_names[static_cast<std::size_t>(v.joint)] << "' at "
       << v.frequency << " rad/s: it turns by " << angle << " rad a step, and may turn by " << limit.undamped_angle;
  hint << "use plain steps, ";
  if (third && angle <= limitOfStep(4).undamped_angle) hint << "fourth-order steps, ";
  hint << "a period of at most " << limit.undamped_angle / v.frequency << " s, or a damping of at least " << damping
       << " s times the stiffness";
  return Finding{Severity::kError, field, "true", rule.str(), hint.str()};
}

void requireStableSteps(const Model& model, const Settings& settings) {
  if (const std::optional<Finding> finding = findAmplified(model, settings)) throw ModelError({*finding});
}

}  // namespace tactus::rt
