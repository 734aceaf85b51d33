#include "rt/ali3p/third_order_limit.h"

#include "rt/error.h"
#include "rt/mechanics/undamped_vibration.h"

#include <sstream>

namespace tactus::rt {

void checkThirdOrder(const Model& model, const Settings& settings) {
  if (!settings.third_order) return;
  const UndampedVibration v = fastestUndampedVibration(model, kDampingPart * settings.dt());
  const double angle = v.frequency * settings.dt();
  if (!(angle > kMaxUndampedAngle)) return;
  std::ostringstream text;
  text.precision(3);
  text << "third_order: third-order steps of " << settings.dt() << " s amplify the undamped vibration of '"
       << model.joint_names[static_cast<std::size_t>(v.joint)] << "' at " << v.frequency << " rad/s (" << angle
       << " rad a step, at most " << kMaxUndampedAngle << "); use plain steps, a period of at most "
       << kMaxUndampedAngle / v.frequency << " s, or a damping of at least " << kDampingPart * settings.dt()
       << " s times the stiffness";
  throw Error(text.str());
}

}  // namespace tactus::rt
