#include "rt/ali3p/third_order_limit.h"

#include "rt/mechanics/undamped_vibration.h"
#include "rt/model/model.h"

#include <sstream>

namespace tactus::rt {

std::optional<Finding> findAmplified(const Model& model, const Settings& settings) {
  if (!settings.third_order) return std::nullopt;
  const UndampedVibration v = fastestUndampedVibration(model, kDampingPart * settings.dt());
  const double angle = v.frequency * settings.dt();
  if (!(angle > kMaxUndampedAngle)) return std::nullopt;
  std::ostringstream rule, hint;
  rule.precision(3);
  hint.precision(3);
  rule << "third-order steps of " << settings.dt() << " s amplify the undamped vibration of '"
       << model.joint_names[static_cast<std::size_t>(v.joint)] << "' at " << v.frequency << " rad/s: it turns by "
       << angle << " rad a step, and may turn by " << kMaxUndampedAngle;
  hint << "use plain steps, a period of at most " << kMaxUndampedAngle / v.frequency << " s, or a damping of at least "
       << kDampingPart * settings.dt() << " s times the stiffness";
  return Finding{Severity::kError, "solver.third_order", "true", rule.str(), hint.str()};
}

void requireStableSteps(const Model& model, const Settings& settings) {
  if (const std::optional<Finding> finding = findAmplified(model, settings)) throw ModelError({*finding});
}

}  // namespace tactus::rt
