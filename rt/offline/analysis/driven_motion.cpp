#include "rt/offline/analysis/driven_motion.h"

#include "rt/error.h"
#include "rt/mechanics/drives.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tactus::rt::offline {

namespace {

/// A little later, s.
constexpr double kDriveLater = 1e-3;
/// A drive at rest has no rate beyond this, m/s or rad/s.
constexpr double kDriveRests = 1e-9;
/// A drive that goes on steadily has no acceleration beyond this, m/s^2 or rad/s^2: a ten thousandth of gravity.
constexpr double kDriveSteady = 1e-3;

}  // namespace

DrivenMotion drivenMotion(const Model& model, const std::vector<double>& input, double t) {
  DrivenMotion motion;
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    if (model.joints[k].law != LawKind::kDriven) continue;
    const Drive& drive = model.drives[static_cast<std::size_t>(model.joints[k].law_index)];
    const DriveValue now = evaluateDrive(drive, t, input), later = evaluateDrive(drive, t + kDriveLater, input);
    if (std::abs(now.rate) > motion.rate) {
      motion.rate = std::abs(now.rate);
      motion.moving = model.joint_names[k];
    }
    // A harmonic at the middle of its swing has no acceleration, but will have one.
    const double changes =
        std::max(std::abs(now.acceleration), std::abs(later.acceleration - now.acceleration) / kDriveLater);
    if (changes > motion.acceleration) {
      motion.acceleration = changes;
      motion.accelerating = model.joint_names[k];
    }
  }
  return motion;
}

void requireSteadyDrives(const Model& model, const std::vector<double>& input, double t, bool at_rest) {
  const DrivenMotion driven = drivenMotion(model, input, t);
  std::ostringstream text;
  text << "model '" << model.name << "': ";
  if (driven.acceleration > kDriveSteady)
    text << "drive '" << driven.accelerating << "' changes its rate at " << t
         << " s, so that no motion is steady; hold it by a constant function or an input, or trim at another time";
  else if (at_rest && driven.rate > kDriveRests)
    text << "drive '" << driven.moving << "' moves by " << driven.rate << " m/s or rad/s at " << t
         << " s, so that the mechanism is not at rest; ask for a motion (--moving), or hold the drive by a constant "
            "function or an input";
  else
    return;
  throw Error(text.str());
}

}  // namespace tactus::rt::offline
